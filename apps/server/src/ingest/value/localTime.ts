import { findTimeZone, HadalError, instantOfLocal, type TimeZone } from "@hadal/sdk";

/** The moment of a local time. */
export interface LocalInstant {
  readonly timeMs: number;
  /** Whether the local time occurs twice, when clocks go back: this is the earlier moment. */
  readonly repeats: boolean;
}

const dayMs = 86_400_000;
/** Files are mostly in order: one offset is right for months of rows. */
const spanMs = 400 * dayMs;
let last: { readonly zone: string; readonly span: ReturnType<TimeZone["spans"]>[number] } | null =
  null;

/** Throws `bad-request` where there is no such zone. */
export function checkZone(zone: string | undefined): string | null {
  if (zone === undefined) return null;
  try {
    return findTimeZone(zone).name;
  } catch {
    const detail = `\`timeZone\`: no time zone is called ${JSON.stringify(zone.slice(0, 100))}; write a name such as Europe/Berlin.`;
    throw new HadalError("bad-request", { detail });
  }
}

/** The instant of a local time, given as if it were UTC; null where clocks went past it. */
export function instantOf(zone: string, localMs: number): LocalInstant | null {
  if (last?.zone === zone) {
    const timeMs = localMs - last.span.offsetMs;
    // Nearer to its ends, the span beside it may have this time too. No change is beyond a day.
    if (timeMs >= last.span.fromMs + dayMs && timeMs < last.span.toMs - dayMs)
      return { timeMs, repeats: false };
  }
  const found = findTimeZone(zone);
  const timeMs = instantOfLocal(found, localMs);
  const spans = found.spans(timeMs - spanMs, timeMs + spanMs);
  const at = spans.findIndex((one) => timeMs >= one.fromMs && timeMs < one.toMs);
  const span = spans[at];
  if (span === undefined || timeMs + span.offsetMs !== localMs) return null;
  last = { zone, span };
  const next = spans[at + 1];
  const repeats = next !== undefined && localMs - next.offsetMs >= next.fromMs;
  return { timeMs, repeats };
}
