import { decimalsDefault } from "@hadal/sdk";
import type { Data, DataType } from "apache-arrow";
import { scaleFraction } from "../../value/numberText.js";
import { nearNumbers } from "./arrowRows.js";
import { type BuildRun, intColumnOf, presenceOfRun, type RowRun } from "./arrowRun.js";

const two32 = 2 ** 32;
const scale = 10 ** decimalsDefault;
/** The largest integer whose product with the scale is a safe integer. */
const scalableMax = Math.floor(Number.MAX_SAFE_INTEGER / scale);

type SmallInts = Int8Array | Int16Array | Int32Array | Uint8Array | Uint16Array | Uint32Array;
type LargeInts = BigInt64Array | BigUint64Array;
type Floats = Float32Array | Float64Array;

const isLarge = (values: unknown): values is LargeInts =>
  values instanceof BigInt64Array || values instanceof BigUint64Array;

/** Integers of any width. Unsigned ones beyond 63 bits are refused cell by cell. */
export function buildInts(data: Data<DataType>, values: SmallInts | LargeInts): BuildRun {
  return (name, run) => {
    const presence = presenceOfRun(data, run);
    const built = isLarge(values) ? largeInts(values, run) : smallInts(values, run);
    return built === null ? null : intColumnOf({ name, decimals: 0 }, built, presence);
  };
}

/** Numbers times a factor, where all products are safe integers. */
export function buildProducts(
  data: Data<DataType>,
  values: Int32Array | BigInt64Array,
  factor: number,
): BuildRun {
  if (factor === 1 && values instanceof BigInt64Array) return buildInts(data, values);
  const numberAt = nearNumbers(values);
  return (name, run) => {
    const presence = presenceOfRun(data, run);
    const { present } = presence;
    const built = new BigInt64Array(run.count);
    const halves = halvesOf(built);
    for (let i = 0; i < run.count; i++) {
      if (present !== null && present[i] === 0) continue;
      const x = numberAt(run.from + i) * factor;
      if (!Number.isSafeInteger(x)) return null;
      writeSafe(halves, i, x);
    }
    return intColumnOf({ name, decimals: 0 }, built, presence);
  };
}

/**
 * Whole numbers, or fractions that {@link scaleFraction} can scale. NaN is missing, as JSON has no
 * word for it.
 */
export function buildFloats(data: Data<DataType>, values: Floats): BuildRun {
  return (name, run) => {
    const present = presenceOfRun(data, run).present ?? new Uint8Array(run.count).fill(1);
    const built = new BigInt64Array(run.count);
    const halves = halvesOf(built);
    let [count, fractions] = [0, 0];
    for (let i = 0; i < run.count; i++) {
      if (present[i] === 0) continue;
      const x = values[run.from + i]!;
      if (Number.isNaN(x)) {
        present[i] = 0;
        continue;
      }
      count++;
      if (Number.isSafeInteger(x)) {
        writeSafe(halves, i, x);
        continue;
      }
      const scaled = scaleFraction(x);
      if (scaled === null) return null;
      fractions++;
      writeSafe(halves, i, scaled);
    }
    if (fractions > 0 && !scaleWhole(values, run, present, halves)) return null;
    const presence = { count, present: count === run.count ? null : present };
    return intColumnOf({ name, decimals: fractions > 0 ? decimalsDefault : 0 }, built, presence);
  };
}

/** Scales the whole numbers among fractions; false: one is too large for it. */
function scaleWhole(
  values: Floats,
  { from, count }: RowRun,
  present: Uint8Array,
  halves: Int32Array,
): boolean {
  for (let i = 0; i < count; i++) {
    const x = values[from + i]!;
    if (present[i] === 0 || !Number.isSafeInteger(x)) continue;
    if (x > scalableMax || x < -scalableMax) return false;
    writeSafe(halves, i, x * scale);
  }
  return true;
}

function largeInts(values: LargeInts, { from, count }: RowRun): BigInt64Array | null {
  const { buffer, byteOffset } = values;
  const signed = new BigInt64Array(buffer, byteOffset + 8 * from, count).slice();
  if (values instanceof BigInt64Array) return signed;
  const halves = halvesOf(signed);
  for (let i = 0; i < count; i++) if (halves[2 * i + 1]! < 0) return null;
  return signed;
}

function smallInts(values: SmallInts, { from, count }: RowRun): BigInt64Array {
  const built = new BigInt64Array(count);
  const halves = halvesOf(built);
  // A loop for each kind: over arrays of several kinds it would be many times as slow.
  if (values instanceof Int32Array)
    for (let i = 0; i < count; i++) {
      const x = values[from + i]!;
      halves[2 * i] = x;
      halves[2 * i + 1] = x >> 31;
    }
  else if (values instanceof Uint32Array)
    for (let i = 0; i < count; i++) halves[2 * i] = values[from + i]!;
  else
    for (let i = 0; i < count; i++) {
      const x = values[from + i]!;
      halves[2 * i] = x;
      halves[2 * i + 1] = x >> 31;
    }
  return built;
}

const halvesOf = ({ buffer, byteOffset, length }: BigInt64Array): Int32Array =>
  new Int32Array(buffer, byteOffset, 2 * length);

function writeSafe(halves: Int32Array, at: number, x: number): void {
  halves[2 * at] = x | 0;
  halves[2 * at + 1] = Math.floor(x / two32);
}
