import { roundScaled } from "./roundScaled.js";

/** An exact decimal number: digits ÷ 10^scale. */
export interface ExactDecimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** More digits than int64 columns can distinguish, and few enough for fast BigInt. */
const textLengthMax = 400;
const pattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

/** Reads `-12.50`, `1e3`, `.5`; null when it is not a number. */
export function parseExactDecimal(text: string): ExactDecimal | null {
  if (text.length > textLengthMax) return null;
  const match = pattern.exec(text);
  if (match === null) return null;
  const [, sign, whole = "", fraction = "", exponent = "0"] = match;
  if (whole === "" && fraction === "") return null;
  const magnitude = BigInt(`${whole}${fraction}`);
  const digits = sign === "-" ? -magnitude : magnitude;
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/** The number without its fraction; null if the text is no number or exceeds 64 bits. */
export function integerOfText(text: string): bigint | null {
  const exact = parseExactDecimal(text.trim());
  if (exact === null) return null;
  const value = exact.digits / 10n ** BigInt(exact.scale);
  return BigInt.asIntN(64, value) === value ? value : null;
}

/** The number of a text, rounded to `decimals` and scaled to an integer; null if it is no number or exceeds 64 bits. */
export function decimalOfText(text: string, decimals: number): bigint | null {
  const exact = parseExactDecimal(text.trim());
  if (exact === null) return null;
  const { digits, scale } = exact;
  const value =
    decimals >= scale
      ? digits * 10n ** BigInt(decimals - scale)
      : roundScaled("round", digits, scale - decimals);
  return BigInt.asIntN(64, value) === value ? value : null;
}

/** The largest whole number of 10^-decimals that is not above the value; `exact` when it equals it. */
export function floorScaled(
  value: ExactDecimal,
  decimals: number,
): { readonly floor: bigint; readonly exact: boolean } {
  if (decimals >= value.scale) {
    return { floor: value.digits * 10n ** BigInt(decimals - value.scale), exact: true };
  }
  const divisor = 10n ** BigInt(value.scale - decimals);
  const quotient = value.digits / divisor;
  const exact = quotient * divisor === value.digits;
  // BigInt division truncates toward zero: one lower for a negative value with a remainder.
  return { floor: value.digits < 0n && !exact ? quotient - 1n : quotient, exact };
}
