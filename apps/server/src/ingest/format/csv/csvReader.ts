import {
  type CsvColumnType,
  type CsvDecimal,
  type CsvReading,
  type CsvRecord,
  delimiterName,
  findCsvStart,
  HadalError,
  isCsvComment,
  nameFault,
  readCsvRecord,
  sampleRateColumn,
  timeColumn,
  withoutEmptyEnd,
} from "@hadal/sdk";
import { columnsMax } from "../../../base/row/rowBatch.js";
import type { Steps } from "../../../base/schedule/steps.js";
import { MarkedTextDecoder, notUtf8 } from "../../row/markedText.js";
import type { RowCollector } from "../../row/rowCollector.js";
import { type RowReader, rowBytesMax, rowTooLong } from "../../row/rowReader.js";
import { quote, RowRejected } from "../../value/rowRejected.js";
import type { CsvOptions } from "../ingestFormat.js";
import { CsvCells } from "./csvCells.js";
import { decideDecimal, decideType, isAmong, type SampleRow } from "./csvColumns.js";

/**
 * Read this much before looking for rows; doubled while one row is longer, so that no text is
 * searched often.
 */
const blockUnits = 262_144;
/** Records, or rows, read in one step; fewer where there are more columns. */
const stepCells = 2_048;
/** Types are decided by the first rows: ten thousand of a hundred characters. */
const sampleUnits = 1_048_576;
const missingListedMax = 100;
/** Of a record: spreadsheets write delimiters that nothing follows. */
const valuesMax = 4 * columnsMax;

/**
 * RFC 4180 with a header line. Our own parser, because a broken quote must cost its own line and no
 * other: libraries lose the rows up to the next quote without a word.
 */
export class CsvReader implements RowReader {
  readonly #collector: RowCollector;
  readonly #timeName: string;
  readonly #options: CsvOptions;
  readonly #decoder = new MarkedTextDecoder();
  #rest = "";
  #waiting: string[] = [];
  #waitingUnits = 0;
  #line = 1;
  /** null until the start of the body was read. */
  #delimiter: string | null = null;
  #decimal: CsvDecimal | null;
  #commaIsOpen = false;
  #columns: readonly CsvCells[] | null = null;
  /** Whether what comes belongs to a row that is too long. */
  #isTooLong = false;
  /**
   * Whether quotes mark texts, so that `""` is an empty text: not where every value is in quotes.
   * Null: not known yet.
   */
  #quotesMarkTexts: boolean | null = null;
  /** Rows that wait for the types of their columns. */
  #sample: SampleRow[] | null = [];

  constructor(collector: RowCollector, timeName: string = timeColumn, options: CsvOptions = {}) {
    this.#collector = collector;
    this.#timeName = timeName;
    this.#options = options;
    this.#decimal = options.decimal ?? null;
  }

  push(bytes: Uint8Array): Steps<void> | undefined {
    return this.#take(this.#decoder.push(bytes));
  }

  *end(): Steps<void> {
    yield* this.#take(this.#decoder.end()) ?? [];
    yield* this.#readBlock("last");
  }

  reading(): CsvReading {
    const columns = (this.#columns ?? []).filter(({ role }) => role === "value");
    return {
      delimiter: this.#delimiter ?? ",",
      decimal: this.#commaIsOpen && !columns.some((one) => one.hasFractions) ? null : this.#decimal,
      columns: columns.map((column) => column.describe()),
      missing: columns.flatMap((column) => column.missingTexts()).slice(0, missingListedMax),
    };
  }

  #take(text: string): Steps<void> | undefined {
    this.#waiting.push(text);
    this.#waitingUnits += text.length;
    const wanted = this.#delimiter === null ? sampleUnits : blockUnits;
    const isWaiting =
      this.#waitingUnits < Math.max(wanted, Math.min(this.#rest.length, rowBytesMax));
    return isWaiting ? undefined : this.#readBlock("more");
  }

