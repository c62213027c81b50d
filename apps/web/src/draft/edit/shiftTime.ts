import { resolveTimeRange } from "@hadal/sdk";

/** A time range as it is written. */
export interface WrittenRange {
  readonly from: string;
  readonly to: string;
}

/** The clock and the time zone for relative times. */
export interface RangeClock {
  readonly nowMs: number;
  readonly timeZone: string;
}

/** The range of the same length before (−1) or after (1) this one. It ends now at the latest. */
export function shiftRange(
  range: WrittenRange,
  steps: number,
  { nowMs, timeZone }: RangeClock,
): WrittenRange {
  const { fromMs, toMs } = resolveTimeRange(range.from, range.to, nowMs, timeZone);
  const lengthMs = toMs - fromMs;
  const end = toMs + steps * lengthMs;
  if (end >= nowMs) return lastRange(lengthMs);
  return { from: iso(end - lengthMs), to: iso(end) };
}

/** Twice as long around the same middle; a range that ends now still ends now. */
export function widenRange(range: WrittenRange, { nowMs, timeZone }: RangeClock): WrittenRange {
  const { fromMs, toMs } = resolveTimeRange(range.from, range.to, nowMs, timeZone);
  const lengthMs = toMs - fromMs;
  const end = toMs + lengthMs / 2;
  if (end >= nowMs) return lastRange(2 * lengthMs);
  return { from: iso(Math.max(0, Math.floor(fromMs - lengthMs / 2))), to: iso(Math.ceil(end)) };
}

/** The same range as absolute times. */
export function frozenRange(range: WrittenRange, { nowMs, timeZone }: RangeClock): WrittenRange {
  const { fromMs, toMs } = resolveTimeRange(range.from, range.to, nowMs, timeZone);
  return { from: iso(fromMs), to: iso(toMs) };
}

const iso = (timeMs: number): string => new Date(timeMs).toISOString();

function lastRange(lengthMs: number): WrittenRange {
  const minutes = lengthMs / 60_000;
  const length = Number.isInteger(minutes) ? `${minutes}m` : `${Math.ceil(lengthMs / 1_000)}s`;
  return { from: `-${shortened(length)}`, to: "now" };
}

/** `360m` is written `6h`. */
function shortened(length: string): string {
  const minutes = /^(\d+)m$/.exec(length)?.[1];
  if (minutes === undefined) return length;
  const count = Number(minutes);
  if (count % 1_440 === 0) return `${count / 1_440}d`;
  return count % 60 === 0 ? `${count / 60}h` : length;
}
