import type { Sender } from "../body/fairOrder.js";
import type { BatchIntent, RowCountLedger } from "../ledger/rowCountLedger.js";
import type { LeafTarget } from "./leafTarget.js";

export interface PlacerDeps {
  readonly leaves: () => readonly LeafTarget[];
  /** Leaves that hold rows and are not among them; absent: none. */
  readonly leavesLeftOut?: readonly string[];
  readonly ledger: RowCountLedger;
  readonly random: () => number;
  readonly nowMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** A batch, and what the ledger should know of it. */
export interface OutgoingBatch {
  readonly intent: Omit<BatchIntent, "leaf" | "atMs" | "contentHash">;
  readonly sender: Sender;
  /** What it takes, about. */
  readonly size: number;
  /** Called once a leaf has room for it. */
  encode(): Promise<EncodedBatch>;
  readonly durable: boolean;
  /** The leaf that is tried first; null: one is chosen. */
  readonly leafId: string | null;
}

export interface EncodedBatch {
  readonly bytes: Uint8Array;
  readonly contentHash: string;
}
