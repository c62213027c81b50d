/**
 * An integer stored with `decimals` digits behind the point, as people write it: (3500000, 6) →
 * "3.5".
 */
export function printDecimal(stored: bigint, decimals: number): string {
  if (decimals === 0) return stored.toString();
  const sign = stored < 0n ? "-" : "";
  const digits = (stored < 0n ? -stored : stored).toString().padStart(decimals + 1, "0");
  const fraction = digits.slice(-decimals).replace(/0+$/, "");
  const whole = `${sign}${digits.slice(0, -decimals)}`;
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

/**
 * Changes the scale of a stored integer, truncating toward zero when digits are dropped. May leave
 * 64 bits.
 */
export function rescale(stored: bigint, from: number, to: number): bigint {
  if (to >= from) return stored * 10n ** BigInt(to - from);
  return stored / 10n ** BigInt(from - to);
}

export const int64Min = -(2n ** 63n);
export const int64Max = 2n ** 63n - 1n;

export function fitsInt64(value: bigint): boolean {
  return value >= int64Min && value <= int64Max;
}

interface IntegerRange {
  readonly min: bigint;
  readonly max: bigint;
}

const float32IntegersMax = 2n ** 24n;

/** Whether every integer in the range is a 32-bit float. */
export function fitsFloat32({ min, max }: IntegerRange): boolean {
  return min >= -float32IntegersMax && max <= float32IntegersMax;
}

/** Whether there is an integer in the range, and every one is unsigned of 32 bits. */
export function fitsUint32({ min, max }: IntegerRange): boolean {
  return min >= 0n && min <= max && max < 2n ** 32n;
}
