import { HadalError } from "../model/problem/problem.js";
import { timeColumn } from "../model/schema.js";
import { readCsvRecord } from "./csvRecord.js";

/** The delimiters that are tried when none is given. */
export const csvDelimiters: readonly string[] = [",", ";", "\t", "|"];

/** The records that are looked at: an odd one among them must not decide. */
const recordsMax = 50;
const unitsMax = 65_536;

/** Where the header starts, and what separates the values. */
export interface CsvStart {
  readonly delimiter: string;
  readonly headerStart: number;
}

/**
 * Reads Excel's first line `sep=;`, or finds the delimiter by the first records: the one that makes
 * the time a column of its own, then the one by which most rows have as many values as the header.
 */
export function findCsvStart(
  text: string,
  given: { readonly delimiter?: string | undefined; readonly timeName?: string | undefined } = {},
): CsvStart {
  const line = /^"?sep=([^\r\n"\d.+-])"?(?:\r?\n|\r?$)/i.exec(text);
  const headerStart = line === null ? 0 : line[0].length;
  const said = given.delimiter ?? line?.[1];
  if (said !== undefined) return { delimiter: said, headerStart };
  const start = text.slice(headerStart, headerStart + unitsMax);
  const last = headerStart + unitsMax >= text.length;
  const time = given.timeName ?? timeColumn;
  let best = { delimiter: ",", score: -1 };
  for (const delimiter of csvDelimiters) {
    const score = scoreOf(start, { delimiter, last }, time);
    if (score > best.score) best = { delimiter, score };
  }
  return { delimiter: best.delimiter, headerStart };
}

/** Larger is better; -1 where the header is one column. */
function scoreOf(
  text: string,
  options: { readonly delimiter: string; readonly last: boolean },
  timeName: string,
): number {
  let header: readonly string[] | null = null;
  let records = 0;
  let fitting = 0;
  for (let at = 0; at < text.length && records < recordsMax; ) {
    const record = readCsvRecord(text, at, options);
    if (record === null) break;
    at = record.end;
    const { values, fault } = record;
    if (values.length === 1 && values[0] === "") continue;
    if (header === null) {
      header = withoutEmptyEnd(values, 1);
      if (fault !== null || header.length < 2) return -1;
      continue;
    }
    records++;
    if (fault === null && withoutEmptyEnd(values, header.length).length === header.length)
      fitting++;
  }
  if (header === null) return -1;
  const names = header.map((name) => name.trim());
  return (names.includes(timeName) ? 2 : 0) + (records === 0 ? 0 : fitting / records);
}

/** Values without empty ones at their end, of which at least `least` are kept. */
export function withoutEmptyEnd(values: readonly string[], least: number): readonly string[] {
  let count = values.length;
  while (count > least && values[count - 1] === "") count--;
  return count === values.length ? values : values.slice(0, count);
}

/** `?delimiter=` as one character; throws a HadalError that says what it may be. */
export function checkDelimiter(text: string): string {
  const named = new Map([
    ["tab", "\t"],
    ["\\t", "\t"],
    ["comma", ","],
    ["semicolon", ";"],
    ["pipe", "|"],
  ]).get(text.toLowerCase());
  const delimiter = named ?? text;
  const isFree = delimiter.length === 1 && delimiter <= "\u007f";
  if (isFree && !/["\r\n\d.+-]/.test(delimiter)) return delimiter;
  throw new HadalError("bad-request", {
    detail: `\`delimiter\` is ${JSON.stringify(text.slice(0, 50))}; it is one ASCII character such as , ; | or the word tab, and neither a quote, a line end nor a part of numbers.`,
  });
}

/** The delimiter for people: `comma (,)`, `tab`. */
export function delimiterName(delimiter: string): string {
  if (delimiter === "\t") return "tab";
  const names = new Map([
    [",", "comma (,)"],
    [";", "semicolon (;)"],
    ["|", "vertical bar (|)"],
  ]);
  return names.get(delimiter) ?? JSON.stringify(delimiter);
}
