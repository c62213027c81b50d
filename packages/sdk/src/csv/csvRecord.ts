/** A record of CSV as it stands in the text; `fault` when its quotes are broken. */
export interface CsvRecord {
  readonly values: string[];
  /** Which of the values stand in quotes; null: none. */
  readonly quoted: readonly number[] | null;
  /** Where the next record starts. */
  readonly end: number;
  readonly fault: string | null;
}

export interface CsvRecordOptions {
  readonly delimiter: string;
  /** Whether nothing follows the text. */
  readonly last: boolean;
  /** A record of more values is at fault, and ends with its line. */
  readonly valuesMax?: number;
}

const longUnits = 65_536;
/** Characters that are put together at once. */
const runUnits = 4_096;
const quote = 0x22;
const newline = 0x0a;
const carriageReturn = 0x0d;

/**
 * The record of RFC 4180 that starts at `start`; null when its end is not there yet (`last`:
 * nothing follows the text). A broken quote costs its own record and no other.
 */
export function readCsvRecord(
  text: string,
  start: number,
  { delimiter, last, valuesMax = Number.POSITIVE_INFINITY }: CsvRecordOptions,
): CsvRecord | null {
  const separator = delimiter.charCodeAt(0);
  const values: string[] = [];
  let quoted: number[] | null = null;
  let at = start;
  for (;;) {
    if (values.length > valuesMax) {
      if (!last && text.indexOf("\n", at) < 0) return null;
      const fault = `It has more than ${valuesMax} values.`;
      return { values, quoted, end: lineEnd(text, at), fault };
    }
    const isQuoted = text.charCodeAt(at) === quote;
    const end = isQuoted ? closingQuote(text, at) : plainEnd(text, at, separator);
    if (end < 0 || (!last && end >= text.length - 1)) {
      if (!last) return null;
      if (end < 0) {
        const fault = "A quote is opened and never closed.";
        return { values, quoted, end: lineEnd(text, start), fault };
      }
    }
    const after = isQuoted ? end + 1 : end;
    const unit = text.charCodeAt(after);
    const carriage = unit === carriageReturn && text.charCodeAt(after + 1) === newline;
    if (isQuoted) {
      if (after < text.length && unit !== separator && unit !== newline && !carriage) {
        // The rest of its line goes with it, which may still be to come.
        if (!last && text.indexOf("\n", after) < 0) return null;
        const fault = "A closing quote is followed by more text.";
        return { values, quoted, end: lineEnd(text, after), fault };
      }
      quoted ??= [];
      quoted.push(values.length);
    }
    values.push(isQuoted ? withoutEscapes(text.slice(at + 1, end)) : text.slice(at, end));
    if (unit !== separator) return { values, quoted, end: after + (carriage ? 2 : 1), fault: null };
    at = after + 1;
  }
}

/** A pair of quotes is one. */
function withoutEscapes(text: string): string {
  if (text.length < longUnits) return text.replaceAll('""', '"');
  // To replace each of a million pairs by itself would take long.
  const parts: string[] = [];
  const units = new Uint16Array(runUnits);
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    units[count++] = unit;
    if (unit === quote) at++;
    if (count < runUnits && at < text.length - 1) continue;
    parts.push(String.fromCharCode(...units.subarray(0, count)));
    count = 0;
  }
  return parts.join("");
}

/** Where an unquoted value ends: at a delimiter, a line end, or the end of the text. */
function plainEnd(text: string, start: number, separator: number): number {
  for (let at = start; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === separator || unit === newline) return at;
    if (unit === carriageReturn && (text.charCodeAt(at + 1) === newline || at + 1 === text.length))
      return at;
  }
  return text.length;
}

function closingQuote(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    // A call for each of a million quotes would take long.
    while (text.charCodeAt(at) === quote && text.charCodeAt(at + 1) === quote) at += 2;
    at = text.indexOf('"', at);
    if (at < 0 || text.charCodeAt(at + 1) !== quote) return at;
  }
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end + 1;
}
