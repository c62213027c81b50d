import { toThreeDigits } from "./number.js";

const units = [
  { ms: 86_400_000, name: "d" },
  { ms: 3_600_000, name: "h" },
  { ms: 60_000, name: "min" },
  { ms: 1_000, name: "s" },
] as const;

/** A measured duration: `81.2 ms`, `640 µs`, `2.4 s`, `3.1 min`. */
export function formatMs(ms: number): string {
  const size = Math.abs(ms);
  if (size === 0) return "0 ms";
  if (size < 0.0009995) return `${toThreeDigits(ms * 1e6)} ns`;
  if (size < 0.9995) return `${toThreeDigits(ms * 1_000)} µs`;
  if (size < 999.5) return `${toThreeDigits(ms)} ms`;
  const unit = units.find((candidate) => size >= candidate.ms * 0.9995) ?? units[units.length - 1];
  return `${toThreeDigits(ms / (unit?.ms ?? 1_000))} ${unit?.name ?? "s"}`;
}

const words: Readonly<Record<string, readonly [string, string]>> = {
  ms: ["millisecond", "milliseconds"],
  s: ["second", "seconds"],
  m: ["minute", "minutes"],
  h: ["hour", "hours"],
  d: ["day", "days"],
  w: ["week", "weeks"],
  mo: ["month", "months"],
  q: ["quarter", "quarters"],
  y: ["year", "years"],
};

/** A written duration in words: `3h` → `3 hours`, `1w` → `1 week`; other text stays as it is. */
export function durationInWords(text: string): string {
  const match = /^(\d+)(ms|s|m|h|d|w|mo|q|y)$/.exec(text.trim());
  if (match === null) return text;
  const [one, many] = words[match[2] ?? ""] ?? ["", ""];
  return `${match[1]} ${match[1] === "1" ? one : many}`;
}

/** The shortest exact writing of a length: 10,800,000 → `3h`. */
export function printDuration(ms: number): string {
  if (ms % 604_800_000 === 0) return `${ms / 604_800_000}w`;
  if (ms % 86_400_000 === 0) return `${ms / 86_400_000}d`;
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000}h`;
  if (ms % 60_000 === 0) return `${ms / 60_000}m`;
  return ms % 1_000 === 0 ? `${ms / 1_000}s` : `${ms}ms`;
}
