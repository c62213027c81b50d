import { durationInWords } from "./duration.js";
import { formatInstant, formatRange } from "./time.js";

/** `last 3 hours`, `21 Nov 09:00 – 12:00`, `since 21 Nov 09:00:00`, or the text of the range. */
export function rangeInWords(
  from: string,
  to: string,
  timeZone: string,
  nowMs: number = Date.now(),
): string {
  const last = /^(?:now)?-(\d+(?:ms|s|m|h|d|w|mo|q|y))$/.exec(from.replaceAll(" ", ""));
  if (last !== null && to === "now") return `last ${durationInWords(last[1] ?? "")}`;
  const [fromMs, toMs] = [timeOf(from), timeOf(to)];
  if (fromMs !== null && toMs !== null) return formatRange(fromMs, toMs, timeZone, nowMs);
  if (fromMs !== null && to === "now") return `since ${formatInstant(fromMs, timeZone)}`;
  return `${from} – ${to}`;
}

function timeOf(text: string): number | null {
  const timeMs = /^\d{9,16}$/.test(text) ? Number(text) : Date.parse(text);
  return /^\d{4}-|^\d{9,16}$/.test(text) && Number.isFinite(timeMs) ? timeMs : null;
}
