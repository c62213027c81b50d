import type { StateColumn } from "../../../aggregate/partial/partialResult.js";
import { countBits } from "../../../base/bytes/countBits.js";
import {
  type DistinctBitmaps,
  DistinctProgress,
  type DistinctRegisters,
  type DistinctTask,
} from "../../task/distinctTask.js";

/** The sets of the groups, which ascend. */
export function readDistinct(
  memory: WebAssembly.Memory,
  task: DistinctTask,
  groups: Uint32Array,
): StateColumn {
  if (task.form === "bitmaps") {
    return task.table === 0 ? readBitmaps(memory, task, groups) : readCodes(memory, task, groups);
  }
  if (task.registers !== null && new DistinctProgress(memory, task).isEstimating) {
    return readRegisters(memory, task.registers, groups);
  }
  return readSet(memory, task, groups);
}

function readBitmaps(
  memory: WebAssembly.Memory,
  { bitmaps, groupBits, base }: DistinctBitmaps,
  groups: Uint32Array,
): StateColumn {
  const perGroup = groupBits / 32;
  const words = new Uint32Array(groups.length * perGroup);
  for (let i = 0; i < groups.length; i++) {
    const from = bitmaps + groups[i]! * perGroup * 4;
    words.set(new Uint32Array(memory.buffer, from, perGroup), i * perGroup);
  }
  return { kind: "distinct", form: "bitmaps", base, groupBits, words };
}

/** Codes are the leaf's own: what leaves it are the elements of their strings. */
function readCodes(
  memory: WebAssembly.Memory,
  { bitmaps, groupBits, table }: DistinctBitmaps,
  groups: Uint32Array,
): StateColumn {
  const perGroup = groupBits / 32;
  const elementOf = new Uint32Array(memory.buffer, table, groupBits * 2);
  const offsets = new Uint32Array(groups.length + 1);
  const wordsOf = (group: number): Uint32Array =>
    new Uint32Array(memory.buffer, bitmaps + group * perGroup * 4, perGroup);
  let bits = 0;
  for (const group of groups) bits += countBits(wordsOf(group));
  const elements = new Uint32Array(2 * bits);
  let count = 0;
  for (let i = 0; i < groups.length; i++) {
    const words = wordsOf(groups[i]!);
    for (let j = 0; j < perGroup; j++) {
      for (let word = words[j]!; word !== 0; word &= word - 1) {
        const code = j * 32 + (31 - Math.clz32(word & -word));
        elements[count++] = elementOf[code * 2]!;
        elements[count++] = elementOf[code * 2 + 1]!;
      }
    }
    offsets[i + 1] = count / 2;
  }
  return { kind: "distinct", form: "elements", offsets, elements };
}

function readRegisters(
  memory: WebAssembly.Memory,
  { registers, bits }: DistinctRegisters,
  groups: Uint32Array,
): StateColumn {
  const size = 2 ** bits;
  const taken = new Uint8Array(groups.length * size);
  for (let i = 0; i < groups.length; i++) {
    taken.set(new Uint8Array(memory.buffer, registers + groups[i]! * size, size), i * size);
  }
  return { kind: "distinct", form: "registers", bits, registers: taken };
}

function readSet(
  memory: WebAssembly.Memory,
  task: Extract<DistinctTask, { form: "set" }>,
  groups: Uint32Array,
): StateColumn {
  const { known } = new DistinctProgress(memory, task);
  const entryGroups = new Uint32Array(memory.buffer, task.set.groups, known);
  const entries = new Uint32Array(memory.buffer, task.set.elements, known * 2);
  const groupEnd = groups.length === 0 ? 0 : groups[groups.length - 1]! + 1;
  // The index of each entry's group among the wanted ones; -1: it was cut.
  const placeOf = new Int32Array(groupEnd).fill(-1);
  for (let i = 0; i < groups.length; i++) placeOf[groups[i]!] = i;
  const placeAt = (entry: number): number => {
    const group = entryGroups[entry]!;
    return group < groupEnd ? placeOf[group]! : -1;
  };
  const offsets = new Uint32Array(groups.length + 1);
  for (let entry = 0; entry < known; entry++) {
    const place = placeAt(entry);
    if (place >= 0) offsets[place + 1]! += 1;
  }
  for (let i = 0; i < groups.length; i++) offsets[i + 1]! += offsets[i]!;
  const next = offsets.slice(0, groups.length);
  const elements = new Uint32Array(offsets[groups.length]! * 2);
  for (let entry = 0; entry < known; entry++) {
    const place = placeAt(entry);
    if (place < 0) continue;
    const at = next[place]!++;
    elements[at * 2] = entries[entry * 2]!;
    elements[at * 2 + 1] = entries[entry * 2 + 1]!;
  }
  return { kind: "distinct", form: "elements", offsets, elements };
}
