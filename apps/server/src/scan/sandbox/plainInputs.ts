import type { SegmentColumn } from "../../column/segmentColumn.js";
import { type SegmentView, segmentRowsMax } from "../../store/segment/segmentView.js";
import { decodedView } from "../derive/decodedView.js";
import { EvaluatedTexts } from "../derive/derivedColumn.js";
import { refuseOverflown } from "../filter/checkOverflow.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import { decodedColumnsMax } from "../memory/scratch.js";
import type { ColumnDecode } from "../task/columnDecode.js";
import { type DecodeContext, decodeColumns } from "../value/decodeColumns.js";

/**
 * The columns that aggregates on the main thread read, decoded into separate memory: the scan still
 * uses its own decoded columns.
 */
export class PlainInputs {
  /** Where encoded and derived inputs are made plain, for the present round. */
  #rooms: number[] = [];
  #roundMemory: QueryMemory | null = null;
  /** Inputs of the present segment of which some row has a value beyond 64 bits. */
  #overflown: readonly ColumnDecode[] = [];

  readonly #reading: DecodeContext;
  readonly #columnsOf: (view: SegmentView) => readonly (SegmentColumn | undefined)[];

  constructor(
    reading: DecodeContext,
    columnsOf: (view: SegmentView) => readonly (SegmentColumn | undefined)[],
  ) {
    this.#reading = reading;
    this.#columnsOf = columnsOf;
  }

  /** Begins a round, which lasts as long as `memory`. */
  begin(memory: QueryMemory): void {
    this.#rooms = [];
    this.#roundMemory = memory;
  }

  columns(segment: SegmentView): readonly (SegmentColumn | undefined)[] {
    const memory = this.#roundMemory;
    if (memory === null) throw new Error("no round has begun");
    const view = decodedView(segment, memory);
    const columns = this.#columnsOf(view);
    // Asking for values and presence has an encoded or derived column made plain.
    for (const column of columns) {
      // Texts that are made row by row read other columns, which have to be plain too.
      if (column instanceof EvaluatedTexts) void column.source;
      if (column === undefined || column.kind === "text") continue;
      void column.values.width;
      if (column.kind === "int") void column.present;
    }
    const { decodes, rowCount } = view;
    while (this.#rooms.length < Math.min(decodes.length, decodedColumnsMax)) {
      this.#rooms.push(memory.allocate(segmentRowsMax * 8));
    }
    const { kernel, rows, memory: shared } = this.#reading;
    const scratch = { ...this.#reading.scratch, decoded: this.#rooms };
    const context = { memory: shared, kernel, rows, scratch };
    this.#overflown = decodeColumns(context, { decodes, rowCount });
    return columns;
  }

  refuseOverflown(rows: Uint32Array): void {
    refuseOverflown(new Uint8Array(this.#reading.memory.buffer), this.#overflown, rows);
  }
}
