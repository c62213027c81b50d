import { formatMs } from "./duration.js";
import { formatCompact, formatExact, type Numeric, toThreeDigits } from "./number.js";

/** Unit of a column's numbers. */
export interface Measure {
  /** ns, us, ms, s, bytes, percent or times; anything else is a plain number. */
  readonly unit?: string | undefined;
  /** For a rate: second, minute or hour. */
  readonly per?: string | undefined;
  /** Share of the rows that answered, if rows are missing and every number is a lower bound. */
  readonly shareOfRows?: number;
}

const msPerUnit: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, ms: 1, s: 1_000 };
const unitText: Readonly<Record<string, string>> = { us: "µs", percent: "%", times: "×" };
const perText: Readonly<Record<string, string>> = { second: "/s", minute: "/min", hour: "/h" };
const byteSteps = [
  { from: 2 ** 60, name: "EiB" },
  { from: 2 ** 50, name: "PiB" },
  { from: 2 ** 40, name: "TiB" },
  { from: 2 ** 30, name: "GiB" },
  { from: 2 ** 20, name: "MiB" },
  { from: 2 ** 10, name: "KiB" },
] as const;

/** A number to read: `12.4 k`, `81.2 ms` of microseconds, `3.4 MiB`, `210 /min`. */
export function formatMeasure(value: Numeric | null, measure: Measure): string {
  if (value === null) return "–";
  const suffix = measure.per === undefined ? "" : ` ${perText[measure.per] ?? `/${measure.per}`}`;
  return `${formatUnit(value, measure.unit)}${suffix}`;
}

/** The full value as it is stored, with its unit: `81 234 us`. */
export function formatMeasureExact(value: Numeric | null, measure: Measure): string {
  if (value === null) return "missing";
  const unit = measure.unit === undefined ? "" : ` ${unitText[measure.unit] ?? measure.unit}`;
  const suffix = measure.per === undefined ? "" : ` ${perText[measure.per] ?? `/${measure.per}`}`;
  return `${formatExact(value)}${unit}${suffix}`;
}

/** A range: `10 – 20 ms`, `500 µs – 1 ms`, `below 5`, `100 and more`; a null bound is open. */
export function formatSpan(low: Numeric | null, high: Numeric | null, measure: Measure): string {
  const text = (value: Numeric) => formatMeasure(value, measure);
  if (low === null) return high === null ? "any" : `below ${text(high)}`;
  if (high === null) return `${text(low)} and more`;
  const [from, to] = [text(low), text(high)];
  // Bounds that are equal at three digits are written in full.
  if (from === to) return `${formatExact(low)} – ${formatMeasureExact(high, measure)}`;
  const unit = / \S+$/.exec(to)?.[0] ?? "";
  // A common unit is written once.
  return `${unit !== "" && from.endsWith(unit) ? from.slice(0, -unit.length) : from} – ${to}`;
}

/** `3.4 MiB`, `812 B`. */
export function formatBytes(value: Numeric): string {
  const number = Number(value);
  const step = byteSteps.find((candidate) => Math.abs(number) >= candidate.from * 0.9995);
  return step === undefined
    ? `${toThreeDigits(number)} B`
    : `${toThreeDigits(number / step.from)} ${step.name}`;
}

function formatUnit(value: Numeric, unit: string | undefined): string {
  if (unit === undefined) return formatCompact(value);
  if (unit === "bytes") return formatBytes(value);
  if (unit === "percent") return `${formatCompact(value)} %`;
  if (unit === "times") return `${formatCompact(value)}×`;
  const ms = msPerUnit[unit];
  return ms === undefined ? formatCompact(value) : formatMs(Number(value) * ms);
}
