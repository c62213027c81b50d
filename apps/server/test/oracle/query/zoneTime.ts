/** Wall clocks by Intl, slowly: the oracles' own, so that no line is shared with the engine under test. */
const formats = new Map<string, Intl.DateTimeFormat>();

const quarterMs = 900_000;
/** By zone and quarter of an hour, how far its clocks are from UTC; null where they are set in the middle of it. */
const offsets = new Map<string, Map<number, number | null>>();

/** What the clocks of the zone show at an instant, as if it were UTC. */
export function localOf(timeMs: number, timeZone: string): number {
  if (timeZone === "UTC") return timeMs;
  const known = offsets.get(timeZone) ?? new Map<number, number | null>();
  offsets.set(timeZone, known);
  const quarter = Math.floor(timeMs / quarterMs);
  const found = known.get(quarter);
  const offset = found === undefined ? offsetOf(quarter, timeZone) : found;
  known.set(quarter, offset);
  return offset === null ? clocksAt(timeMs, timeZone) : timeMs + offset;
}

function offsetOf(quarter: number, timeZone: string): number | null {
  const [first, last] = [quarter * quarterMs, (quarter + 1) * quarterMs - 1].map(
    (timeMs) => clocksAt(timeMs, timeZone) - timeMs,
  );
  return first === last ? first! : null;
}

function clocksAt(timeMs: number, timeZone: string): number {
  const parts = new Map(
    formatFor(timeZone)
      .formatToParts(timeMs)
      .map((part) => [part.type, Number(part.value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const secondMs = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return secondMs + (((timeMs % 1000) + 1000) % 1000);
}

/** The first instant at which the clocks show `localMs` or, where it is skipped, would have. */
export function instantOf(localMs: number, timeZone: string): number {
  const nearOffsets = [-1, 1].map((days) => {
    const near = localMs + days * 86_400_000;
    return localOf(near, timeZone) - near;
  });
  const candidates = nearOffsets.map((offset) => localMs - offset).sort((a, b) => a - b);
  const exact = candidates.find((candidate) => localOf(candidate, timeZone) === localMs);
  return exact ?? localMs - Math.min(...nearOffsets);
}

/** Whether the clocks of the zone are set forward or back within a range. */
export function clocksChange(fromMs: number, toMs: number, timeZone: string): boolean {
  const offset = localOf(fromMs, timeZone) - fromMs;
  for (let at = fromMs; at < toMs; at += 3_600_000) {
    if (localOf(at, timeZone) - at !== offset) return true;
  }
  return localOf(toMs, timeZone) - toMs !== offset;
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  formats.set(timeZone, format);
  return format;
}
