import { setImmediate } from "node:timers/promises";
import { assert } from "../../base/assert.js";
import { inTurns } from "../../base/schedule/steps.js";
import type { StopSignal } from "../../base/schedule/stopController.js";
import type { SegmentColumn } from "../../column/segmentColumn.js";
import type { ResolvedFilter, ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import { decodedView } from "../derive/decodedView.js";
import { DerivedColumns } from "../derive/derivedColumns.js";
import { refuseOverflown } from "../filter/checkOverflow.js";
import { FilterLowering } from "../filter/lowerFilter.js";
import { QueryMemory } from "../memory/queryMemory.js";
import { overlaidView } from "../segment/overlaidView.js";
import { storedPartOf } from "../segment/sandboxParts.js";
import type { ScanContext } from "../thread/scanContext.js";
import { decodeColumns } from "../value/decodeColumns.js";
import type { FunctionColumn } from "./functionColumn.js";
import { rowsOfFunctions } from "./functionRows.js";
import { type AskedRows, markRows } from "./functionValues.js";
import { decodeContextOn } from "./mainReaders.js";

/** Marks the rows for which functions were called; no column of a table can have this name. */
const selectedColumn = "\u0000selected";
export const isSelected: ResolvedFilter = {
  kind: "present",
  column: selectedColumn,
  negated: false,
};

export interface FunctionUnit {
  readonly side: number;
  readonly segment: SegmentView;
}

/** Segments of one round with the columns that functions computed. */
export interface PreparedRound {
  /** By side. */
  readonly views: readonly (readonly SegmentView[])[];
  readonly memory: QueryMemory;
}

/**
 * Computes the function columns of the segments of a round, for the rows that pass the filter on
 * stored columns.
 */
export class FunctionRounds {
  readonly #query: ResolvedQuery;
  readonly #context: ScanContext;
  readonly #signal: StopSignal;
  readonly #stored: ResolvedQuery["sides"];
  readonly #filters: FilterLowering;

  constructor(query: ResolvedQuery, context: ScanContext, memory: QueryMemory, signal: StopSignal) {
    this.#query = query;
    this.#context = context;
    this.#signal = signal;
    this.#stored = storedPartOf(query).sides;
    this.#filters = new FilterLowering(memory);
  }

  async prepare(
    units: readonly FunctionUnit[],
    columns: readonly FunctionColumn[],
  ): Promise<PreparedRound> {
    const memory = new QueryMemory(this.#context.memory, () => this.#context.kept.releaseOldest());
    // The memory contains the functions' results: it cannot be given back for another attempt with
    // less.
    memory.startAgain("short");
    const views = this.#query.sides.map((): SegmentView[] => []);
    try {
      for (const { side, segment } of units) {
        // Messages of the scan threads, which scan the round before, get their turn.
        await setImmediate();
        const selecting = { filters: this.#filters, signal: this.#signal };
        const stored = this.#stored[side]!;
        const rows = await rowsOfFunctions(this.#context, selecting, stored, segment);
        if (rows.length === 0) continue;
        views[side]!.push(await this.#overlay(segment, rows, columns, memory));
      }
      return { views, memory };
    } catch (error) {
      memory.release();
      throw error;
    }
  }

  /**
   * The segment with the functions' columns, and with a mark on the rows for which they were
   * called.
   */
  async #overlay(
    segment: SegmentView,
    rows: Uint32Array,
    functions: readonly FunctionColumn[],
    memory: QueryMemory,
  ): Promise<SegmentView> {
    const { rowCount } = segment;
    const marked = markRows(rows, rowCount, memory, this.#context.kernel);
    const asked = { rows, rowCount, marked };
    const own = new Map<string, SegmentColumn>([[selectedColumn, markColumn(marked)]]);
    const overlaid = overlaidView(segment, own);
    const { derived = [] } = this.#query;
    for (const one of functions) {
      // A function may read columns that are derived before it; those of earlier functions are
      // there already.
      const before = derived.slice(0, derived.indexOf(one.derived));
      const view = { overlaid, readable: new DerivedColumns(before, memory) };
      own.set(one.derived.name, await this.#evaluate(one, view, asked, memory));
    }
    return overlaid;
  }

  async #evaluate(
    one: FunctionColumn,
    { overlaid, readable }: { overlaid: SegmentView; readable: DerivedColumns },
    asked: AskedRows,
    memory: QueryMemory,
  ): Promise<SegmentColumn> {
    const decoding = new QueryMemory(this.#context.memory);
    try {
      const [segment] = await inTurns(readable.addTo([overlaid]), this.#signal);
      assert(segment !== undefined, "each segment is given back");
      const view = decodedView(segment, decoding);
      const columns = one.inputs.map((input) => input.columnOf(view));
      // Reading the values of an encoded column has it decoded.
      for (const column of columns) {
        if (column === undefined || column.kind === "text") continue;
        void column.values.width;
        if (column.kind === "int") void column.present;
      }
      await inTurns(readable.fill(), this.#signal);
      const { rowCount } = segment;
      const decodeContext = decodeContextOn(this.#context);
      const overflown = decodeColumns(decodeContext, { decodes: view.decodes, rowCount });
      refuseOverflown(this.#context.memory.bytes, overflown, asked.rows);
      // `evaluate` reads the columns before it returns its promise: then another function may use
      // their memory.
      return one.evaluate({ columns, ...asked }, memory);
    } finally {
      decoding.release();
    }
  }
}

/** A column that has a value in the marked rows. */
const markColumn = (marked: number): SegmentColumn => ({
  kind: "int",
  decimals: 0,
  values: { address: 0, width: 0 },
  base: 0n,
  encoded: null,
  present: marked,
  min: 0n,
  max: 0n,
});
