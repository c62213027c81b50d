/** A stretch of time, [fromMs, toMs), in which a zone's clock is `offsetMs` ahead of UTC. */
export interface OffsetSpan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly offsetMs: number;
}

export interface TimeZone {
  readonly name: string;
  offsetMs(atMs: number): number;
  /** Spans that cover [fromMs, toMs), in order. */
  spans(fromMs: number, toMs: number): OffsetSpan[];
}

const dayMs = 86_400_000;
/** Clocks have been changed for less than a month (Ramadan), never for less than a week. */
const probeMs = 7 * dayMs;
/** Before this no zone changes its clock; local mean time applies. */
const firstYear = 1840;
/** No one's rules reach so far: the offset of that time is kept for ever. */
const lastYear = 2500;
const firstMs = Date.UTC(firstYear, 0, 1);
const lastMs = Date.UTC(lastYear, 0, 1);

const zones = new Map<string, TimeZone>();

/**
 * The zone of that IANA name; throws RangeError when there is none. Kept, for looking up offsets is
 * slow.
 */
export function findTimeZone(name: string): TimeZone {
  const known = zones.get(name);
  if (known !== undefined) return known;
  const zone = createTimeZone(name);
  // There are about 600 zones; spellings that differ in case are as many more as people try.
  if (zones.size < 2_000) zones.set(name, zone);
  return zone;
}

/**
 * Local wall-clock time as if it were UTC → the instant; the earlier one when it comes twice, the
 * instant of the change when it is skipped.
 */
export function instantOfLocal(zone: TimeZone, localMs: number): number {
  // No offset is beyond a day: the instant lies among these spans.
  const spans = zone.spans(localMs - 2 * dayMs, localMs + 2 * dayMs);
  for (const span of spans) {
    const instant = localMs - span.offsetMs;
    // Skipped: the previous span ended too early for it, this one begins too late.
    if (instant < span.fromMs) return span.fromMs;
    if (instant < span.toMs) return instant;
  }
  throw new Error(`no instant of ${localMs} in ${zone.name}`);
}

function createTimeZone(name: string): TimeZone {
  const offsetAt = createOffsetReader(name);
  const changesOfYear = new Map<number, readonly OffsetSpan[]>();

  /** The changes of a year: each span starts with one and reaches into the unknown. */
  const changesIn = (year: number): readonly OffsetSpan[] => {
    const known = changesOfYear.get(year);
    if (known !== undefined) return known;
    const found = findChanges(offsetAt, Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1));
    changesOfYear.set(year, found);
    return found;
  };

  const spans = (fromMs: number, toMs: number): OffsetSpan[] => {
    const found: OffsetSpan[] = [];
    let current = { fromMs, offsetMs: offsetAt(clampMs(fromMs)) };
    const yearEnd = new Date(clampMs(toMs)).getUTCFullYear();
    for (let year = new Date(clampMs(fromMs)).getUTCFullYear(); year <= yearEnd; year++) {
      for (const change of changesIn(year)) {
        if (change.fromMs <= fromMs || change.fromMs >= toMs) continue;
        found.push({ ...current, toMs: change.fromMs });
        current = { fromMs: change.fromMs, offsetMs: change.offsetMs };
      }
    }
    found.push({ ...current, toMs });
    return found;
  };

  return { name, offsetMs: (atMs) => offsetAt(clampMs(atMs)), spans };
}

function clampMs(atMs: number): number {
  return Math.min(Math.max(atMs, firstMs), lastMs);
}

function findChanges(
  offsetAt: (atMs: number) => number,
  fromMs: number,
  toMs: number,
): readonly OffsetSpan[] {
  const changes: OffsetSpan[] = [];
  let offset = offsetAt(fromMs);
  for (let start = fromMs; start < toMs; start += probeMs) {
    const end = Math.min(start + probeMs, toMs);
    let after = offsetAt(end);
    // Changes at the very start of a year belong to it: its end is the next one's start.
    if (after === offset) continue;
    let low = start;
    let high = end;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offsetAt(middle) === offset) low = middle;
      else high = middle;
    }
    after = offsetAt(high);
    changes.push({ fromMs: high, toMs: Number.POSITIVE_INFINITY, offsetMs: after });
    offset = after;
    // A second change within the same week would hide behind the first: look again from there.
    start = high - probeMs;
  }
  return changes;
}

function createOffsetReader(name: string): (atMs: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: name,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  // "6/21/2025, 13:05:09"; offsets are whole seconds.
  const parts = /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+):(\d+)$/;
  return (atMs) => {
    const seconds = Math.floor(atMs / 1_000);
    const text = format.format(seconds * 1_000);
    const match = parts.exec(text);
    if (match === null) throw new Error(`time zone ${name} printed ${text}`);
    const [month, day, year, hour, minute, second] = match.slice(1).map(Number) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    return Date.UTC(year, month - 1, day, hour, minute, second) - seconds * 1_000;
  };
}
