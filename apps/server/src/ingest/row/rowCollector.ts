import { type JsonRows, type RowLayout, rowLayout } from "@hadal/kernel-wasm";
import { type CsvReading, HadalError, type RowProblem, rowProblemsMax } from "@hadal/sdk";
import { batchRowsMax, type RowBatch, rowBatchBytes } from "../../base/row/rowBatch.js";
import { bodyBytesMax } from "../body/bodyStream.js";
import { type ColumnRules, noRules } from "../column/columnRule.js";
import { parseExactJson } from "../value/exactJson.js";
import { quote, RowRejected, tryParseJson } from "../value/rowRejected.js";
import { anyMs, type TimeRule } from "../value/timeRule.js";
import { checkRowText } from "./checkRowText.js";
import { LineNumbers } from "./lineNumbers.js";
import { RowBatchBuilder } from "./rowBatchBuilder.js";

/** A row's problem with the place in its line, where one can be named. */
export interface PlacedRowProblem extends RowProblem {
  readonly column?: number;
}

/** The verdicts on all rows of one request, and the batches of those accepted. */
export interface CollectedRows {
  readonly batches: readonly RowBatch[];
  readonly accepted: number;
  readonly rejected: number;
  /** Accepted rows whose event was more than a minute ago. */
  readonly late: number;
  /** Accepted rows whose event is more than a minute ahead. */
  readonly future: number;
  /** In line order; the first {@link rowProblemsMax}. */
  readonly problems: readonly PlacedRowProblem[];
  /** How they were read, where they were CSV. */
  readonly csv?: CsvReading;
}

/**
 * Bytes of one body's rows as columns: bits and short names can grow tenfold, and most with very
 * many columns.
 */
export const columnBytesMax = 4 * bodyBytesMax;
/** After this many rows without a valid one, the body has another format: the rest is not read. */
const wrongRowsMax = 1_000;
/** Rows whose event is further from their receipt are late, or ahead of it. */
const onTimeMs = 60_000;
/**
 * A number that a double may change has at least this many digits or points in sequence; JSON.parse
 * is exact for other texts.
 */
const longRunUnits = 16;

/** Takes the rows of one request, cuts them into batches and keeps one verdict per row. */
export class RowCollector {
  readonly #onRows: (rowBytes: number) => void;
  readonly #builder: RowBatchBuilder;
  readonly #batches: RowBatch[] = [];
  readonly #problems: PlacedRowProblem[] = [];
  #lines = new LineNumbers();
  #accepted = 0;
  #rejected = 0;
  #late = 0;
  #future = 0;
  #columnBytes = 0;
  /** Rows that a reader keeps until it can add them: they are not checked yet. */
  rowsWaiting = 0;

  constructor(
    timeName?: string,
    readonly rules: ColumnRules = noRules,
    readonly timeRule: TimeRule = anyMs,
    onRows: (rowBytes: number) => void = () => undefined,
  ) {
    this.#onRows = onRows;
    this.#builder = new RowBatchBuilder(timeName, rules, timeRule);
  }

  /** Rows that fit the batch at hand, or the next one when it is full. */
  get room(): number {
    const { room } = this.#builder;
    return room > 0 ? room : batchRowsMax;
  }

  /**
   * Adds the row of the line at `start` if it is plain; where the next line starts, or -1 when it
   * is not.
   */
  addPlain(bytes: DataView, start: number, line: number): number {
    const next = this.#builder.addPlain(bytes, start);
    if (next > 0) this.#lines.add(line);
    return next;
  }

  /** Adds rows of which the first is on `line`, as {@link RowBatchBuilder.addRows} does. */
  addRows(json: JsonRows, from: number, line: number, layout: RowLayout = rowLayout.lines): number {
    const rows = this.#builder.addRows(json, from, layout);
    this.#lines.add(line, rows, layout === rowLayout.listedInLine ? 0 : 1);
    return rows;
  }

  /** Adds the row in a JSON text. */
  addJson(text: string, line: number): void {
    try {
      this.#addObject(parseRow(text), line);
    } catch (error) {
      this.refuse(error, line);
    }
  }

  add(row: object, line: number): void {
    try {
      this.#addObject(row, line);
    } catch (error) {
      this.refuse(error, line);
    }
  }

  /** Adds rows that were read column by column. */
  addBatch(batch: RowBatch): void {
    this.#cut();
    this.#keep(batch);
  }

