import * as abi from "../../assembly/abi.js";
import { wordBytes } from "./jsonLayout.js";

/** The kinds of a name's values; of fractions, strings, sets and vectors at most one. */
export const accepts = {
  null: abi.ACCEPTS_NULL,
  integer: abi.ACCEPTS_INTEGER,
  /** Cut behind `decimals` digits. */
  fraction: abi.ACCEPTS_FRACTION,
  /** And true and false, as the strings that they are written as. */
  string: abi.ACCEPTS_STRING,
  /** A set, `{"$set":["a"]}`, of strings and of other values that are printed as written. */
  set: abi.ACCEPTS_SET,
  /** A list of the same. */
  vector: abi.ACCEPTS_VECTOR,
  /** An object of the names that are the place's children; its own cell is missing then. */
  object: abi.ACCEPTS_OBJECT,
  /** A time as RFC 3339 writes it, as milliseconds since 1970. */
  time: abi.ACCEPTS_TIME,
} as const;

/** How each row ends. */
export const rowLayout = {
  /** The end of its line. */
  lines: abi.ROWS_IN_LINES,
  /** A comma, and the next row on the same line, */
  listedInLine: abi.ROWS_LISTED_IN_LINE,
  /** or on the next one. */
  listedInLines: abi.ROWS_LISTED_IN_LINES,
} as const;

export type RowLayout = (typeof rowLayout)[keyof typeof rowLayout];

/** The kind of a cell. */
export const cell = {
  missing: abi.CELL_MISSING,
  integer: abi.CELL_INTEGER,
  fraction: abi.CELL_FRACTION,
  text: abi.CELL_TEXT,
} as const;

/** A name that rows may have, and its values as far as they are read here. */
export interface JsonPlace {
  /** In UTF-8 with its quotes and the colon behind them, escaped as rows write it. */
  readonly key: Uint8Array;
  /** Bits of {@link accepts}. */
  readonly accepts: number;
  readonly decimals: number;
  /**
   * Which places are the names within its objects, [first, behind the last); of all places or of
   * none.
   */
  readonly children?: readonly [first: number, end: number];
  /** Bounds of integers and times. */
  readonly min: bigint;
  readonly max: bigint;
}

/** The cells of a name, one for each row of the last read, from 0 on. */
export interface JsonCells {
  /** Of {@link cell}. */
  readonly kinds: Uint8Array;
  /** Integers, or fractions times 10^decimals, */
  readonly numbers: BigInt64Array;
  /** and as two words each, the lower one first. */
  readonly halves: Int32Array;
  /**
   * Numbers of texts, from 1, in the order in which they come first, also in reads before, see
   * {@link JsonRows.packTexts}.
   */
  readonly codes: Uint32Array;
  /** How many cells are that. */
  readonly missing: number;
  readonly fractions: number;
  /** The texts numbered so far, some of them maybe more than once. */
  readonly textCount: number;
  /** Of these, how many were packed. */
  readonly textsReported: number;
}

type CellViews = Pick<JsonCells, "kinds" | "numbers" | "halves" | "codes">;

/** The cells of a place, as views of the memory. */
export class PlaceCells implements JsonCells {
  readonly kinds: Uint8Array;
  readonly numbers: BigInt64Array;
  readonly halves: Int32Array;
  readonly codes: Uint32Array;
  textsReported = 0;
  readonly #place: Uint32Array;

  constructor({ kinds, numbers, halves, codes }: CellViews, place: Uint32Array) {
    this.kinds = kinds;
    this.numbers = numbers;
    this.halves = halves;
    this.codes = codes;
    this.#place = place;
  }

  get missing(): number {
    return this.#place[abi.PLACE_MISSING / wordBytes]!;
  }

  get fractions(): number {
    return this.#place[abi.PLACE_FRACTIONS / wordBytes]!;
  }

  get textCount(): number {
    return this.#place[abi.PLACE_TEXT_COUNT / wordBytes]!;
  }

  forgetTexts(): void {
    this.#place[abi.PLACE_TEXT_COUNT / wordBytes] = 0;
    this.textsReported = 0;
  }
}
