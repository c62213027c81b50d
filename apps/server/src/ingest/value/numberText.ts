import { decimalsDefault } from "@hadal/sdk";

/** A JSON number that a double cannot represent exactly, as its text. */
export class NumberText {
  constructor(readonly text: string) {}
}

/** `value` is the integer, or trunc(x · 10^decimals) of a number with a fraction. */
export interface StoredNumber {
  readonly fraction: boolean;
  readonly value: bigint;
}

const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;
/** int64 has at most 19 digits. */
const digitsMax = 19;

/** Reads a JSON number digit by digit; null when it does not fit 64 bits. */
export function readNumberText(text: string, decimals = decimalsDefault): StoredNumber | null {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (match === null) return null;
  const whole = match[2]!;
  const all = whole + (match[3] ?? "");
  const firstIndex = all.search(/[1-9]/);
  if (firstIndex < 0) return { fraction: false, value: 0n };
  const digits = withoutZeros(all.slice(firstIndex));
  // The number is 0.digits · 10^point.
  const point = whole.length - firstIndex + Number(match[4] ?? 0);
  const fraction = digits.length > point;
  const wholeDigits = fraction ? point + decimals : point;
  if (wholeDigits > digitsMax) return null;
  if (wholeDigits <= 0) return { fraction, value: 0n };
  const size = BigInt(digits.slice(0, wholeDigits).padEnd(wholeDigits, "0"));
  const value = match[1] === "-" ? -size : size;
  return fitsInt64(value) ? { fraction, value } : null;
}

/** Those at the end. A pattern would try from every zero on. */
function withoutZeros(digits: string): string {
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 0x30) end--;
  return digits.slice(0, end);
}

/**
 * trunc(x · 10^decimals) where that is a safe integer and certainly exact, else null. A product
 * that divides back to the same double has the same shortest decimal, which for 15 digits is the
 * text that was sent.
 */
export function scaleFraction(x: number, decimals = decimalsDefault): number | null {
  // Exact up to 10^22.
  const scale = 10 ** decimals;
  const scaled = Math.round(x * scale);
  return Math.abs(scaled) < 1e15 && scaled / scale === x ? scaled : null;
}

/** An integer at the scale of a column with decimals; null when it does not fit 64 bits. */
export function scaleInteger(value: bigint, decimals: number): bigint | null {
  const scaled = value * 10n ** BigInt(decimals);
  return fitsInt64(scaled) ? scaled : null;
}

function fitsInt64(value: bigint): boolean {
  return value >= int64Min && value <= int64Max;
}
