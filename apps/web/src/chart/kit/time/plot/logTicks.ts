/** Of bytes the powers are those of 2: 512 KiB, 1 MiB. */
const isBinary = (unit: string | undefined): boolean => unit === "bytes";

/** At most this many grid lines. */
const ticksMax = 8;

/** The round number (1, 2 or 5 × 10^n) at or beyond a positive value. */
export function roundPower(value: number, unit: string | undefined, way: "up" | "down"): number {
  const base = isBinary(unit) ? 2 : 10;
  const power = powerBelow(value, base);
  const rounds = (isBinary(unit) ? [1, 2] : [1, 2, 5, 10]).map((one) => one * base ** power);
  const found =
    way === "up"
      ? rounds.find((round) => round >= value * 0.999999)
      : rounds.findLast((round) => round <= value * 1.000001);
  return found ?? value;
}

/** Round numbers between the ends of a logarithmic axis, as many as fit. */
export function logTicks(floor: number, ceiling: number, unit: string | undefined): number[] {
  const base = isBinary(unit) ? 2 : 10;
  const [first, last] = [powerBelow(floor, base), powerBelow(ceiling, base)];
  const powers = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const isWithin = (value: number): boolean =>
    value >= floor * 0.999999 && value <= ceiling * 1.000001;
  const fine = powers
    .flatMap((power) => [1, 2, 5].map((one) => one * 10 ** power))
    .filter(isWithin);
  if (!isBinary(unit) && fine.length <= ticksMax) return fine;
  const coarse = powers.map((power) => base ** power).filter(isWithin);
  const every = Math.ceil(coarse.length / ticksMax);
  return coarse.filter((_, i) => i % every === 0);
}

/** Logarithms of round numbers miss them by their last digit. */
const powerBelow = (value: number, base: number): number =>
  Math.floor(Math.log(value) / Math.log(base) + 1e-9);
