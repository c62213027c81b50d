import type { KeyAnswer } from "../task/scanAnswer.js";
import type { ComponentTask, GroupTable, SideTask } from "../task/scanTask.js";

type StridedSide = SideTask & {
  readonly table: Extract<GroupTable, { readonly strides: readonly number[] }>;
};

/** The keys of some groups, out of those of all. */
export function packedKeysOf(keys: Uint32Array, groups: Uint32Array): Uint32Array {
  const taken = new Uint32Array(groups.length);
  for (let i = 0; i < taken.length; i++) taken[i] = keys[groups[i]!]!;
  return taken;
}

/** Takes packed keys, sums of components times strides, apart again. */
export function writePackedKeys(
  { table, components }: StridedSide,
  keys: readonly KeyAnswer[],
  packed: Uint32Array,
): void {
  components.forEach((component, index) => {
    writeParts(keys[index]!, component, packed, table.strides[index]!);
  });
}

/**
 * One component's part of packed keys: every `stride` keys it is one more. A loop for each kind,
 * without a call for each group.
 */
function writeParts(
  key: KeyAnswer,
  component: ComponentTask,
  packed: Uint32Array,
  stride: number,
): void {
  const cardinality = Number(component.cardinality);
  if (key.kind === "int") {
    writeInts(key, component, packed, stride);
    return;
  }
  const out = key.kind === "bucket" ? key.indexes : key.codes;
  for (let i = 0; i < packed.length; i++) out[i] = ((packed[i]! / stride) >>> 0) % cardinality;
}

/** Numbers between which sums with a key are exact in an f64. */
const exactMax = 2n ** 52n;

/** Part 0 is the missing integer. */
function writeInts(
  { values, present }: Extract<KeyAnswer, { kind: "int" }>,
  component: ComponentTask,
  packed: Uint32Array,
  stride: number,
): void {
  if (component.kind !== "ints") throw new Error("integers come of a component of another kind");
  const { base } = component;
  const cardinality = Number(component.cardinality);
  const isExact = base > -exactMax && base < exactMax;
  const halves = new Int32Array(values.buffer, 0, values.length * 2);
  const below = Number(base) - 1;
  for (let i = 0; i < packed.length; i++) {
    const part = ((packed[i]! / stride) >>> 0) % cardinality;
    if (part === 0) continue;
    present[i] = 1;
    if (isExact) {
      const value = below + part;
      halves[2 * i] = value;
      halves[2 * i + 1] = Math.floor(value / 2 ** 32);
    } else values[i] = base + BigInt(part) - 1n;
  }
}
