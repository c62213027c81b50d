import { type CsvColumnType, type CsvDecimal, decimalsDefault } from "@hadal/sdk";
import { StepMeter, type Steps } from "../../../base/schedule/steps.js";
import { NumberText, readNumberText } from "../../value/numberText.js";
import { quote } from "../../value/rowRejected.js";
import { CsvNumber, decimalEvidence } from "./csvNumber.js";

/** A row of the sample that the types of columns are decided from. */
export interface SampleRow {
  readonly values: readonly string[];
  readonly quoted: readonly number[] | null;
  readonly line: number;
}

export interface SampleOptions {
  readonly delimiter: string;
  readonly decimal: CsvDecimal;
  /** Whether `1,000` may be one or a thousand. */
  readonly commaIsOpen: boolean;
  readonly nullTexts: ReadonlySet<string>;
  /** Whether every value of the file is in quotes: then quotes do not mark texts. */
  readonly allQuoted: boolean;
}

export interface DecidedType {
  /** null: no row has a value yet. */
  readonly type: CsvColumnType | null;
  /** Why the column is text although it contains numbers. */
  readonly reason: string | null;
}

/** Words that programs write for a missing number. */
const missingWords: ReadonlySet<string> = new Set([
  ...["na", "n/a", "#n/a", "nan", "null", "none", "nil", "-", "--", "\\n"],
]);

/** Whether a text means a missing number: `NA`, `NaN`, `null`, `-`. */
export function isMissingWord(text: string): boolean {
  return missingWords.has(text.trim().toLowerCase());
}

/**
 * What column `index` of the rows is. A number as long as every value is one, or a word for a
 * missing one, and none would change by it: quoted values, leading zeros, integers beyond 64 bits,
 * and decimals of varying length with zeros at their end (versions: 1.1 and 1.10) stay text.
 */
export function* decideType(
  rows: readonly SampleRow[],
  index: number,
  options: SampleOptions,
): Steps<DecidedType> {
  const number = new CsvNumber(options.decimal);
  const fractions = new FractionLengths();
  let values = 0;
  let numbers = 0;
  let quotedNumbers = 0;
  let reason: string | null = null;
  const step = new StepMeter();
  for (const { values: cells, quoted, line } of rows) {
    const text = cells[index] ?? "";
    if (step.isFull(text.length)) yield;
    if (text === "" || options.nullTexts.has(text)) continue;
    values++;
    // Blanks are missing among numbers, and text among texts.
    if (text.trim() === "") continue;
    if (!number.read(text)) {
      if (!isMissingWord(text)) reason ??= `Line ${line} has ${quote(text)}, which is no number.`;
      continue;
    }
    numbers++;
    // A value with a delimiter in it has no choice.
    if (isAmong(quoted, index) && !text.includes(options.delimiter)) quotedNumbers++;
    reason ??= faultOf(text, number, line);
    if (options.commaIsOpen && text.includes(","))
      reason ??= `Line ${line} has ${quote(text)}, with a comma that may stand before a fraction or between thousands: set \`decimal\`.`;
    if (!number.hasExponent) reason ??= sentence(fractions.add(text, number));
  }
  if (values === 0) return { type: null, reason: null };
  if (numbers === 0) return { type: "string", reason: null };
  if (quotedNumbers === numbers) {
    if (!options.allQuoted) reason ??= "Every value stands in quotes.";
    else if (fractions.withZero !== null)
      reason ??= `${quote(fractions.withZero)} stands in quotes and ends with a zero.`;
  }
  return { type: reason === null ? "number" : "string", reason };
}

/** Whether an ascending list has it: thousands of columns may all be quoted. */
export function isAmong(list: readonly number[] | null, wanted: number): boolean {
  if (list === null) return false;
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (list[middle]! < wanted) from = middle + 1;
    else to = middle;
  }
  return list[from] === wanted;
}

const sentence = (fault: string | null): string | null => (fault === null ? null : `${fault}.`);

/** Why a number must stay as it is written. */
function faultOf(text: string, number: CsvNumber, line: number): string | null {
  if (number.hasLeadingZero) return `Line ${line} has ${quote(text)}, which begins with a zero.`;
  const { value } = number;
  if (typeof value === "number" || number.decimals > 0 || number.hasExponent) return null;
  return readNumberText(value.text) === null
    ? `Line ${line} has ${quote(text)}, an integer that 64 bits do not hold.`
    : null;
}

/**
 * Watches how many digits the fractions of a column have: as numbers, 1.1 and 1.10 would be one
 * value.
 */
export class FractionLengths {
  #first: string | null = null;
  #firstDecimals = 0;
  /** The first one of another length. */
  #other: string | null = null;
  /** The first one of two and more digits that ends with a zero. */
  withZero: string | null = null;

  /** Adds a number, or returns why it cannot be one beside those before. */
  add(text: string, { decimals, endsWithZero }: CsvNumber): string | null {
    if (decimals === 0) return null;
    if (this.#first === null) {
      this.#first = text;
      this.#firstDecimals = decimals;
    }
    const varies = decimals !== this.#firstDecimals;
    const isOdd =
      (endsWithZero && (varies || this.#other !== null)) || (varies && this.withZero !== null);
    if (isOdd) {
      const before = varies ? this.#first : (this.#other ?? this.#first);
      return `${quote(before.trim())} and ${quote(text.trim())} have different numbers of digits behind the point, as versions do`;
    }
    if (varies) this.#other ??= text;
    if (endsWithZero) this.withZero ??= text;
    return null;
  }
}

/**
 * The decimal mark of these rows: the comma where most columns that show one have it; null: no
 * column shows one.
 */
export function* decideDecimal(
  rows: readonly SampleRow[],
  columnCount: number,
): Steps<CsvDecimal | null> {
  const step = new StepMeter();
  let commas = 0;
  let points = 0;
  for (let index = 0; index < columnCount; index++) {
    const found = new Set<CsvDecimal | null>();
    for (const { values } of rows) {
      const text = values[index] ?? "";
      if (step.isFull(text.length)) yield;
      found.add(decimalEvidence(text));
    }
    if (found.has(",") === found.has(".")) continue;
    if (found.has(",")) commas++;
    else points++;
  }
  if (commas === 0 && points === 0) return null;
  return commas >= points ? "," : ".";
}

/** Whether a number has digits behind the point that are not zero. */
export function hasFraction({ value, decimals }: CsvNumber): boolean {
  if (typeof value === "number") return decimals > 0 && !Number.isInteger(value);
  return readNumberText(value.text, decimalsDefault)?.fraction === true;
}

/** The digits that a fraction needs behind the point. */
export function neededDecimals(number: CsvNumber): number {
  const { value } = number;
  const text = value instanceof NumberText ? value.text : String(value);
  return /e/i.test(text) ? decimalsDefault : (text.split(".")[1]?.length ?? 0);
}
