export type Rounding = "floor" | "ceil" | "round";

/** value / 10^digits as a whole number: floor, ceiling, or the nearest, ties away from zero. */
export function roundScaled(fn: Rounding, value: bigint, digits: number): bigint {
  const step = 10n ** BigInt(digits);
  const quotient = value / step;
  const rest = value % step;
  if (fn === "floor") return rest < 0n ? quotient - 1n : quotient;
  if (fn === "ceil") return rest > 0n ? quotient + 1n : quotient;
  if (2n * rest >= step) return quotient + 1n;
  return 2n * rest <= -step ? quotient - 1n : quotient;
}
