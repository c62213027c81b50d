import { type CsvColumn, type CsvColumnType, type CsvDecimal, printCsvTypes } from "@hadal/sdk";
import { parseList } from "../../value/listText.js";
import type { NumberText } from "../../value/numberText.js";
import { quote, RowRejected } from "../../value/rowRejected.js";
import { FractionLengths, hasFraction, isMissingWord, neededDecimals } from "./csvColumns.js";
import { CsvNumber } from "./csvNumber.js";

/** Distinct texts are counted up to this many; a column has few words for missing values. */
const missingTextsMax = 20;

export interface CsvCellOptions {
  readonly decimal: CsvDecimal;
  readonly nullTexts: ReadonlySet<string>;
}

/** The value of a cell; lists as in a JSON row. */
type CsvValue =
  | string
  | number
  | NumberText
  | readonly string[]
  | { readonly $set: readonly string[] };

/** Reads the cells of one column once its type is decided. */
export class CsvCells {
  readonly #options: CsvCellOptions;
  type: CsvColumnType | null = null;
  /**
   * A type decided by the first rows is strict for later ones; a chosen type accepts every spelling
   * of a number.
   */
  #isDecided = false;
  #reason: string | null = null;
  #number: CsvNumber;
  /** Whether `1,000` may be one or a thousand. */
  #commaIsOpen = false;
  /** Whether a number had a mark before its fraction. */
  hasFractions = false;
  readonly #fractions = new FractionLengths();
  readonly #missing = new Map<string, number>();

  constructor(
    readonly name: string,
    /** `time` and `rate` are read as they come and checked where they are stored. */
    readonly role: "time" | "rate" | "value",
    options: CsvCellOptions,
  ) {
    this.#options = options;
    this.#number = new CsvNumber(options.decimal);
  }

  /** Sets a type that a person chose. */
  choose(type: CsvColumnType): void {
    this.type = type;
  }

  /** Sets the type that the first rows show. */
  decide(type: CsvColumnType | null, reason: string | null): void {
    this.type = type;
    this.#reason = reason;
    this.#isDecided = true;
  }

  setDecimal(decimal: CsvDecimal, { commaIsOpen }: { readonly commaIsOpen: boolean }): void {
    this.#number = new CsvNumber(decimal);
    this.#commaIsOpen = commaIsOpen;
  }

  /** Throws RowRejected where the text does not fit the column's type. */
  read(text: string): CsvValue | null {
    if (text === "" || this.#options.nullTexts.has(text)) return null;
    if (this.role !== "value") return this.#number.read(text) ? this.#number.value : text.trim();
    switch (this.type) {
      // A type is decided before the first value is read.
      case null:
      case "string":
        return text;
      case "set":
      case "vector":
        return this.#readList(text, this.type);
      default:
        return this.#readNumber(text, this.type);
    }
  }

  /** An empty value in quotes: an empty text, as PostgreSQL writes it, in a column of texts. */
  readQuotedEmpty(): "" | null {
    return this.type === "string" && !this.#options.nullTexts.has("") ? "" : null;
  }

  describe(): CsvColumn {
    const { name, type } = this;
    const reason = this.#reason;
    return { name, type, ...(reason === null ? {} : { reason }) };
  }

  /** Words that were read as missing, with their rows. */
  missingTexts(): { readonly column: string; readonly text: string; readonly count: number }[] {
    return [...this.#missing].map(([text, count]) => ({ column: this.name, text, count }));
  }

  #readList(text: string, type: "set" | "vector"): CsvValue {
    const list = text.trimStart().startsWith("[") ? parseList(text) : null;
    if (list === null) {
      throw this.#mismatch(text, 'which is no list of texts such as ["a","b"]', "string");
    }
    return type === "set" ? { $set: list.elements } : list.elements;
  }

  #readNumber(
    text: string,
    type: Exclude<CsvColumnType, "string" | "set" | "vector">,
  ): number | NumberText | null {
    const number = this.#number;
    if (!number.read(text)) {
      if (text.trim() === "") return null;
      if (isMissingWord(text)) {
        this.#countMissing(text.trim());
        return null;
      }
      throw this.#mismatch(text, "which is no number", "string");
    }
    if (type === "integer" && hasFraction(number)) {
      throw this.#mismatch(text, "which has a fraction", `decimal(${neededDecimals(number)})`);
    }
    // Of integers it can only stand between thousands.
    if (this.#commaIsOpen && type !== "integer" && text.includes(",")) {
      const fault = "whose comma may stand before a fraction or between thousands: set `decimal`";
      throw this.#mismatch(text, fault, "string");
    }
    if (this.#isDecided) this.#checkSpelling(text);
    this.hasFractions ||= number.decimals > 0;
    return number.value;
  }

  /**
   * Refuses what would have made the column text, had it been among the rows that its type was
   * decided from.
   */
  #checkSpelling(text: string): void {
    const number = this.#number;
    const fractions = this.#fractions;
    if (number.hasLeadingZero) throw this.#mismatch(text, "which begins with a zero", "string");
    if (number.decimals === 0 || number.hasExponent) return;
    const fault = fractions.add(text, number);
    if (fault !== null) throw this.#mismatch(text, `and ${fault}`, "string");
  }

  #countMissing(text: string): void {
    const count = this.#missing.get(text);
    if (count === undefined && this.#missing.size >= missingTextsMax) return;
    this.#missing.set(text, (count ?? 0) + 1);
  }

  #mismatch(text: string, fault: string, advice: CsvColumnType): RowRejected {
    const how = this.#isDecided ? ", as its first rows are" : "";
    const detail = `\`${this.name}\` is ${quote(text)}, ${fault}; the column is read as ${this.type}${how}. Send types=${printCsvTypes([[this.name, advice]])} to read it otherwise.`;
    return new RowRejected("type-mismatch", detail);
  }
}
