import type { IngestStage } from "@hadal/sdk";
import type { SealedSegment } from "../segment/sealedSegment.js";
import type { Table } from "../table/table.js";
import { isFullySized } from "../upkeep/chooseMerge.js";

/** What the watch reads of a {@link Table}. */
interface WatchedTable extends Pick<Table, "openGeneration" | "rowCount" | "sealed"> {
  readonly undecided: readonly {
    readonly receipt: Table["undecided"][number]["receipt"];
    readonly rows: Pick<Table["undecided"][number]["rows"], "sinceMs">;
  }[];
}

interface OpenSince {
  /** Null: the rows wait beside an empty one. */
  readonly generation: number | null;
  readonly ms: number;
}

/**
 * How many rows wait for their unit, are open, sealed and merged, and for how long. Open and sealed
 * ones count from the first look that found them, so that the store needs no clock for it.
 */
export class StageWatch {
  readonly #openSince = new WeakMap<WatchedTable, OpenSince>();
  readonly #sealedSince = new WeakMap<SealedSegment, number>();

  /** `nowMs`: on the clock of performance.now(). */
  look(tables: Iterable<WatchedTable>, nowMs: number): readonly IngestStage[] {
    const [durable, open] = [newFill("durable"), newFill("open")];
    const [sealed, merged] = [newFill("sealed"), newFill("merged")];
    for (const table of tables) {
      for (const { receipt, rows } of table.undecided) {
        const [, , rowCount] = receipt;
        durable.rows += rowCount;
        durable.lagMs = Math.max(durable.lagMs, nowMs - rows.sinceMs);
      }
      this.#lookAtOpen(table, open, nowMs);
      const small = table.sealed.filter(mayBeMerged);
      sealed.rows += rowsOf(small);
      merged.rows += rowsOf(table.sealed) - rowsOf(small);
      for (const segment of small) {
        const sinceMs = this.#sealedSince.get(segment) ?? nowMs;
        this.#sealedSince.set(segment, sinceMs);
        // One alone waits for nothing that could come.
        if (small.length > 1) sealed.lagMs = Math.max(sealed.lagMs, nowMs - sinceMs);
      }
    }
    return [durable, open, sealed, merged];
  }

  #lookAtOpen(table: WatchedTable, open: Fill, nowMs: number): void {
    const generation = table.openGeneration;
    const rowCount = table.rowCount - rowsOf(table.sealed);
    if (rowCount === 0) return;
    open.rows += rowCount;
    const known = this.#openSince.get(table);
    const since = known?.generation === generation ? known : { generation, ms: nowMs };
    this.#openSince.set(table, since);
    open.lagMs = Math.max(open.lagMs, nowMs - since.ms);
  }
}

type Fill = { -readonly [Key in keyof IngestStage]: IngestStage[Key] };

const newFill = (stage: IngestStage["stage"]): Fill => ({ stage, rows: 0, lagMs: 0 });

/** Neither made by a merge nor too large for one. */
const mayBeMerged = (segment: SealedSegment): boolean =>
  segment.firstGeneration === segment.generation && !isFullySized(segment);

const rowsOf = (segments: readonly SealedSegment[]): number =>
  segments.reduce((sum, { rowCount }) => sum + rowCount, 0);
