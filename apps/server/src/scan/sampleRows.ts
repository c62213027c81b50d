import type { RowSet } from "@hadal/kernel-wasm";
import { type ColumnReader, createColumnReader } from "../column/readColumn.js";
import type { SampleAnswer, SampleTask, ScanUnit } from "./scanTask.js";

interface FoundRow {
  readonly timeMs: number;
  readonly unit: number;
  readonly row: number;
}

/** Keeps the newest (or oldest) rows that passed, by event time. */
export class SampleRows {
  readonly #task: SampleTask;
  readonly #memory: WebAssembly.Memory;
  readonly #reader: ColumnReader;
  /** Best first once cut; all within the limit. */
  #found: FoundRow[] = [];

  constructor(memory: WebAssembly.Memory, task: SampleTask) {
    this.#memory = memory;
    this.#reader = createColumnReader(memory);
    this.#task = task;
  }

  /** Whether no row of the unit can be among the best. */
  canSkip(unit: ScanUnit): boolean {
    const last = this.#found[this.#task.limit - 1];
    if (last === undefined) return false;
    return this.#task.newestFirst ? unit.maxMs < last.timeMs : unit.minMs > last.timeMs;
  }

  add(unit: ScanUnit, unitIndex: number, rows: RowSet): void {
    const listed = new Uint32Array(
      this.#memory.buffer,
      rows.rows,
      rows.rows === 0 ? 0 : rows.count,
    );
    const { limit, newestFirst } = this.#task;
    // In a sorted segment the best rows are the last (or first) ones.
    const count = unit.sorted ? Math.min(limit, rows.count) : rows.count;
    const first = newestFirst ? rows.count - count : 0;
    for (let k = first; k < first + count; k++) {
      const row = rows.rows === 0 ? rows.start + k : listed[k]!;
      const timeMs = Number(this.#reader.int({ values: unit.times, base: unit.timeBase }, row));
      this.#found.push({ timeMs, unit: unitIndex, row });
    }
    const sign = newestFirst ? -1 : 1;
    this.#found.sort((a, b) => sign * (a.timeMs - b.timeMs || a.unit - b.unit || a.row - b.row));
    if (this.#found.length > limit) this.#found.length = limit;
  }

  answer(): SampleAnswer {
    return {
      units: Uint32Array.from(this.#found, ({ unit }) => unit),
      rows: Uint32Array.from(this.#found, ({ row }) => row),
      times: Float64Array.from(this.#found, ({ timeMs }) => timeMs),
    };
  }
}
