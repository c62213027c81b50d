import { HadalError, nameFault } from "@hadal/sdk";
import { MarkedTextDecoder, notUtf8 } from "./markedText.js";
import { NumberText } from "./numberText.js";
import type { RowCollector } from "./rowCollector.js";
import type { RowReader } from "./rowReader.js";
import { quote, RowRejected } from "./rowRejected.js";

/** Read this much before looking for rows; doubled while one row is longer, so that no text is searched often. */
const blockUnits = 262_144;
const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** A row of CSV as it stands in the text; `fault` when its quotes are broken. */
interface CsvRow {
  readonly values: string[];
  readonly end: number;
  readonly fault: string | null;
}

/**
 * RFC 4180 with a header line. Our own parser, because a broken quote must cost its own line and no other:
 * libraries lose the rows up to the next quote without a word.
 */
export function createCsvReader(collector: RowCollector): RowReader {
  const decoder = new MarkedTextDecoder();
  let rest = "";
  let waiting: string[] = [];
  let waitingUnits = 0;
  let line = 1;
  let header: readonly string[] | null = null;

  const take = (row: CsvRow): void => {
    const isText = !row.values.some((value) => value.includes(notUtf8));
    if (row.fault !== null) {
      if (header === null) throw headerFault(`The header is broken: ${row.fault}`);
      collector.refuse(new RowRejected("invalid-csv", row.fault), line);
    } else if (!isText) {
      if (header === null) throw headerFault("The header is not UTF-8.");
      collector.refuse(new RowRejected("invalid-unicode", "The row is not UTF-8."), line);
    } else if (row.values.length > 1 || row.values[0] !== "") {
      if (header === null) header = checkHeader(row.values);
      else addRow(collector, header, row.values, line);
    }
  };

  const readRows = (last: boolean): void => {
    const text = rest + waiting.join("");
    waiting = [];
    waitingUnits = 0;
    let at = 0;
    while (at < text.length) {
      const row = readCsvRow(text, at, last);
      if (row === null) break;
      take(row);
      line += countNewlines(text, at, row.end);
      at = row.end;
    }
    rest = text.slice(at);
  };

  const push = (text: string): void => {
    waiting.push(text);
    waitingUnits += text.length;
    if (waitingUnits >= Math.max(blockUnits, rest.length)) readRows(false);
  };

  return {
    push: (bytes) => push(decoder.push(bytes)),
    end() {
      push(decoder.end());
      readRows(true);
    },
  };
}

/** The row that starts at `start`; null when its end is not there yet. */
function readCsvRow(text: string, start: number, last: boolean): CsvRow | null {
  const values: string[] = [];
  let at = start;
  for (;;) {
    const quoted = text.charCodeAt(at) === 0x22;
    const end = quoted ? closingQuote(text, at) : plainEnd(text, at);
    if (end < 0 || (!last && end >= text.length - 1)) {
      if (!last) return null;
      if (end < 0) {
        const fault = "A quote is opened and never closed.";
        return { values, end: lineEnd(text, start), fault };
      }
    }
    const after = quoted ? end + 1 : end;
    const unit = text.charCodeAt(after);
    const carriage = unit === 0x0d && text.charCodeAt(after + 1) === 0x0a;
    if (quoted && after < text.length && unit !== 0x2c && unit !== 0x0a && !carriage) {
      // The rest of its line goes with it, which may still be to come.
      if (!last && text.indexOf("\n", after) < 0) return null;
      const fault = "A closing quote is followed by more text.";
      return { values, end: lineEnd(text, after), fault };
    }
    values.push(quoted ? text.slice(at + 1, end).replaceAll('""', '"') : text.slice(at, end));
    if (unit !== 0x2c) return { values, end: after + (carriage ? 2 : 1), fault: null };
    at = after + 1;
  }
}

/** Where an unquoted value ends: at a comma, a line end, or the end of the text. */
function plainEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x2c || unit === 0x0a) return at;
    if (unit === 0x0d && (text.charCodeAt(at + 1) === 0x0a || at + 1 === text.length)) return at;
  }
  return text.length;
}

function closingQuote(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    at = text.indexOf('"', at);
    if (at < 0 || text.charCodeAt(at + 1) !== 0x22) return at;
    at += 2;
  }
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end + 1;
}

function countNewlines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) {
    count++;
  }
  return count;
}

function checkHeader(names: readonly string[]): readonly string[] {
  names.forEach((name, i) => {
    const place = `Column ${i + 1} of the header, ${quote(name)}`;
    const fault = nameFault(name);
    if (fault !== null) throw headerFault(`${place}: ${fault}`);
    if (names.indexOf(name) < i) throw headerFault(`${place}: another one is called so.`);
  });
  return names;
}

function headerFault(detail: string): HadalError {
  return new HadalError("invalid-name", { detail }, [{ line: 1, code: "header-invalid", detail }]);
}

function addRow(
  collector: RowCollector,
  header: readonly string[],
  values: readonly string[],
  line: number,
): void {
  if (values.length !== header.length) {
    const detail = `The row has ${values.length} values; the header has ${header.length} names.`;
    collector.refuse(new RowRejected("invalid-csv", detail), line);
    return;
  }
  const row: Record<string, unknown> = Object.create(null);
  for (let i = 0; i < header.length; i++) {
    const name = header[i]!;
    // A text that looks like a number stays as it was written where texts are wanted: 1.50 is not 1.5.
    const isText = collector.rules.get(name)?.type === "string";
    row[name] = isText ? values[i] || null : readValue(values[i]!);
  }
  collector.add(row, line);
}

/** CSV has no types: what reads as an integer, a fraction or a boolean is one; empty is missing; the rest is text. */
function readValue(text: string): unknown {
  if (text === "") return null;
  const unit = text.charCodeAt(0);
  const startsNumber = (unit >= 0x30 && unit <= 0x39) || unit === 0x2d;
  if (!startsNumber || !numberPattern.test(text)) return text;
  if (text.length <= 15) return Number(text);
  // Longer than 64 bits hold: an identifier, not a quantity.
  return /^-?\d{19,}/.test(text) && !fits(text) ? text : new NumberText(text);
}

function fits(text: string): boolean {
  const whole = BigInt(text.split(".")[0]!);
  return BigInt.asIntN(64, whole) === whole;
}
