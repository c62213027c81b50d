import type { RowSet } from "@hadal/kernel-wasm";
import type { StateColumn } from "../../aggregate/partial/partialResult.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import type { QueryMemory } from "../memory/queryMemory.js";

/** Fills a state on the leaf's main thread, from the rows of each group that a scan finds. */
export interface RowAggregator {
  /** Place among the query's states. */
  readonly stateIndex: number;
  /** A new round: groups are numbered anew. `memory` holds for its time. */
  begin(memory: QueryMemory): void;
  /** Takes rows with their groups (0: one has all); what is read need not stay. */
  update(side: number, segment: SegmentView, rows: RowSet, groups: number): Promise<unknown>[];
  /** The states of this round's groups in place of their numbers. */
  take(columns: readonly StateColumn[]): Promise<readonly StateColumn[]>;
}
