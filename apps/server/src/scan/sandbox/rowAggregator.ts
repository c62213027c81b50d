import type { RowSet } from "@hadal/kernel-wasm";
import type { StateColumn } from "../../aggregate/partial/partialResult.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import type { QueryMemory } from "../memory/queryMemory.js";

/** Fills a state on the leaf's main thread, from the rows of each group that a scan finds. */
export interface RowAggregator {
  /** Place among the query's states. */
  readonly stateIndex: number;
  /** Begins a round, which lasts as long as `memory`: groups get new numbers. */
  begin(memory: QueryMemory): void;
  /**
   * Takes rows with the address of their groups (0: all are in one); the inputs may be reused after
   * the call.
   */
  update(side: number, segment: SegmentView, rows: RowSet, groups: number): Promise<unknown>[];
  /** Replaces the numbers of this round's groups by their states. */
  take(columns: readonly StateColumn[]): Promise<readonly StateColumn[]>;
}
