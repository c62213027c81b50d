import type { Values } from "@hadal/kernel-wasm";
import type { Dictionary } from "../../column/dictionary.js";
import { undecodedAddress } from "../../column/encodedInts.js";
import type { ColumnReader } from "../../column/readColumn.js";
import type {
  IntColumn,
  SegmentColumn,
  StringColumn,
  TextColumn,
} from "../../column/segmentColumn.js";
import type { TextReader } from "../../column/textReader.js";
import type { Cell } from "../../function/term/cell.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import type { DeriveTask, EvaluatedSource } from "../task/deriveTask.js";
import type { ColumnProduct } from "./columnProduct.js";

/** Readers of single stored rows on the main thread. */
export interface CellReaders {
  readonly columns: ColumnReader;
  readonly texts: TextReader;
}

/** How the values of a derived column are computed in one segment. */
export interface DerivedSource {
  /** Width of the written values; 0: only presence is written. */
  readonly width: Values["width"];
  /** Integers are written as value − base. */
  readonly base: bigint;
  /** Bitmap of the rows that have a value; 0: all do, or the written codes show it. */
  readonly present: number;
  /** Bitmap of the rows whose arithmetic has overflown; 0: none can. */
  readonly overflown: number;
  /** The task for a scan thread; its inputs are columns of the view. */
  taskIn(view: SegmentView): DeriveTask;
  /** The value of one row, for the leaf's main thread. */
  cell(rowIndex: number, readers: CellReaders): Cell;
}

/**
 * A derived column of integers. Its zone map is computed from those of the inputs: no value need be
 * at its ends.
 */
export class DerivedInts implements IntColumn {
  readonly kind = "int";
  readonly encoded = null;
  readonly min: bigint;
  readonly max: bigint;

  constructor(
    readonly derived: DerivedSource,
    readonly decimals: number,
    { min, max }: { readonly min: bigint; readonly max: bigint },
    /** How scan programs read it; null: they cannot. */
    readonly product: ColumnProduct | null = null,
  ) {
    this.min = min;
    this.max = max;
  }

  get base(): bigint {
    return this.derived.base;
  }

  get present(): number {
    return this.derived.present;
  }

  get values(): Values {
    return { address: undecodedAddress, width: this.derived.width };
  }
}

/** A derived column of strings, as codes of a dictionary that the query has for it. */
export class DerivedCodes implements StringColumn {
  readonly kind = "coded";
  readonly type = "string";
  readonly encoded = null;
  readonly values: Values;

  constructor(
    readonly derived: DerivedSource,
    readonly dictionary: Dictionary,
  ) {
    this.values = { address: undecodedAddress, width: derived.width };
  }
}

/** A derived column of strings that are computed for each row that is read. It has no pages. */
export abstract class EvaluatedTexts implements TextColumn {
  readonly kind = "text";
  readonly directory = 0;
  readonly pageCount = 0;
  readonly rowCount = 0;
  readonly textBytes = 0;
  readonly signature = null;
  readonly templates = null;

  abstract readonly present: number;
  /** Bitmap of the rows whose arithmetic has overflown, for readers of all rows. */
  abstract readonly overflown: number;
  abstract readonly source: EvaluatedSource;
}

/** The same before its inputs are decoded in a view. */
export class DerivedTexts extends EvaluatedTexts {
  constructor(
    readonly derived: DerivedSource,
    readonly present: number,
    readonly sourceIn: (view: SegmentView) => EvaluatedSource,
  ) {
    super();
  }

  get overflown(): number {
    return this.derived.overflown;
  }

  get source(): EvaluatedSource {
    throw new Error("only a view has the addresses of the inputs");
  }
}

/** Whether a scan thread computes the column's values. */
export function isDerived(
  column: SegmentColumn,
): column is DerivedInts | DerivedCodes | DerivedTexts {
  return (
    column instanceof DerivedInts ||
    column instanceof DerivedCodes ||
    column instanceof DerivedTexts
  );
}
