import { moduleImports } from "../../function/emit/moduleImports.js";
import { type Cell, overflow } from "../../function/term/cell.js";
import type { DecodedValues } from "../task/columnDecode.js";
import type {
  CompiledDerive,
  DeriveCode,
  DeriveTask,
  EvaluatedDerive,
} from "../task/deriveTask.js";
import type { RowEvaluator } from "./rowEvaluator.js";

export interface DeriveContext {
  readonly memory: WebAssembly.Memory;
  readonly rows: RowEvaluator;
}

type Run = (...args: readonly (number | bigint)[]) => number;

/** Modules instantiated on this thread; each arrives once per query. */
const instances = new WeakMap<DeriveCode, Run>();

/** Writes a derived column of a segment; whether some row's arithmetic has overflown. */
export function runDerive(
  context: DeriveContext,
  task: DeriveTask,
  values: DecodedValues,
  rowCount: number,
): boolean {
  return task.kind === "compiled"
    ? runCode(context.memory, task, values, rowCount)
    : evaluateRows(context, task, values, rowCount);
}

function runCode(
  memory: WebAssembly.Memory,
  { code, base, slots, present, overflown }: CompiledDerive,
  values: DecodedValues,
  rowCount: number,
): boolean {
  const args: (number | bigint)[] = [rowCount, values.address, base, present, overflown];
  for (const slot of slots) {
    args.push(slot.values.address);
    if (slot.kind === "table") args.push(slot.entries, ...(slot.states === 0 ? [] : [slot.states]));
    else {
      args.push(slot.base);
      for (const bitmap of [slot.present, slot.overflown]) if (bitmap !== 0) args.push(bitmap);
    }
  }
  return runOf(memory, code)(...args) !== 0;
}

function runOf(memory: WebAssembly.Memory, code: DeriveCode): Run {
  let run = instances.get(code);
  if (run === undefined) {
    const instance = new WebAssembly.Instance(code.module, {
      env: { memory, ...moduleImports },
    });
    run = instance.exports.run as Run;
    instances.set(code, run);
  }
  return run;
}

function evaluateRows(
  { memory, rows }: DeriveContext,
  { row, present, overflown }: EvaluatedDerive,
  values: DecodedValues,
  rowCount: number,
): boolean {
  const bytes = new Uint8Array(memory.buffer);
  const ints =
    values.width === 8 ? new BigInt64Array(memory.buffer, values.address, rowCount) : null;
  const bitmapBytes = Math.ceil(rowCount / 64) * 8;
  for (const bitmap of [present, overflown]) bytes.fill(0, bitmap, bitmap + bitmapBytes);
  let anyOverflow = false;
  for (let index = 0; index < rowCount; index++) {
    const cell: Cell = rows.cell(row, index);
    if (ints !== null) ints[index] = typeof cell === "bigint" ? cell : 0n;
    if (cell === null) continue;
    anyOverflow ||= cell === overflow;
    const bitmap = cell === overflow ? overflown : present;
    bytes[bitmap + (index >> 3)]! |= 1 << (index & 7);
  }
  return anyOverflow;
}