  *#readBlock(follows: "more" | "last"): Steps<void> {
    const text = this.#rest + this.#waiting.join("");
    this.#waiting = [];
    this.#waitingUnits = 0;
    let at = this.#delimiter === null ? this.#begin(text) : 0;
    const last = follows === "last";
    const options = { delimiter: this.#delimiter ?? ",", last, valuesMax };
    const step = new CellMeter();
    while (at < text.length) {
      if (step.isFull(this.#columns?.length ?? 1)) yield;
      const record = this.#isTooLong ? null : readCsvRecord(text, at, options);
      const isLong = (record?.end ?? text.length) - at > rowBytesMax;
      if (isLong) this.#noteLong();
      const end = record === null || isLong ? this.#passLong(text, at) : record.end;
      if (end === null) break;
      if (record !== null && !isLong) this.#takeRecord(record);
      this.#line += countNewlines(text, at, end);
      at = end;
    }
    this.#rest = text.slice(at);
    yield* this.#addSample();
  }

  /** The row that begins here is too long, as with an open quote. */
  #noteLong(): void {
    if (this.#isTooLong) return;
    this.#isTooLong = true;
    this.#refuseLong();
  }

  /** The end of the line where a row begins that is too long; null: it may be shorter. */
  #passLong(text: string, at: number): number | null {
    if (!this.#isTooLong) return null;
    const end = text.indexOf("\n", at) + 1;
    this.#isTooLong = end === 0;
    return this.#isTooLong ? text.length : end;
  }

  #refuseLong(): void {
    if (this.#columns === null) throw headerProblem(rowTooLong, this.#line);
    this.#collector.refuse(new RowRejected("row-too-long", rowTooLong), this.#line);
  }

  /** Where the header starts. */
  #begin(text: string): number {
    const timeName = this.#timeName;
    const options = this.#options;
    const start = findCsvStart(text, { timeName, delimiter: options.delimiter });
    this.#delimiter = start.delimiter;
    this.#line += countNewlines(text, 0, start.headerStart);
    return start.headerStart;
  }

  #takeRecord({ values, quoted, fault }: CsvRecord): void {
    const collector = this.#collector;
    const columns = this.#columns;
    const line = this.#line;
    if (columns !== null && isCsvComment({ values, quoted })) return;
    const isText = !values.some((value) => value.includes(notUtf8));
    if (fault !== null) {
      if (columns === null) throw headerProblem(`The header is broken: ${fault}`, line);
      collector.refuse(new RowRejected("invalid-csv", fault), line);
    } else if (!isText) {
      if (columns === null) throw headerProblem("The header is not UTF-8.", line);
      collector.refuse(new RowRejected("invalid-unicode", "The row is not UTF-8."), line);
    } else if (values.length > 1 || values[0] !== "") {
      if (columns === null) this.#openColumns(withoutEmptyEnd(values, 1));
      else this.#takeRow(columns, { values, quoted, line });
    }
  }

  #takeRow(columns: readonly CsvCells[], row: SampleRow): void {
    // Vendors' files and spreadsheets end rows with delimiters that nothing follows.
    const { length } = withoutEmptyEnd(row.values, columns.length);
    if (length !== columns.length) {
      const detail = `The row has ${length} values where the header has ${columns.length} names; values are separated by ${delimiterName(this.#delimiter ?? ",")}.`;
      this.#collector.refuse(new RowRejected("invalid-csv", detail), row.line);
    } else if (this.#sample === null) this.#addRow(columns, row);
    else {
      this.#sample.push(row);
      this.#collector.rowsWaiting++;
    }
  }

  /** Decides the types that are still open by the rows that wait, and adds these. */
  *#addSample(): Steps<void> {
    const sample = this.#sample;
    const columns = this.#columns;
    if (sample === null || sample.length === 0 || columns === null) return;
    const { nullTexts = new Set<string>() } = this.#options;
    if (this.#decimal === null) {
      const isComma = this.#delimiter === ",";
      const found = isComma ? "." : yield* decideDecimal(sample, columns.length);
      this.#commaIsOpen = found === null;
      this.#decimal = found ?? ".";
      const commaIsOpen = this.#commaIsOpen;
      for (const column of columns) column.setDecimal(this.#decimal, { commaIsOpen });
    }
    const decimal = this.#decimal;
    const commaIsOpen = this.#commaIsOpen;
    const delimiter = this.#delimiter;
    const allQuoted = sample.every(({ values, quoted }) => quoted?.length === values.length);
    this.#quotesMarkTexts ??= !allQuoted;
    for (const [index, column] of columns.entries()) {
      if (column.role !== "value" || column.type !== null) continue;
      const options = { delimiter: delimiter ?? ",", decimal, commaIsOpen, nullTexts, allQuoted };
      const { type, reason } = yield* decideType(sample, index, options);
      column.decide(type, reason);
    }
    const step = new CellMeter();
    for (const row of sample) {
      if (step.isFull(columns.length)) yield;
      this.#collector.rowsWaiting--;
      this.#addRow(columns, row);
    }
    const isOpen = columns.some(({ role, type }) => role === "value" && type === null);
    this.#sample = isOpen ? [] : null;
  }

