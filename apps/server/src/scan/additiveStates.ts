import type { KernelOperations } from "@hadal/kernel-wasm";
import { timeColumn } from "@hadal/sdk";
import { countOf } from "../aggregate/countState.js";
import type { PartialResult, PartialSide, StateColumn } from "../aggregate/partialResult.js";
import { exactSumOf } from "../aggregate/sumState.js";
import { decodeInts } from "../column/intEncodings.js";
import type { IntColumn, SegmentColumn } from "../column/segmentColumn.js";
import type { AdditivePart } from "../plan/additiveFunction.js";
import type { BoundColumn, ResolvedQuery, StateSpec } from "../plan/resolvedQuery.js";
import { type SegmentView, segmentRowsMax, timesOf } from "../store/segmentView.js";
import type { QueryMemory } from "./queryMemory.js";

/** A user's function over rows whose state is sums: as these it is gathered, like any other. */
export interface AdditiveState {
  readonly columns: readonly BoundColumn[];
  readonly parts: readonly AdditivePart[];
  /** Place among the query's states. */
  readonly stateIndex: number;
}

/** The functions among the states, when sums give all of them and each product on the way is exact; null: at least one has to run. Sums are made of stored columns only. */
export function additiveStates(
  { states, derived = [] }: Pick<ResolvedQuery, "states" | "derived">,
  segments: readonly SegmentView[],
): readonly AdditiveState[] | null {
  const found: AdditiveState[] = [];
  for (const [stateIndex, spec] of states.entries()) {
    if (spec.kind !== "function") continue;
    if (spec.additive === undefined) return null;
    if (spec.columns.some((column) => derived.some(({ name }) => name === column.name)))
      return null;
    const one = { columns: spec.columns, parts: spec.additive, stateIndex };
    if (!isExact(one, segments)) return null;
    found.push(one);
  }
  return found.length === 0 ? null : found;
}

/** Products of whole numbers are exact as doubles below it. */
const exactMax = 2n ** 53n;

/** States of the leaf in place of the query's: an additive function has as many as it has parts. */
export function innerStates(
  states: readonly StateSpec[],
  additive: readonly AdditiveState[],
): readonly StateSpec[] {
  return states.flatMap((spec, index) => {
    const one = additive.find(({ stateIndex }) => stateIndex === index);
    if (one === undefined) return [spec];
    return one.parts.map(({ factors }, part): StateSpec => {
      const column = partName(index, part);
      if (factors.length === 0) return { kind: "present", column, weighted: true };
      return { kind: "sum", column, decimals: decimalsOf(one, part) };
    });
  });
}

/** Whether the products of every row of these segments are exact. */
function isExact({ columns, parts }: AdditiveState, segments: readonly SegmentView[]): boolean {
  return segments.every((segment) => {
    const stored = columns.map((column) => columnOf(column, segment));
    return parts.every(({ factors }) => {
      const magnitude = factors.reduce((product, factor) => {
        const column = stored[factor];
        return column?.kind === "int" ? product * magnitudeOf(column) : 0n;
      }, 1n);
      return factors.length < 2 || magnitude < exactMax;
    });
  });
}

/** Columns of a segment that the inner states read. */
export class AdditiveColumns {
  readonly #left = new Float64Array(segmentRowsMax);
  readonly #right = new Float64Array(segmentRowsMax);
  /** Where an encoded column is made plain before its values are copied. */
  readonly #room: number;

  /** `whole` holds for the whole query. */
  constructor(
    private readonly kernel: KernelOperations,
    private readonly memory: WebAssembly.Memory,
    whole: QueryMemory,
  ) {
    this.#room = whole.allocate(segmentRowsMax * 8);
  }

  /** None where the segment lacks a column: no row of it has all. */
  add(
    state: AdditiveState,
    segment: SegmentView,
    own: Map<string, SegmentColumn>,
    memory: QueryMemory,
  ): void {
    const columns: IntColumn[] = [];
    for (const wanted of state.columns) {
      const column = columnOf(wanted, segment);
      if (column?.kind !== "int") return;
      columns.push(column);
    }
    const present = this.#presentInAll(columns, segment.rowCount, memory);
    state.parts.forEach(({ factors }, part) => {
      const [first = 0, second] = factors;
      const column =
        second === undefined
          ? { ...columns[first]!, present }
          : this.#product(columns[first]!, columns[second]!, present, segment.rowCount, memory);
      own.set(partName(state.stateIndex, part), column);
    });
  }

