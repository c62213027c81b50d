import type { RowSet } from "@hadal/kernel-wasm";
import { compareKeys, type OrderKey } from "../../base/row/rowOrder.js";
import { overflow } from "../../function/term/cell.js";
import type { SampleAnswer } from "../task/scanAnswer.js";
import type { SampleTask, ScanUnit } from "../task/scanTask.js";
import type { RowEvaluator } from "../value/rowEvaluator.js";
import { TimeReader } from "../value/timeReader.js";
import { valueOverflow } from "../value/valueOverflow.js";

interface FoundRow {
  readonly keys: readonly OrderKey[];
  readonly timeMs: number;
  readonly unit: number;
  readonly row: number;
}

/** Found rows are sorted and cut when there are this many beyond the limit. */
const waitingMin = 4_096;

/**
 * Keeps the first rows that passed, in the order of values of theirs; rows that tie there by time,
 * newest first.
 */
export class OrderedRows {
  readonly #times: TimeReader;
  readonly #orders: NonNullable<SampleTask["orders"]>;
  /** The first `#sorted` of them in their order, within the limit. */
  readonly #found: FoundRow[] = [];
  #sorted = 0;

  readonly #memory: WebAssembly.Memory;
  readonly #task: SampleTask;
  readonly #rows: RowEvaluator;

  constructor(memory: WebAssembly.Memory, task: SampleTask, rows: RowEvaluator) {
    this.#memory = memory;
    this.#task = task;
    this.#rows = rows;
    this.#times = new TimeReader(memory);
    this.#orders = task.orders ?? [];
  }

  /**
   * Whether no row of the unit can be among the first: this is known where rows are ordered by
   * time.
   */
  canSkip(unit: Pick<ScanUnit, "minMs" | "maxMs">): boolean {
    const [first] = this.#orders;
    if (first?.byTime !== true) return false;
    this.#cut();
    const last = this.#found[this.#task.limit - 1];
    if (last === undefined) return false;
    return first.desc ? unit.maxMs < last.timeMs : unit.minMs > last.timeMs;
  }

  add(unit: ScanUnit, unitIndex: number, rows: RowSet): void {
    const { buffer } = this.#memory;
    const listed = new Uint32Array(buffer, rows.rows, rows.rows === 0 ? 0 : rows.count);
    const waitingMax = this.#task.limit + Math.max(waitingMin, this.#task.limit / 4);
    for (let k = 0; k < rows.count; k++) {
      const row = rows.rows === 0 ? rows.start + k : listed[k]!;
      const first = this.#key(unit, 0, row);
      if (this.#isBehind(first)) continue;
      const keys = this.#orders.map((_, i) => (i === 0 ? first : this.#key(unit, i, row)));
      const timeMs = this.#times.timeMs(unit, row);
      this.#found.push({ keys, timeMs, unit: unitIndex, row });
      if (this.#found.length > waitingMax) this.#cut();
    }
  }

  answer(): SampleAnswer {
    this.#cut();
    return {
      units: Uint32Array.from(this.#found, ({ unit }) => unit),
      rows: Uint32Array.from(this.#found, ({ row }) => row),
      times: Float64Array.from(this.#found, ({ timeMs }) => timeMs),
    };
  }

  /** Whether enough sorted rows come before this one, so that it is not wanted. */
  #isBehind(first: OrderKey): boolean {
    if (this.#sorted < this.#task.limit) return false;
    const last = this.#found[this.#task.limit - 1];
    return last !== undefined && compareKeys(this.#orders[0]!, last.keys[0]!, first) < 0;
  }

  #cut(): void {
    if (this.#sorted === this.#found.length) return;
    this.#found.sort((a, b) => this.#compare(a, b));
    if (this.#found.length > this.#task.limit) this.#found.length = this.#task.limit;
    this.#sorted = this.#found.length;
  }

  #compare(a: FoundRow, b: FoundRow): number {
    for (const [i, order] of this.#orders.entries()) {
      const compared = compareKeys(order, a.keys[i]!, b.keys[i]!);
      if (compared !== 0) return compared;
    }
    return b.timeMs - a.timeMs || a.unit - b.unit || a.row - b.row;
  }

  #key({ orders }: ScanUnit, index: number, row: number): OrderKey {
    const cell = this.#rows.cell(orders[index]!, row);
    if (cell === null || typeof cell === "bigint" || typeof cell === "string") return cell;
    if (cell === overflow) throw valueOverflow(this.#orders[index]!.name);
    throw new Error("rows are ordered by integers and strings only");
  }
}
