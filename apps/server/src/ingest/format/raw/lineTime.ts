import { LineNumber } from "../../../base/format/raw/lineValues.js";
import { NumberText } from "../../value/numberText.js";

const months = "JanFebMarAprMayJunJulAugSepOctNovDec";
/** `21/Nov/2026:09:00:00 +0100`, as access logs write it. */
const access = /^(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d:\d\d) ([+-]\d{4})$/;
/** `Nov 21 09:00:00`, as syslog writes it. */
const withoutYear = /^([A-Z][a-z]{2}) +(\d{1,2}) (\d\d:\d\d:\d\d)$/;
/** `Sat Nov 21 09:00:00.123456 2026`, as C and Apache write it. */
const ofC = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\d{1,2}) (\d\d:\d\d:\d\d(?:\.\d{1,9})?) (\d{4})$/;
/** `Sat, 21 Nov 2026 09:00:00 +0000`, as mails and HTTP write it. */
const ofMail =
  /^(?:[A-Z][a-z]{2}, )?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d\d:\d\d:\d\d) (GMT|UTC|Z|[+-]\d{4})$/;
const dayMs = 86_400_000;

/**
 * The time of a line as rows have it: forms of logs become ISO-8601, a number stays one, all else is
 * left to {@link readRowTime}. Without a year it is the latest that is not more than a day ahead.
 */
export function lineTime(value: string | LineNumber, nowMs: number): string | NumberText {
  if (value instanceof LineNumber) return new NumberText(value.text);
  if (/^-?\d+(?:\.\d+)?$/.test(value)) return new NumberText(value);
  const ofAccess = access.exec(value);
  if (ofAccess !== null) {
    const [, day = "", month = "", year = "", clock = "", zone = ""] = ofAccess;
    return isoOf({ year, month, day, clock, zone }) ?? value;
  }
  const yearless = withoutYear.exec(value);
  if (yearless !== null) {
    const [, month = "", day = "", clock = ""] = yearless;
    const number = monthOf(month);
    if (number === null) return value;
    const year = String(yearOf(Number(number), Number(day), nowMs));
    return isoOf({ year, month, day, clock, zone: "" }) ?? value;
  }
  const c = ofC.exec(value);
  if (c !== null) {
    const [, month = "", day = "", clock = "", year = ""] = c;
    return isoOf({ year, month, day, clock, zone: "" }) ?? value;
  }
  const mail = ofMail.exec(value);
  if (mail === null) return value;
  const [, day = "", month = "", year = "", clock = "", zone = ""] = mail;
  return isoOf({ year, month, day, clock, zone: /^[+-]/.test(zone) ? zone : "Z" }) ?? value;
}

interface TimeParts {
  readonly year: string;
  readonly month: string;
  readonly day: string;
  readonly clock: string;
  readonly zone: string;
}

function isoOf({ year, month, day, clock, zone }: TimeParts): string | null {
  const number = monthOf(month);
  return number === null ? null : `${year}-${number}-${day.padStart(2, "0")}T${clock}${zone}`;
}

function monthOf(name: string): string | null {
  const at = months.indexOf(name);
  return at < 0 || at % 3 !== 0 ? null : String(at / 3 + 1).padStart(2, "0");
}

/** A line of December that is read in January is of the year before. */
function yearOf(month: number, day: number, nowMs: number): number {
  const latest = new Date(nowMs + dayMs);
  const year = latest.getUTCFullYear();
  return Date.UTC(year, month - 1, day) <= latest.getTime() ? year : year - 1;
}
