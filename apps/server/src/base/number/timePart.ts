import type { TimePart } from "@hadal/sdk";
import { findTimeZone } from "@hadal/sdk";

const dayMs = 86_400_000;
/** The range of a Date, less a day on either side for the zone. */
const dateMsMax = 8_640_000_000_000_000 - dayMs;
const spanMsMax = 31 * dayMs;

/** A part of the local time of an instant (ms since 1970); missing outside the range of a Date. */
export function createTimePart(part: TimePart, zoneName: string): (atMs: bigint) => bigint | null {
  const zone = findTimeZone(zoneName);
  // Looking up an offset is slow, and neighbouring times have the same one.
  let span = { fromMs: 0, toMs: 0, offsetMs: 0 };
  return (atMs) => {
    if (atMs < BigInt(-dateMsMax) || atMs > BigInt(dateMsMax)) return null;
    const instant = Number(atMs);
    if (instant < span.fromMs || instant >= span.toMs) {
      span = zone.spans(instant, instant + spanMsMax)[0]!;
    }
    return BigInt(partOf(part, instant + span.offsetMs));
  };
}

function partOf(part: TimePart, localMs: number): number {
  const date = new Date(localMs);
  switch (part) {
    case "year":
      return date.getUTCFullYear();
    case "quarter":
      return Math.floor(date.getUTCMonth() / 3) + 1;
    case "month":
      return date.getUTCMonth() + 1;
    case "week":
      return isoWeek(localMs);
    case "day":
      return date.getUTCDate();
    case "dayOfWeek":
      return isoDay(localMs);
    case "hour":
      return date.getUTCHours();
    case "minute":
      return date.getUTCMinutes();
    case "second":
      return date.getUTCSeconds();
  }
}

/** 1970-01-01 was a Thursday, the fourth day of its week. */
function isoDay(localMs: number): number {
  const day = Math.floor(localMs / dayMs);
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

/** Week 1 holds the year's first Thursday. */
function isoWeek(localMs: number): number {
  const thursdayMs = localMs + (4 - isoDay(localMs)) * dayMs;
  const yearStartMs = new Date(thursdayMs).setUTCMonth(0, 1);
  return Math.floor((thursdayMs - yearStartMs) / (7 * dayMs)) + 1;
}
