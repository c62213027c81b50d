const formats = new Map<string, Intl.DateTimeFormat>();

/** `12:03:07` in the zone. */
export function formatClock(timeMs: number, timeZone: string): string {
  return format(timeMs, timeZone, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
}

/** `21 Nov 12:03:07` in the zone; with milliseconds unless they are 0. */
export function formatInstant(timeMs: number, timeZone: string): string {
  const day = format(timeMs, timeZone, { day: "numeric", month: "short" });
  const ms = ((timeMs % 1_000) + 1_000) % 1_000;
  const fraction = ms === 0 ? "" : `.${String(ms).padStart(3, "0")}`;
  return `${day} ${formatClock(timeMs, timeZone)}${fraction}`;
}

/** The same with the year, for what is read later: `21 Nov 2026 12:03:07`. */
export function formatDated(timeMs: number, timeZone: string): string {
  const day = format(timeMs, timeZone, { day: "numeric", month: "short", year: "numeric" });
  return `${day} ${formatClock(timeMs, timeZone)}`;
}

/** Complete and unambiguous, for tooltips and copying: `2026-11-21T12:03:07.000Z`. */
export function formatIso(timeMs: number): string {
  const date = new Date(timeMs);
  return Number.isNaN(date.getTime()) ? String(timeMs) : date.toISOString();
}

/** A tick of a time axis: the day at midnight, else the minute, with seconds for fine steps. */
export function formatTick(timeMs: number, timeZone: string, stepMs: number): string {
  if (stepMs >= 86_400_000) return format(timeMs, timeZone, { day: "numeric", month: "short" });
  const clock = format(timeMs, timeZone, {
    hour: "2-digit",
    minute: "2-digit",
    ...(stepMs < 60_000 ? { second: "2-digit" } : {}),
  });
  const midnight = stepMs < 60_000 ? "00:00:00" : "00:00";
  return clock === midnight ? format(timeMs, timeZone, { day: "numeric", month: "short" }) : clock;
}

/** `21 Nov 09:00 – 12:00`: a common day once, and the year only where one of the times is in another year. */
export function formatRange(
  fromMs: number,
  toMs: number,
  timeZone: string,
  nowMs: number = fromMs,
): string {
  const years = [fromMs, toMs, nowMs].map((one) => format(one, timeZone, { year: "numeric" }));
  const day: Intl.DateTimeFormatOptions = {
    day: "numeric",
    month: "short",
    ...(new Set(years).size === 1 ? {} : { year: "numeric" }),
  };
  const needsSeconds = (toMs - fromMs) % 60_000 !== 0 || fromMs % 60_000 !== 0;
  const clock: Intl.DateTimeFormatOptions = {
    hour: "2-digit",
    minute: "2-digit",
    ...(needsSeconds ? { second: "2-digit" } : {}),
  };
  const text = (timeMs: number, options: Intl.DateTimeFormatOptions) =>
    format(timeMs, timeZone, options);
  const sameDay = text(fromMs, day) === text(toMs, day);
  const end = sameDay ? text(toMs, clock) : `${text(toMs, day)} ${text(toMs, clock)}`;
  return `${text(fromMs, day)} ${text(fromMs, clock)} – ${end}`;
}

/** Since then every zone has changed its clocks only at full minutes of UTC. */
const evenChangesMs = Date.UTC(1973, 0, 1);
const knownOffsetsMax = 1_000;
/** Cached by zone and minute: a calendar call takes about 10 µs, and axes need one per tick. */
const knownOffsets = new Map<string, number>();

/** Offset of the zone from UTC at that time, in ms. */
export function zoneOffsetMs(timeMs: number, timeZone: string): number {
  if (timeMs < evenChangesMs) return calendarOffsetMs(timeMs, timeZone);
  const key = `${Math.floor(timeMs / 60_000)} ${timeZone}`;
  let offset = knownOffsets.get(key);
  if (offset === undefined) {
    offset = calendarOffsetMs(timeMs, timeZone);
    if (knownOffsets.size >= knownOffsetsMax) knownOffsets.clear();
    knownOffsets.set(key, offset);
  }
  return offset;
}

function calendarOffsetMs(timeMs: number, timeZone: string): number {
  const parts = formatOf(timeZone, {
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(timeMs);
  const part = (type: string) => Number(parts.find((p) => p.type === type)?.value ?? 0);
  const localMs = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return localMs - Math.floor(timeMs / 1_000) * 1_000;
}

function format(timeMs: number, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  if (!Number.isFinite(timeMs) || Math.abs(timeMs) > 8.64e15) return String(timeMs);
  return formatOf(timeZone, options).format(timeMs);
}

/** Formats are expensive to create and few: one is cached per zone and shape. */
function formatOf(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timeZone} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("en-GB", { ...options, timeZone, hourCycle: "h23" });
  formats.set(key, made);
  return made;
}
