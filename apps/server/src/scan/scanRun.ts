import type { KernelOperations } from "@hadal/kernel-wasm";
import { createColumnReader } from "../column/readColumn.js";
import { createTextReader } from "../column/textReader.js";
import { gatherStates } from "./gatherStates.js";
import { createGroupProgress, type GroupProgress, groupRows } from "./groupRows.js";
import { maskedUnit, takesMask } from "./maskedUnit.js";
import { readSideAnswer } from "./readAnswer.js";
import { SampleRows } from "./sampleRows.js";
import type { ScanAnswer, ScanTask, ScanUnit, SideTask, StateTask } from "./scanTask.js";
import type { Scratch } from "./scratch.js";
import type { Selection } from "./selection.js";
import { type SelectContext, selectRows } from "./selectRows.js";
import { createStringReader } from "./stringSource.js";

/** One task on one scan thread, a segment at a time, so that others get their turn and a cancel is heard. */
export class ScanRun {
  readonly task: ScanTask;
  readonly #context: SelectContext;
  readonly #progress: readonly GroupProgress[];
  readonly #sample: SampleRows | null;
  #next: number;
  #unitsScanned = 0;
  #rowsScanned = 0;
  #rowsMatched = 0;
  #bytesScanned = 0;
  #scanMs = 0;

  constructor(
    memory: WebAssembly.Memory,
    kernel: KernelOperations,
    scratch: Scratch,
    task: ScanTask,
  ) {
    this.task = task;
    const reader = createColumnReader(memory);
    const strings = createStringReader(reader, createTextReader(memory, kernel, scratch.page));
    this.#context = { memory, kernel, reader, strings, scratch };
    for (const side of task.sides) clearSide(memory, kernel, side);
    this.#progress = task.sides.map(createGroupProgress);
    this.#sample = task.sample === null ? null : new SampleRows(memory, task.sample);
    this.#next = this.#takeUnit(0);
  }

  get done(): boolean {
    return this.#next >= this.task.units.length;
  }

  get rowsScanned(): number {
    return this.#rowsScanned;
  }

  /** Scans the next segment. */
  step(): void {
    const startMs = performance.now();
    const unitIndex = this.#next;
    const unit = this.task.units[unitIndex]!;
    if (this.#sample?.canSkip(unit) !== true) {
      const side = this.task.sides[unit.side]!;
      const isSampled = this.#sample !== null;
      const selection = selectRows(this.#context, unit, !isSampled && takesMask(side));
      this.#rowsScanned += unit.rowCount;
      this.#rowsMatched += selection.count;
      this.#bytesScanned += unit.bytes;
      if (selection.count > 0) {
        if (this.#sample !== null) this.#sample.add(unit, unitIndex, selection.rows);
        else this.#gather(unit, side, selection);
      }
    }
    this.#unitsScanned++;
    this.#next = this.#takeUnit(unitIndex + 1);
    this.#scanMs += performance.now() - startMs;
  }

  /** Number of the unit to scan next; when lanes share them, of the next that none has taken. */
  #takeUnit(following: number): number {
    const { cursor } = this.task;
    if (cursor === 0) return following;
    return Atomics.add(new Uint32Array(this.#context.memory.buffer, cursor, 1), 0, 1);
  }

  #gather(unit: ScanUnit, side: SideTask, selection: Selection): void {
    const context = this.#context;
    const { rows, mask } = selection;
    const groups = groupRows(context, unit, side, rows, this.#progress[unit.side]!);
    const read = mask === 0 ? unit : maskedUnit(context, unit, mask);
    gatherStates(context, read, side, selection, groups);
  }

  answer(): ScanAnswer {
    const { memory } = this.#context;
    return {
      id: this.task.id,
      done: this.done,
      sides: this.task.sides.map((side, i) => readSideAnswer(memory, side, this.#progress[i]!)),
      sample: this.#sample?.answer() ?? null,
      rowsScanned: this.#rowsScanned,
      rowsMatched: this.#rowsMatched,
      bytesScanned: this.#bytesScanned,
      unitsScanned: this.#unitsScanned,
      scanMs: this.#scanMs,
    };
  }
}

/** Accumulators start at their neutral value; this is done here, not on the thread that takes rows in. */
function clearSide(memory: WebAssembly.Memory, kernel: KernelOperations, side: SideTask): void {
  const { table } = side;
  const groupCount =
    table.kind === "single" ? 1 : table.kind === "direct" ? table.groupCount : table.groupsMax;
  const bytes = new Uint8Array(memory.buffer);
  const clear = (address: number, perGroup: number): void => {
    if (address !== 0) bytes.fill(0, address, address + groupCount * perGroup);
  };
  if (table.kind === "hash") for (const level of table.levels) kernel.clearHashTable(level.table);
  clear(side.counts, 4);
  for (const state of side.states) {
    if (state.kind === "weight" || state.kind === "present") clear(state.sums, 8);
    if (state.kind === "squares") clear(state.sums, state.wide ? 40 : 8);
    if (state.kind === "sum") {
      clear(state.sums, state.wide ? 24 : 8);
      clear(state.weights, 8);
    }
    if (state.kind === "min" || state.kind === "max") {
      const start = state.kind === "min" ? 2n ** 63n - 1n : -(2n ** 63n);
      new BigInt64Array(memory.buffer, state.extremes, groupCount).fill(start);
      clear(state.presence, 8);
    }
    if (state.kind === "histogram") clearHistogram(memory, kernel, state, groupCount);
  }
}

function clearHistogram(
  memory: WebAssembly.Memory,
  kernel: KernelOperations,
  { store, bucketCount }: Extract<StateTask, { kind: "histogram" }>,
  groupCount: number,
): void {
  const bytes = new Uint8Array(memory.buffer);
  if (store.kind === "dense") {
    bytes.fill(0, store.buckets, store.buckets + groupCount * bucketCount * 8);
    return;
  }
  kernel.clearHashTable(store.table);
  bytes.fill(0, store.weights, store.weights + store.table.groupsMax * 8);
}
