const units = [
  { ms: 86_400_000, name: "day" },
  { ms: 3_600_000, name: "hour" },
  { ms: 60_000, name: "minute" },
  { ms: 1_000, name: "second" },
  { ms: 1, name: "millisecond" },
] as const;

/** A length in the largest unit that it is a multiple of: `7 days`, `90 minutes`. */
export function lengthInWords(lengthMs: number): string {
  const unit = units.find(({ ms }) => lengthMs % ms === 0) ?? units[units.length - 1]!;
  const count = lengthMs / unit.ms;
  return `${count} ${unit.name}${count === 1 ? "" : "s"}`;
}