  refuse(error: unknown, line: number): void {
    if (!(error instanceof RowRejected)) throw error;
    const { code, message: detail, column } = error;
    this.#reject(
      column === undefined
        ? { line, code, detail }
        : { line, column, code, detail: `Column ${column}: ${detail}` },
    );
  }

  finish(): CollectedRows {
    this.#cut();
    return {
      batches: this.#batches,
      accepted: this.#accepted,
      rejected: this.#rejected,
      ...{ late: this.#late, future: this.#future },
      problems: this.#keepFirst(),
    };
  }

  #addObject(row: object, line: number): void {
    if (!this.#builder.add(row)) {
      this.#cut();
      this.#builder.add(row);
    }
    this.#lines.add(line);
  }

  #cut(): void {
    if (this.#builder.size === 0) return;
    const { batch, unfit } = this.#builder.finish();
    // Valid rows first: without any, the body may be refused.
    this.#keep(batch);
    for (const { rowIndex, column, decimals } of unfit) {
      this.#reject({
        line: this.#lines.lineOf(rowIndex),
        code: "number-out-of-range",
        detail: unfitDetail(quote(column), decimals),
      });
    }
    this.#lines = new LineNumbers();
  }

  /** Of a body that is refused here nothing was stored: it is read whole first. */
  #keep(batch: RowBatch): void {
    if (batch.rowCount === 0) return;
    this.#columnBytes += rowBatchBytes(batch);
    if (this.#columnBytes > columnBytesMax) {
      const limitName = "columnBytesMax, what its rows take as columns";
      throw new HadalError("body-too-large", { max: columnBytesMax, limitName });
    }
    this.#accepted += batch.rowCount;
    this.#countLateness(batch.times);
    this.#batches.push(batch);
    this.#onRows(this.#columnBytes);
  }

  #countLateness(times: Float64Array): void {
    const { receivedMs } = this.timeRule;
    if (receivedMs === null) return;
    const [lateMs, futureMs] = [receivedMs - onTimeMs, receivedMs + onTimeMs];
    for (const timeMs of times) {
      if (timeMs < lateMs) this.#late++;
      else if (timeMs > futureMs) this.#future++;
    }
  }

  #reject(problem: PlacedRowProblem): void {
    this.#rejected++;
    this.#problems.push(problem);
    if (this.#problems.length >= 2 * rowProblemsMax) this.#keepFirst();
    const taken = this.#accepted + this.#builder.size + this.rowsWaiting;
    if (this.#rejected >= wrongRowsMax && taken === 0) throw this.#wrongThroughout();
  }

  /** The problems of the first lines: those of earlier lines may be found later. */
  #keepFirst(): readonly PlacedRowProblem[] {
    this.#problems.sort((a, b) => a.line - b.line);
    if (this.#problems.length > rowProblemsMax) this.#problems.length = rowProblemsMax;
    return this.#problems;
  }

  #wrongThroughout(): HadalError {
    const problems = this.#keepFirst();
    const { line, detail } = problems[0]!;
    return new HadalError(
      "rows-rejected",
      {
        rejected: `the first ${this.#rejected}`,
        detail: `line ${line}: ${detail} The rest of the body was not read.`,
      },
      problems,
    );
  }
}

function unfitDetail(column: string, decimals: number): string {
  return `${column} has ${decimals} digits behind the point by the table's settings, and with them this row's integer does not fit 64 bits.`;
}

function parseRow(text: string): object {
  checkRowText(text);
  const parsed = hasLongNumber(text) ? undefined : tryParseJson(text);
  // Our parser reports the position of the error. It may refuse only texts that JSON.parse refuses.
  const row = parsed === undefined ? parseExactJson(text) : parsed;
  if (typeof row === "object" && row !== null && !Array.isArray(row)) return row;
  const hint = Array.isArray(row) ? " A list of rows is read as application/json." : "";
  throw new RowRejected("row-not-object", `A row is a JSON object; this is ${quote(row)}.${hint}`);
}

/** A run of 16 covers every 16th place at least once: only those are looked at. */
function hasLongNumber(text: string): boolean {
  for (let at = longRunUnits - 1; at < text.length; at += longRunUnits) {
    if (!isDigitOrPoint(text.charCodeAt(at))) continue;
    let start = at;
    let end = at + 1;
    while (isDigitOrPoint(text.charCodeAt(start - 1))) start--;
    while (isDigitOrPoint(text.charCodeAt(end))) end++;
    if (end - start >= longRunUnits) return true;
  }
  return false;
}

function isDigitOrPoint(unit: number): boolean {
  return (unit >= 0x30 && unit <= 0x39) || unit === 0x2e;
}
