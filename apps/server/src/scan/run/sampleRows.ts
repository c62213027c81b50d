import type { RowSet } from "@hadal/kernel-wasm";
import { selectLargest } from "../../base/number/selectLargest.js";
import type { SampleAnswer } from "../task/scanAnswer.js";
import type { SampleTask, ScanUnit } from "../task/scanTask.js";
import { TimeReader } from "../value/timeReader.js";

interface FoundRow {
  readonly timeMs: number;
  readonly unit: number;
  readonly row: number;
}

/** Keeps the newest (or oldest) rows that passed, by event time. */
export class SampleRows {
  readonly #task: SampleTask;
  readonly #memory: WebAssembly.Memory;
  readonly #times: TimeReader;
  /** Best first once cut; all within the limit. */
  #found: FoundRow[] = [];

  constructor(memory: WebAssembly.Memory, task: SampleTask) {
    this.#memory = memory;
    this.#times = new TimeReader(memory);
    this.#task = task;
  }

  /** Whether no row of the unit can be among the best. */
  canSkip(unit: Pick<ScanUnit, "minMs" | "maxMs">): boolean {
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
    const sign = newestFirst ? 1 : -1;
    // In a sorted segment the best rows are the last (or first) ones.
    const count = unit.sorted ? Math.min(limit, rows.count) : rows.count;
    const first = newestFirst ? rows.count - count : 0;
    const ranks = new Float64Array(count);
    const rowOf = (k: number): number =>
      rows.rows === 0 ? rows.start + first + k : listed[first + k]!;
    for (let k = 0; k < count; k++) ranks[k] = sign * this.#times.timeMs(unit, rowOf(k));
    const threshold =
      count > limit ? selectLargest(ranks.slice(), limit) : Number.NEGATIVE_INFINITY;
    for (let k = 0; k < count; k++) {
      if (ranks[k]! < threshold) continue;
      this.#found.push({ timeMs: sign * ranks[k]!, unit: unitIndex, row: rowOf(k) });
    }
    this.#found.sort((a, b) => sign * (b.timeMs - a.timeMs) || a.unit - b.unit || a.row - b.row);
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
