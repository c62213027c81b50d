import type { KernelOperations, RowSet } from "@hadal/kernel-wasm";
import type { Scratch } from "../../memory/scratch.js";
import { DistinctProgress, type DistinctTask } from "../../task/distinctTask.js";
import type { ElementSource, SegmentInput } from "../../task/scanTask.js";
import type { StringReader } from "../../value/stringReader.js";
import { elementOfString } from "./elementTables.js";

export interface DistinctContext {
  readonly memory: WebAssembly.Memory;
  readonly kernel: KernelOperations;
  readonly strings: StringReader;
  readonly scratch: Scratch;
}

export function prepareDistinct(memory: WebAssembly.Memory, task: DistinctTask): void {
  new DistinctProgress(memory, task).clear();
  if (task.form === "bitmaps") {
    const wordCount = (task.groupCount * task.groupBits) / 32;
    new Uint32Array(memory.buffer, task.bitmaps, wordCount).fill(0);
  } else {
    new Uint32Array(memory.buffer, task.set.slots, task.set.slotCount).fill(0);
  }
}

/** Adds the values of the rows to the sets of their groups. */
export function addDistinct(
  context: DistinctContext,
  task: DistinctTask,
  { rows, groups }: { readonly rows: RowSet; readonly groups: number },
  input: SegmentInput,
): void {
  const { kernel, scratch } = context;
  const { values, base, present, elements } = input;
  if (elements === null) throw new Error("no source of elements");
  if (task.form === "bitmaps") {
    const { bitmaps, groupBits } = task;
    kernel.addToBitmaps(bitmaps, groups, rows, values, base - task.base, present, groupBits);
    return;
  }
  writeElements(context, rows, input, elements);
  const { set, registers } = task;
  const progress = new DistinctProgress(context.memory, task);
  if (!progress.isEstimating) {
    const known = kernel.addElements(set, progress.known, groups, scratch.keys, rows, present);
    if (known >= 0) {
      progress.known = known;
      return;
    }
    startEstimating(context, task, progress);
  }
  if (registers === null) throw new Error("more elements than rows");
  const { bits } = registers;
  kernel.addToRegisters(registers.registers, bits, groups, scratch.keys, rows, present);
}

/** Adds all elements of a full set to the registers. */
function startEstimating(
  { memory, kernel }: DistinctContext,
  { set, registers }: Extract<DistinctTask, { form: "set" }>,
  progress: DistinctProgress,
): void {
  if (registers === null) throw new Error("more elements than rows");
  const { bits, groupCount } = registers;
  const end = registers.registers + groupCount * 2 ** bits;
  new Uint8Array(memory.buffer).fill(0, registers.registers, end);
  const all: RowSet = { start: 0, count: set.entriesMax, rows: 0 };
  kernel.addToRegisters(registers.registers, bits, set.groups, set.elements, all, 0);
  progress.startEstimating();
}

/** Writes the element of each row to scratch.keys; that of a missing value may be anything. */
function writeElements(
  context: DistinctContext,
  rows: RowSet,
  { values, base }: SegmentInput,
  source: ElementSource,
): void {
  const { kernel, scratch } = context;
  switch (source.kind) {
    case "ints":
      kernel.intElements(scratch.keys, rows, values, base);
      return;
    case "codes":
      kernel.codeElements(scratch.keys, rows, values, source.table);
      return;
    case "read":
      readElements(context, rows, source);
  }
}

function readElements(
  { memory, strings, scratch }: DistinctContext,
  rows: RowSet,
  { source, asList }: Extract<ElementSource, { kind: "read" }>,
): void {
  const words = new Uint32Array(memory.buffer, scratch.keys, rows.count * 2);
  const listed = new Uint32Array(memory.buffer, rows.rows, rows.rows === 0 ? 0 : rows.count);
  for (let k = 0; k < rows.count; k++) {
    const text = strings.read(source, rows.rows === 0 ? rows.start + k : listed[k]!);
    if (text === null) continue;
    const [low, high] = elementOfString(asList ? JSON.stringify([text]) : text);
    words[k * 2] = low;
    words[k * 2 + 1] = high;
  }
}
