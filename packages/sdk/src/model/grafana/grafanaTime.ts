import { HadalError } from "../problem/problem.js";
import { resolveTime } from "../time/parseTime.js";
import { findTimeZone } from "../time/timeZone.js";

const units: Readonly<Record<string, string>> = {
  ...{ s: "s", m: "m", h: "h", d: "d", w: "w", M: "mo", Q: "q", y: "y" },
};

/**
 * A time of Grafana: `now-6h` is `-6h`, `now-1d/d` the start of the day before. null: it has no
 * equivalent.
 */
export function timeOfGrafana(value: unknown): string | null {
  if (typeof value === "number") return readable(String(value));
  if (typeof value !== "string") return null;
  const relative = /^now(?:([+-]\d{1,6})([a-zA-Z]))?(?:\/([a-zA-Z]))?$/.exec(value.trim());
  if (relative === null) return readable(value.trim());
  const [, count, unit, rounded] = relative;
  const [step, bucket] = [unitOf(unit), unitOf(rounded)];
  if (step === null || bucket === null) return null;
  const sign = count?.startsWith("+") === true ? "now" : "";
  const start = count === undefined ? "now" : `${sign}${count}${step}`;
  return readable(bucket === "" ? start : `${start}/1${bucket}`);
}

/** "" where there is none; null where there is no such unit here. */
function unitOf(unit: string | undefined): string | null {
  if (unit === undefined) return "";
  return Object.hasOwn(units, unit) ? (units[unit] ?? null) : null;
}

function readable(text: string): string | null {
  try {
    resolveTime(text, 0);
    return text;
  } catch (error) {
    if (error instanceof HadalError) return null;
    throw error;
  }
}

/** `browser` and absent are the reader's own: null. undefined: it has no equivalent. */
export function zoneOfGrafana(value: unknown): string | null | undefined {
  if (value === undefined || value === null || value === "" || value === "browser") return null;
  if (typeof value !== "string") return undefined;
  const name = value.toLowerCase() === "utc" ? "UTC" : value;
  try {
    findTimeZone(name);
    return name;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
