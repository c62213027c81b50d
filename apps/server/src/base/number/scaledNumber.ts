/** Below this, the product with a power of ten is precise enough to differ from its neighbours. */
const exactMax = 1e15;
/** A product at least this far from a whole number is truncated as its digits would be. */
const surelyApart = 0.25;
const two63 = 2 ** 63;

/**
 * A double as a scaled integer, from its shortest decimal text, truncated toward zero: the stored form of a row's number.
 * A bigint if a number would not be exact; null if it is not finite or exceeds 64 bits.
 */
export function scaledNumber(value: number, decimals: number): number | bigint | null {
  if (!Number.isFinite(value)) return null;
  if (decimals === 0) {
    const whole = Math.trunc(value);
    if (Number.isSafeInteger(whole)) return whole === 0 ? 0 : whole;
    return whole >= -two63 && whole < two63 ? BigInt(whole) : null;
  }
  const factor = 10 ** decimals;
  const product = value * factor;
  if (Math.abs(product) < exactMax) {
    const nearest = Math.round(product);
    if (nearest / factor === value) return nearest === 0 ? 0 : nearest;
    if (Math.abs(product - nearest) > surelyApart) return Math.trunc(product) + 0;
  }
  return scaledDigits(value, decimals);
}

function scaledDigits(value: number, decimals: number): number | bigint | null {
  const [mantissa = "", exponent = "0"] = value.toString().split("e");
  const negative = mantissa.startsWith("-");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const point = whole.length + Number(exponent) + decimals;
  const digits = whole + fraction;
  const scaled = point <= 0 ? 0n : BigInt(digits.slice(0, point).padEnd(point, "0"));
  const signed = negative ? -scaled : scaled;
  if (signed < -(2n ** 63n) || signed >= 2n ** 63n) return null;
  const near = Number(signed);
  return Number.isSafeInteger(near) ? near + 0 : signed;
}