  #presentInAll(columns: readonly IntColumn[], rowCount: number, memory: QueryMemory): number {
    const bitmaps = new Set(columns.map(({ present }) => present).filter((one) => one !== 0));
    const [first = 0, ...more] = bitmaps;
    if (more.length === 0) return first;
    const all = memory.bitmap(rowCount);
    this.kernel.selectRows(all, rowCount, 0, rowCount);
    for (const bitmap of bitmaps) this.kernel.andInto(all, bitmap, rowCount);
    return all;
  }

  /** Narrow where its values allow it: fewer bytes are summed sooner. */
  #product(
    a: IntColumn,
    b: IntColumn,
    present: number,
    rowCount: number,
    memory: QueryMemory,
  ): IntColumn {
    const left = this.#values(a, rowCount, this.#left);
    const right = a === b ? left : this.#values(b, rowCount, this.#right);
    const { min, max } = productRange(a, b);
    const isNarrow = max - min < 2n ** 32n;
    const width = isNarrow ? 4 : 8;
    const address = memory.allocate(rowCount * width);
    const decimals = a.decimals + b.decimals;
    const column = { kind: "int", decimals, encoded: null, present, min, max } as const;
    if (isNarrow) {
      const base = Number(min);
      const out = new Uint32Array(this.memory.buffer, address, rowCount);
      for (let i = 0; i < rowCount; i++) out[i] = left[i]! * right[i]! - base;
      return { ...column, values: { address, width }, base: min };
    }
    const words = new Int32Array(this.memory.buffer, address, rowCount * 2);
    for (let i = 0; i < rowCount; i++) {
      const product = left[i]! * right[i]!;
      words[i * 2] = product % 2 ** 32;
      words[i * 2 + 1] = Math.floor(product / 2 ** 32);
    }
    return { ...column, values: { address, width }, base: 0n };
  }

  /** Rows without a value have anything. */
  #values(column: IntColumn, rowCount: number, out: Float64Array): Float64Array {
    const { encoded, base } = column;
    let { values } = column;
    if (encoded !== null) {
      values = { address: this.#room, width: values.width };
      decodeInts(this.kernel, values, encoded, rowCount);
    }
    const { address, width } = values;
    const { buffer } = this.memory;
    if (width === 0) out.fill(0, 0, rowCount);
    else if (width === 1) out.set(new Uint8Array(buffer, address, rowCount));
    else if (width === 2) out.set(new Uint16Array(buffer, address, rowCount));
    else if (width === 4) out.set(new Uint32Array(buffer, address, rowCount));
    else if (width === 3) {
      const bytes = new Uint8Array(buffer, address, rowCount * 3);
      for (let i = 0, at = 0; i < rowCount; i++, at += 3) {
        out[i] = bytes[at]! + bytes[at + 1]! * 0x100 + bytes[at + 2]! * 0x1_0000;
      }
    } else {
      const words = new Int32Array(buffer, address, rowCount * 2);
      // Exact: what a present row has here with its base is below 2^53.
      for (let i = 0; i < rowCount; i++) {
        out[i] = Number(base + (BigInt(words[i * 2 + 1]!) << 32n) + BigInt(words[i * 2]! >>> 0));
      }
      return out;
    }
    const offset = Number(base);
    if (offset !== 0) for (let i = 0; i < rowCount; i++) out[i] = out[i]! + offset;
    return out;
  }
}

function productRange(a: IntColumn, b: IntColumn): { readonly min: bigint; readonly max: bigint } {
  let min = a.min * b.min;
  let max = min;
  for (const corner of [a.min * b.max, a.max * b.min, a.max * b.max]) {
    if (corner < min) min = corner;
    if (corner > max) max = corner;
  }
  return { min, max };
}

/** The states that the query asks for, out of those that were gathered. */
export function foldAdditive(
  partial: PartialResult,
  states: readonly StateSpec[],
  additive: readonly AdditiveState[],
): PartialResult {
  if (additive.length === 0) return partial;
  return { ...partial, sides: partial.sides.map((side) => foldSide(side, states, additive)) };
}

function foldSide(
  side: PartialSide,
  states: readonly StateSpec[],
  additive: readonly AdditiveState[],
): PartialSide {
  let at = 0;
  const folded = states.map((_, index): StateColumn => {
    const one = additive.find(({ stateIndex }) => stateIndex === index);
    if (one === undefined) return side.states[at++]!;
    const own = side.states.slice(at, at + one.parts.length);
    at += one.parts.length;
    const texts = Array.from({ length: side.groupCount }, (_, group) => [
      printState(one, own, group),
    ]);
    return { kind: "function", states: texts };
  });
  return { ...side, states: folded };
}

/** As the sandbox would print the state. */
function printState(state: AdditiveState, columns: readonly StateColumn[], group: number): string {
  const parts = state.parts.map(({ name, factors }, part) => {
    const column = columns[part]!;
    if (factors.length === 0) return `${JSON.stringify(name)}:${countOf(column, group)}`;
    const sum = exactSumOf(column, group);
    // Further than a double is exact, and so far beyond 64 bits that nobody knows it.
    const value = sum === "overflow" ? Number.NaN : Number(sum) / 10 ** decimalsOf(state, part);
    return `${JSON.stringify(name)}:${JSON.stringify(value)}`;
  });
  return `{${parts.join(",")}}`;
}

function decimalsOf({ columns, parts }: AdditiveState, part: number): number {
  const { factors } = parts[part]!;
  return factors.reduce((sum, factor) => sum + columns[factor]!.decimals, 0);
}

/** No column of a table can be called so. */
const partName = (stateIndex: number, part: number): string => `\u0000sum ${stateIndex} ${part}`;

const magnitudeOf = ({ min, max }: IntColumn): bigint => {
  if (min > max) return 0n;
  const low = min < 0n ? -min : min;
  const high = max < 0n ? -max : max;
  return low > high ? low : high;
};

function columnOf({ name }: BoundColumn, segment: SegmentView): SegmentColumn | undefined {
  if (name !== timeColumn) return segment.columns.get(name);
  const zone = { min: BigInt(segment.minMs), max: BigInt(segment.maxMs) };
  return { kind: "int", decimals: 0, present: 0, ...zone, ...timesOf(segment) };
}
