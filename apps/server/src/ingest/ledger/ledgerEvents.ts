import type { UnitStamp } from "../../base/row/unitSnapshot.js";
import type { Attempt } from "./batchWindow.js";
import type { HintEvent, PrintedHint } from "./hintedBatches.js";
import type { PrintedCounts } from "./leafCounts.js";
import type { Doubt, DoubtEvent, LedgerDoubts } from "./ledgerDoubts.js";
import type { PrintedUnits, UnitEvent } from "./ledgerUnits.js";
import type { MinuteRows } from "./minuteCounts.js";
import type { DropEvent, PendingDrop } from "./pendingDrops.js";
import type { PrintedPublishing, PublishEvent } from "./publishing.js";

/** Noted before a batch is sent. */
export interface BatchIntent {
  readonly table: string;
  readonly batchId: string;
  readonly contentHash: string;
  readonly leaf: string;
  /** Idempotency-Key of the request, if it had one, and the hash of its bytes. */
  readonly key: string | null;
  readonly requestHash: string;
  readonly rows: MinuteRows;
  readonly atMs: number;
  /** With `ack=received`: a leaf that ends may lose it. */
  readonly isReceived?: true;
  /** Its outcome is that of its unit. */
  readonly unit?: UnitStamp;
}

/**
 * A batch counts once its leaf has said that it stored it. `known`: the leaf stored it longer ago
 * than keys are remembered here, so it counts already.
 */
export type BatchOutcome = "stored" | "known" | "refused";

export type BatchEvent =
  | ({ readonly kind: "intent" } & BatchIntent)
  /** A leaf has stored it, and its rows are counted without it. It is never pending. */
  | ({ readonly kind: "held" } & BatchIntent)
  | { readonly kind: BatchOutcome; readonly table: string; readonly batchId: string }
  /** Its own leaf does not have it; this leaf had a hint, and has stored it. */
  | {
      readonly kind: "moved";
      readonly table: string;
      readonly batchId: string;
      readonly leaf: string;
    }
  /** A leaf has a hint of a batch that the ledger had lost. */
  | ({ readonly kind: "found" } & BatchIntent);

/** The lines of the journal. */
export type LedgerEvent =
  | BatchEvent
  | HintEvent
  | DropEvent
  | DoubtEvent
  | PublishEvent
  | UnitEvent;

/** What a snapshot contains of batches and keys. */
export interface PrintedBatches {
  readonly pending: readonly BatchIntent[];
  /** Absent in older snapshots. */
  readonly asides?: readonly PrintedHint[];
  /** Pending batches whose rows another gateway counts. */
  readonly uncounted?: readonly string[];
  readonly windows: readonly {
    readonly table: string;
    readonly keys: readonly {
      readonly key: string;
      readonly requestHash: string;
      readonly atMs: number;
      readonly batches: readonly (readonly [string, Attempt])[];
    }[];
  }[];
}

export interface LedgerSnapshot extends PrintedBatches {
  readonly counts: readonly PrintedCounts[];
  /** Absent in older snapshots, as the ones below. */
  readonly drops?: readonly PendingDrop[];
  readonly damage?: Doubt | null;
  readonly doubts?: ReturnType<LedgerDoubts["list"]>;
  readonly keysLostSince?: number | null;
  readonly units?: PrintedUnits;
  /** Of a gateway among others. */
  readonly publishing?: PrintedPublishing;
}
