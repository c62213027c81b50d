import { columnWords, writeProgramColumn } from "@hadal/kernel-wasm";
import { encodedBytes } from "../../column/intEncodings.js";
import type { IntColumn, SegmentColumn } from "../../column/segmentColumn.js";
import { floorDouble, type SegmentTotals } from "../../store/segment/segmentTotals.js";
import type { ColumnProduct } from "../derive/columnProduct.js";
import { DerivedInts, isDerived } from "../derive/derivedColumn.js";

/** How scan programs read one column in each segment, by the segment's place. */
export interface ProgramColumns {
  /** The words of the program, of each segment after the other. */
  readonly words: Int32Array;
  /** Bits of {@link traits}. */
  readonly traits: Uint8Array;
  /** Bitmap of the rows that have a value, 0: all have. */
  readonly present: Uint32Array;
  readonly decimals: Int32Array;
  /** No value is below or above; exact where a double is, else rounded outward. */
  readonly atLeast: Float64Array;
  readonly atMost: Float64Array;
  readonly bytes: Float64Array;
}

/** Facts about a column in a segment, as bits. */
export const traits = {
  /** The program can read its values. */
  readable: 1,
  /** These are codes of a table: of use to conditions, not to sums. */
  coded: 2,
  /** It is a product: of use to sums, not to conditions. */
  product: 4,
  /** The program knows which rows have a value. */
  hasPresence: 8,
  /** The segment lacks it. */
  missing: 16,
  /** Every row has a value. */
  complete: 32,
} as const;

export function programColumns(totals: SegmentTotals, name: string): ProgramColumns {
  return totals.followed(`program ${name}`, create, (columns, at, { columns: own, rowCount }) =>
    fill(columns, at, describe(own.get(name), rowCount)),
  );
}

function create(capacity: number): ProgramColumns {
  return {
    words: new Int32Array(capacity * columnWords),
    traits: new Uint8Array(capacity),
    present: new Uint32Array(capacity),
    decimals: new Int32Array(capacity),
    atLeast: new Float64Array(capacity),
    atMost: new Float64Array(capacity),
    bytes: new Float64Array(capacity),
  };
}

type ProgramValues = Parameters<typeof writeProgramColumn>[2];

/** One column of one segment. */
interface Described {
  readonly traits: number;
  /** Null where the column is missing or not readable. */
  readonly values: ProgramValues;
  readonly present: number;
  readonly decimals: number;
  readonly atLeast: number;
  readonly atMost: number;
  readonly bytes: number;
}

function fill(columns: ProgramColumns, at: number, one: Described): void {
  columns.traits[at] = one.traits;
  columns.present[at] = one.present;
  columns.decimals[at] = one.decimals;
  columns.atLeast[at] = one.atLeast;
  columns.atMost[at] = one.atMost;
  columns.bytes[at] = one.bytes;
  writeProgramColumn(columns.words, at * columnWords, one.values);
}

const unread: Described = {
  ...{ traits: 0, values: null, present: 0, decimals: 0, atLeast: 0, atMost: 0, bytes: 0 },
};

function describe(column: SegmentColumn | undefined, rowCount: number): Described {
  if (column === undefined) {
    return { ...unread, traits: traits.readable | traits.hasPresence | traits.missing };
  }
  if (column instanceof DerivedInts && column.product !== null) {
    return describeProduct(column, column.product);
  }
  if (isDerived(column)) return unread;
  if (column.kind === "int") return describeInts(column, rowCount);
  if (column.kind === "coded") return { ...unread, bytes: column.values.width * rowCount };
  return {
    ...unread,
    traits: traits.hasPresence,
    present: column.present,
    bytes: column.textBytes,
  };
}

function describeInts(column: IntColumn, rowCount: number): Described {
  const { values, base, present, encoded, decimals } = column;
  const isCoded = encoded?.kind === "dictionary";
  const table = isCoded ? { values: encoded.table, count: encoded.tableCount } : null;
  const stored = isCoded ? encoded.codes : values;
  const isRead = encoded === null || isCoded;
  return {
    traits:
      traits.hasPresence |
      (isRead ? traits.readable : 0) |
      (isCoded ? traits.coded : 0) |
      (present === 0 ? traits.complete : 0),
    values: isRead ? { values: stored, base, present, table } : null,
    present,
    decimals,
    bytes: encoded === null ? values.width * rowCount : encodedBytes(encoded, rowCount),
    ...zoneOf(column),
  };
}

/** Its columns' bytes are counted where the query's columns are. */
function describeProduct(
  column: DerivedInts,
  { values, base, second, present }: ColumnProduct,
): Described {
  const product = second === null ? {} : { second };
  return {
    traits:
      traits.hasPresence | traits.readable | traits.product | (present === 0 ? traits.complete : 0),
    values: { values, base, present, table: null, ...product },
    present,
    decimals: column.decimals,
    bytes: 0,
    ...zoneOf(column),
  };
}

function zoneOf({ min, max }: IntColumn): Pick<Described, "atLeast" | "atMost"> {
  if (min > max) return { atLeast: 0, atMost: 0 };
  return { atLeast: floorDouble(min), atMost: -floorDouble(-max) };
}
