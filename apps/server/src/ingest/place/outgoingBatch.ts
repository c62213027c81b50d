import type { HadalError } from "@hadal/sdk";
import type { BatchSender } from "../../base/row/batchSender.js";
import type { UnitStamp } from "../../base/row/unitSnapshot.js";
import type { Sender } from "../body/fairOrder.js";
import type { Doubt } from "../ledger/ledgerDoubts.js";
import type { BatchIntent } from "../ledger/ledgerEvents.js";
import type { RowCountLedger } from "../ledger/rowCountLedger.js";
import type { LeafTarget } from "./leafTarget.js";

/** Other gateways that place rows on the same leaves. */
export interface OtherPlacers {
  /** Of all of them one takes over what a gateway has left that is gone. */
  readonly isLeader: boolean;
  /** Of the counts of all of them. */
  readonly damage: Doubt | null;
  readonly areOthersThere: boolean;
  /** This gateway as the leaves know it. */
  readonly sender: BatchSender;
  /** Why this gateway may place no rows now; null: it may. */
  readonly placingProblem: HadalError | null;
  /** Resolves when a leaf takes no more rows of gateways whose place was taken. */
  fence(leaf: LeafTarget): Promise<void>;
  /** Resolves when the others expect what counts here now, or cannot be reached. */
  whenPublished(): Promise<void>;
  /** Whether another gateway has a batch with such an id and does not know whether a leaf has it. */
  isOpenElsewhere(table: string, idsStart: string): boolean;
  /** Whether rows of a key may have come through another gateway. */
  mayHaveStored(table: string, key: string): boolean;
  /** The leaves that others place rows on, as they have said last: this one may not know all of them yet. */
  readonly leavesOfOthers: ReadonlySet<string>;
  /**
   * Whether another gateway may have stored batches of a key on leaves that cannot be asked, other
   * than those found. `copied`: leaves whose copy was asked.
   */
  isKeyOpen(
    key: { readonly table: string; readonly key: string; readonly found: Iterable<string> },
    leaves: { readonly silent: readonly string[]; readonly copied: ReadonlySet<string> },
  ): Promise<boolean>;
  /** Whether a gateway is none of those that place rows; absent: that is not known. */
  isGone?(gateway: string): boolean;
  /** Tables and ids of batches of which leaves keep a hint for another; null: not all are known. */
  hintsOfOthers(): Promise<ReadonlySet<string> | null>;
}

export interface PlacerDeps {
  readonly leaves: () => readonly LeafTarget[];
  /** Copies of leaves that are silent, with their ids; absent: there are none. */
  readonly copies?: () => readonly LeafTarget[];
  /** Whether a leaf may get new rows; absent: all may. */
  readonly takesRows?: (leafId: string) => boolean;
  /** Leaves with rows that are not in this list; absent: none. */
  readonly leavesLeftOut?: readonly string[];
  readonly ledger: RowCountLedger;
  /** Absent: this is the only gateway. */
  readonly others?: OtherPlacers;
  readonly random: () => number;
  readonly nowMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** What leaves know the sender of a batch by; nothing where this is the only gateway. */
export const sentBy = (others: OtherPlacers | undefined): { readonly sender?: BatchSender } =>
  others === undefined ? {} : { sender: others.sender };

/** A batch with its intent for the ledger. */
export interface OutgoingBatch {
  readonly intent: Omit<BatchIntent, "leaf" | "atMs" | "contentHash">;
  readonly sender: Sender;
  /** Approximate bytes. */
  readonly size: number;
  /** Called once a leaf has room for it. */
  encode(): Promise<EncodedBatch>;
  readonly durable: boolean;
  /**
   * Of this gateway when it was looked for among batches that are stored: if others have taken its
   * place since, they may have stored it. Null: this is the only gateway.
   */
  readonly epoch: number | null;
  /** The leaf on which its rows count already: it has lost them. Null: there is none. */
  readonly countedOn: string | null;
  /** The leaf that is tried first; null: one is chosen. */
  readonly leafId: string | null;
  /** Absent: it is visible as soon as it is stored. */
  readonly unit?: UnitOfBatch;
}

/** The unit that a batch is a part of, while its parts are sent. */
export interface UnitOfBatch {
  readonly stamp: UnitStamp;
  /** Throws where another part has failed: no part is sent any more. */
  check(): void;
  /** A leaf has stored the batch. */
  noteStored(intent: BatchIntent): void;
  hasStored(intent: BatchIntent): boolean;
}

/** `known`: the leaf had stored the batch before, and shows it already. */
export type PlacedBatch = "stored" | "known";

export interface EncodedBatch {
  readonly bytes: Uint8Array;
  readonly contentHash: string;
}
