import type { Values } from "../../base/addresses.js";
import type { PackedOperations } from "../../operations/seal/packed.js";
import type { MemoryView } from "../memoryView.js";

const blockRows = 128;
const headBytes = 16;

export function referencePacked(view: MemoryView): PackedOperations {
  const blocksOf = (rowCount: number): number[] =>
    Array.from({ length: Math.ceil(rowCount / blockRows) }, (_, block) => block);
  const blockOf = (values: Values, block: number, rowCount: number): bigint[] =>
    Array.from({ length: Math.min(blockRows, rowCount - block * blockRows) }, (_, i) =>
      view.value(values, block * blockRows + i),
    );
  const valuesOf = (packed: number, rowCount: number): bigint[] =>
    blocksOf(rowCount).flatMap((block) => {
      const head = packed + block * headBytes;
      const words = packed + blocksOf(rowCount).length * headBytes;
      const [deltaMin, place] = [BigInt(view.u32(head + 8) | 0), view.u32(head + 12)];
      let value = view.i64(head);
      return Array.from({ length: blockRows }, (_, i) => {
        const delta = deltaMin + readBits(view, words + (place >>> 8) * 16, place & 0xff, i);
        // What stands before the first value may lie beyond 64 bits, as what stands past the last.
        value = BigInt.asIntN(64, value + delta);
        return value;
      });
    });
  return {
    measureDeltas: (heads, values, rowCount) => {
      const blocks = blocksOf(rowCount).map((block) => blockOf(values, block, rowCount));
      let words = 0;
      for (const [block, rows] of blocks.entries()) {
        if (largest(rows) - smallest(rows) >= 2n ** 30n) return -1;
        const deltas = deltasOf(rows);
        const deltaMin = deltas.length === 0 ? 0n : smallest(deltas);
        const bits = deltas.length === 0 ? 0 : bitsOf(largest(deltas) - deltaMin);
        const head = heads + block * headBytes;
        view.setI64(head, rows[0]! - deltaMin);
        view.setU32(head + 8, Number(BigInt.asUintN(32, deltaMin)));
        view.setU32(head + 12, words * 256 + bits);
        words += bits;
      }
      return words;
    },
    packDeltas: (out, heads, values, rowCount) => {
      const words = out + blocksOf(rowCount).length * headBytes;
      for (const block of blocksOf(rowCount)) {
        for (let at = 0; at < headBytes; at += 4) {
          const from = heads + block * headBytes + at;
          view.setU32(out + block * headBytes + at, view.u32(from));
        }
        const head = heads + block * headBytes;
        const [deltaMin, place] = [BigInt(view.u32(head + 8) | 0), view.u32(head + 12)];
        const [start, bits] = [words + (place >>> 8) * 16, place & 0xff];
        for (let at = 0; at < bits * 16; at += 4) view.setU32(start + at, 0);
        for (const [i, delta] of deltasOf(blockOf(values, block, rowCount)).entries()) {
          writeBits(view, start, bits, i + 1, delta - deltaMin);
        }
      }
    },
    unpackDeltas: (out, packed, rowCount, base) => {
      for (const [i, value] of valuesOf(packed, rowCount).entries()) {
        view.setValue(out, i, value - base);
      }
    },
    lowerBoundOfPacked: (packed, rowCount, bound) =>
      boundOf(valuesOf(packed, rowCount), rowCount, bound),
    lowerBoundsOfPacked: (out, packed, rowCount, bounds, count, base) => {
      const values = valuesOf(packed, rowCount);
      for (let i = 0; i < count; i++) {
        view.setU32(out + i * 4, boundOf(values, rowCount, view.i64(bounds + i * 8) - base));
      }
    },
  };
}

function boundOf(values: readonly bigint[], rowCount: number, bound: bigint): number {
  const found = values.slice(0, rowCount).findIndex((value) => value >= bound);
  return found === -1 ? rowCount : found;
}

// biome-ignore lint/complexity/useMathMinMax: Math.min does not take BigInt.
const smallest = (values: readonly bigint[]): bigint => values.reduce((a, b) => (a < b ? a : b));
// biome-ignore lint/complexity/useMathMinMax: Math.max does not take BigInt.
const largest = (values: readonly bigint[]): bigint => values.reduce((a, b) => (a > b ? a : b));
const deltasOf = (rows: readonly bigint[]): bigint[] =>
  rows.slice(1).map((value, i) => value - rows[i]!);
const bitsOf = (value: bigint): number => (value === 0n ? 0 : value.toString(2).length);

/** Bit by bit: the one place where the layout is spelled out. */
function bitAt(start: number, bits: number, i: number, bit: number): [word: number, mask: number] {
  const position = (i >> 2) * bits + bit;
  return [start + (position >> 5) * 16 + (i & 3) * 4, 1 << (position & 31)];
}

function readBits(view: MemoryView, start: number, bits: number, i: number): bigint {
  let value = 0n;
  for (let bit = 0; bit < bits; bit++) {
    const [word, mask] = bitAt(start, bits, i, bit);
    if ((view.u32(word) & mask) !== 0) value |= 1n << BigInt(bit);
  }
  return value;
}

function writeBits(view: MemoryView, start: number, bits: number, i: number, value: bigint): void {
  for (let bit = 0; bit < bits; bit++) {
    const [word, mask] = bitAt(start, bits, i, bit);
    if (((value >> BigInt(bit)) & 1n) === 1n) view.setU32(word, (view.u32(word) | mask) >>> 0);
  }
}
