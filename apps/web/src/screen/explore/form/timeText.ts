import { resolveTime } from "@hadal/sdk";
import { zoneOffsetMs } from "../../../format/time.js";

/** A time as typed → a time as the server takes it: a clock time without zone is the reader's own. Throws when it is none. */
export function readTimeText(text: string, timeZone: string): string {
  const typed = text.trim();
  const local = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?))?$/.exec(typed);
  if (local === null) {
    const bare = /^\d+(ms|s|m|h|d|w)$/.test(typed) ? `-${typed}` : typed;
    resolveTime(bare, 0);
    return bare;
  }
  const utcMs = resolveTime(`${local[1]}T${local[2] ?? "00:00"}Z`, 0);
  // The offset is that of the clock time itself, also on the day the clocks change.
  const guess = utcMs - zoneOffsetMs(utcMs, timeZone);
  return new Date(utcMs - zoneOffsetMs(guess, timeZone)).toISOString();
}
