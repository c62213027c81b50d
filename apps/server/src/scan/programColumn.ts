import { type BitmapAddress, columnWords, writeProgramColumn } from "@hadal/kernel-wasm";
import { encodedBytes } from "../column/intEncodings.js";
import type { IntColumn, SegmentColumn } from "../column/segmentColumn.js";
import { floorDouble } from "../store/segmentTotals.js";
import type { SegmentView } from "../store/segmentView.js";
import type { ColumnProduct } from "./columnProduct.js";
import { DerivedInts, isDerived } from "./derivedColumn.js";

/** How a scan program reads one column of one segment. */
export interface ProgramColumn {
  /** The words of the program; null: it cannot read the values. */
  readonly words: Int32Array | null;
  /** Whether these are codes of a table: of use to conditions, not to sums. */
  readonly isCoded: boolean;
  /** Whether it is a product: of use to sums, not to conditions. */
  readonly isProduct: boolean;
  /** Bitmap of the rows that have a value, 0: all have; null: the program cannot tell. */
  readonly present: BitmapAddress | null;
  /** Whether the segment lacks it. */
  readonly isMissing: boolean;
  readonly decimals: number;
  /** No value is below or above; exact where a double is, else rounded outward. */
  readonly atLeast: number;
  readonly atMost: number;
  /** Whether every row has a value. */
  readonly isComplete: boolean;
  readonly bytes: number;
}

/** So many columns of a segment are kept, some 20 KB: a dashboard's worth, as of the segment's totals. */
const columnsKeptMax = 64;

/** Nothing in a segment changes, so what was found out once stays for as long as it is there. */
const known = new WeakMap<SegmentView, Map<string, ProgramColumn>>();

/** The columns of a segment that have been asked for by now. */
export class ProgramColumns {
  readonly #columns: Map<string, ProgramColumn>;

  constructor(private readonly segment: SegmentView) {
    let columns = known.get(segment);
    if (columns === undefined) {
      columns = new Map();
      known.set(segment, columns);
    }
    this.#columns = columns;
  }

  get(name: string): ProgramColumn {
    let column = this.#columns.get(name);
    if (column === undefined) {
      const oldest = this.#columns.keys().next();
      if (this.#columns.size >= columnsKeptMax && !oldest.done) this.#columns.delete(oldest.value);
      column = describe(this.segment.columns.get(name), this.segment.rowCount);
      this.#columns.set(name, column);
    }
    return column;
  }
}

function describe(column: SegmentColumn | undefined, rowCount: number): ProgramColumn {
  if (column === undefined) {
    const missing = wordsOf(null);
    return { ...unread, words: missing, present: 0, isMissing: true };
  }
  if (column instanceof DerivedInts && column.product !== null) {
    return describeProduct(column, column.product);
  }
  if (isDerived(column)) return unread;
  if (column.kind === "int") return describeInts(column, rowCount);
  if (column.kind === "coded") return { ...unread, bytes: column.values.width * rowCount };
  return { ...unread, present: column.present, bytes: column.textBytes };
}

const unread: ProgramColumn = {
  ...{
    words: null,
    isCoded: false,
    isProduct: false,
    present: null,
    isMissing: false,
    decimals: 0,
  },
  ...{ atLeast: 0, atMost: 0, isComplete: false, bytes: 0 },
};

function describeInts(column: IntColumn, rowCount: number): ProgramColumn {
  const { values, base, present, encoded, decimals } = column;
  const isCoded = encoded?.kind === "dictionary";
  const table = isCoded ? { values: encoded.table, count: encoded.tableCount } : null;
  const stored = isCoded ? encoded.codes : values;
  const isRead = encoded === null || isCoded;
  return {
    words: isRead ? wordsOf({ values: stored, base, present, table }) : null,
    isCoded,
    isProduct: false,
    present,
    isMissing: false,
    decimals,
    ...zoneOf(column),
    isComplete: present === 0,
    bytes: encoded === null ? values.width * rowCount : encodedBytes(encoded, rowCount),
  };
}

/** Its columns' bytes are counted where the query's columns are. */
function describeProduct(
  column: DerivedInts,
  { values, base, second, present }: ColumnProduct,
): ProgramColumn {
  const product = second === null ? {} : { second };
  return {
    ...unread,
    words: wordsOf({ values, base, present, table: null, ...product }),
    isProduct: true,
    present,
    decimals: column.decimals,
    ...zoneOf(column),
    isComplete: present === 0,
  };
}

function zoneOf({ min, max }: IntColumn): Pick<ProgramColumn, "atLeast" | "atMost"> {
  if (min > max) return { atLeast: 0, atMost: 0 };
  return { atLeast: floorDouble(min), atMost: -floorDouble(-max) };
}

function wordsOf(column: Parameters<typeof writeProgramColumn>[2]): Int32Array {
  const words = new Int32Array(columnWords);
  writeProgramColumn(words, 0, column);
  return words;
}

/** Writes a column of so much in every row that has a value: none of its values are read. */
export function writeConstant(
  words: Int32Array,
  at: number,
  base: bigint,
  /** Undefined: every row has. */
  column: ProgramColumn | undefined,
): void {
  const { present = 0, isMissing = false } = column ?? {};
  if (present === null) throw new Error("a segment is covered that cannot tell what is present");
  writeProgramColumn(words, at, isMissing ? null : { ...constant, base, present });
}

const constant = { values: { address: 0, width: 0 }, table: null } as const;