  #addRow(columns: readonly CsvCells[], { values, quoted, line }: SampleRow): void {
    const row: Record<string, unknown> = Object.create(null);
    try {
      for (let i = 0; i < columns.length; i++) {
        const column = columns[i]!;
        const text = values[i]!;
        const isEmptyText = text === "" && this.#quotesMarkTexts === true && isAmong(quoted, i);
        const value = isEmptyText ? column.readQuotedEmpty() : column.read(text);
        // Missing values are left out: rows of thousands of names may have few values.
        if (value !== null) row[column.name] = value;
      }
    } catch (error) {
      this.#collector.refuse(error, line);
      return;
    }
    this.#collector.add(row, line);
  }

  #openColumns(names: readonly string[]): void {
    const timeName = this.#timeName;
    const line = this.#line;
    const options = this.#options;
    this.#checkHeader(names);
    const { types = new Map<string, CsvColumnType>(), nullTexts = new Set<string>() } = options;
    const known = new Set(names);
    for (const name of types.keys()) {
      if (known.has(name) && name !== timeName && name !== sampleRateColumn) continue;
      const fault = known.has(name)
        ? `${quote(name)} holds the ${name === timeName ? "time" : "sample rate"} of a row and has no other type`
        : `the header has no ${quote(name)}`;
      throw headerProblem(`\`types\`: ${fault}.`, line);
    }
    this.#columns = names.map((name) => {
      const role = name === timeName ? "time" : name === sampleRateColumn ? "rate" : "value";
      const column = new CsvCells(name, role, { decimal: this.#decimal ?? ".", nullTexts });
      if (role === "value") this.#setType(column, types.get(name));
      return column;
    });
  }

  /** A type from the request, or from the table's settings. */
  #setType(column: CsvCells, asked: CsvColumnType | undefined): void {
    const ruled = this.#collector.rules.get(column.name)?.type;
    // Lists are made of the text.
    const set = ruled === undefined ? undefined : ruled === "int" ? "number" : "string";
    if (set !== undefined && (asked === undefined || asked === set)) column.choose(set);
    else if (asked === "number") column.decide(asked, null);
    else if (asked !== undefined) column.choose(asked);
  }

  #checkHeader(names: readonly string[]): void {
    const timeName = this.#timeName;
    const line = this.#line;
    const separated = `values are separated by ${delimiterName(this.#delimiter ?? ",")}`;
    if (names.length > columnsMax) {
      const detail = `The header has ${names.length} columns; at most ${columnsMax} (columnsMax). Here ${separated}.`;
      throw headerProblem(detail, line);
    }
    const seen = new Set<string>();
    names.forEach((name, i) => {
      const place = `Column ${i + 1} of the header, ${quote(name)}`;
      const fault = nameFault(name);
      if (fault !== null) throw headerProblem(`${place}: ${fault} (${separated})`, line);
      if (seen.has(name))
        throw headerProblem(`${place}: another one is called so (${separated}).`, line);
      seen.add(name);
    });
    if (names.includes(timeName) || this.#options.timeMayLack === true) return;
    const found = names.slice(0, 20).map(quote).join(", ");
    const detail = `The header has no column \`${timeName}\`: ${separated}, and its columns are ${found}. Name the column of the time with time=, or what separates the values with delimiter=.`;
    throw new HadalError("body-undecodable", { detail }, [{ line, code: "time-missing", detail }]);
  }
}

/** Decides when a loop over rows ends its step. */
class CellMeter {
  #cells = 0;

  isFull(cellCount: number): boolean {
    this.#cells += cellCount;
    if (this.#cells < stepCells) return false;
    this.#cells = 0;
    return true;
  }
}

function countNewlines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) {
    count++;
  }
  return count;
}

function headerProblem(detail: string, line: number): HadalError {
  return new HadalError("invalid-name", { detail }, [{ line, code: "header-invalid", detail }]);
}
