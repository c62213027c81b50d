import type { Values } from "@hadal/kernel-wasm";
import {
  type DictionaryInts,
  type EncodedInts,
  undecodedAddress,
} from "../../column/encodedInts.js";
import type {
  CodedColumn,
  IntColumn,
  SegmentColumn,
  StringColumn,
} from "../../column/segmentColumn.js";
import { type SegmentView, segmentRowsMax } from "../../store/segment/segmentView.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import { decodedColumnsMax } from "../memory/scratch.js";
import { type ColumnDecode, DecodedValues, type DecodeReader } from "../task/columnDecode.js";
import type { EvaluatedSource } from "../task/deriveTask.js";
import {
  DerivedCodes,
  DerivedInts,
  type DerivedSource,
  DerivedTexts,
  EvaluatedTexts,
  isDerived,
} from "./derivedColumn.js";

export interface DecodedView extends SegmentView {
  /** Grows as values of columns are taken. */
  readonly decodes: readonly ColumnDecode[];
  /**
   * The table encoding of an integer column, if it has one: conditions on it need no decoded
   * values.
   */
  codesOf(name: string): DictionaryInts | null;
  /** Bitmap of the rows in which a derived column's arithmetic has overflown; 0: none can. */
  overflownOf(name: string): number;
  /** The times, where nothing but group numbers may need them. */
  readonly lateTimes: Values;
  /** Ends the filter's part: later columns are for the rest of the scan. */
  endFilter(): void;
}

/**
 * The segment as if all of its columns were plain. Taking the `values` (or `times`) of an encoded
 * column has it decoded; a column that is only read through zone maps is not.
 */
export function decodedView(segment: SegmentView, memory: QueryMemory): DecodedView {
  return new View(segment, new Decodes(memory));
}

/** "late": only when group numbers need the column. */
type DecodeTime = "early" | "late";

type OpenDecode = { -readonly [Key in keyof ColumnDecode]: ColumnDecode[Key] };

/** What of one segment is decoded, each column once. */
class Decodes {
  readonly list: OpenDecode[] = [];
  reader: DecodeReader = "filter";
  readonly #derived = new Map<DerivedSource, OpenDecode>();

  readonly #memory: QueryMemory;

  constructor(memory: QueryMemory) {
    this.#memory = memory;
  }

  valuesOf(encoded: EncodedInts, width: Values["width"], when: DecodeTime = "early"): Values {
    const known = this.list.find((decode) => decode.encoded === encoded);
    if (known === undefined) return this.#add(encoded, width, when).values;
    known.late &&= when === "late";
    return known.values;
  }

  /** Its inputs come before it in the list. */
  derivedOf(source: DerivedSource, view: DecodedView): Values {
    let known = this.#derived.get(source);
    if (known === undefined) {
      const task = this.#readByOthers(() => source.taskIn(view));
      known = this.#add(task, source.width, "early");
      this.#derived.set(source, known);
    } else if (this.reader === "rest" || known.readBy === "others") known.readBy = this.reader;
    return known.values;
  }

  /** The inputs of strings that are computed row by row. */
  sourceOf(source: () => EvaluatedSource): EvaluatedSource {
    return this.#readByOthers(source);
  }

  #readByOthers<Found>(find: () => Found): Found {
    const { reader } = this;
    this.reader = "others";
    const found = find();
    this.reader = reader;
    return found;
  }

  #add(encoded: ColumnDecode["encoded"], width: Values["width"], when: DecodeTime): OpenDecode {
    const scratchIndex = this.list.length < decodedColumnsMax ? this.list.length : null;
    const address =
      scratchIndex === null ? this.#memory.allocate(segmentRowsMax * 8) : undecodedAddress;
    const values = new DecodedValues(address, width);
    const decode: OpenDecode = {
      encoded,
      values,
      scratchIndex,
      late: when === "late",
      readBy: this.reader,
    };
    this.list.push(decode);
    return decode;
  }
}

/**
 * A view and no copy: a query makes one for each of hundreds of segments, and copies took most of
 * the lowering.
 */
class View implements DecodedView {
  readonly columns: SegmentView["columns"];

  readonly #segment: SegmentView;
  readonly #decoded: Decodes;

  constructor(segment: SegmentView, decoded: Decodes) {
    this.#segment = segment;
    this.#decoded = decoded;
    this.columns = new PlainColumns(segment.columns, decoded, this);
  }

  get decodes(): readonly ColumnDecode[] {
    return this.#decoded.list;
  }

  endFilter(): void {
    this.#decoded.reader = "rest";
  }

  get times(): Values {
    return this.#timesWhen("early");
  }

  get lateTimes(): Values {
    return this.#timesWhen("late");
  }

  #timesWhen(when: DecodeTime): Values {
    const { times, encodedTimes } = this.#segment;
    return encodedTimes === null ? times : this.#decoded.valuesOf(encodedTimes, times.width, when);
  }

  codesOf(name: string): DictionaryInts | null {
    const column = this.#segment.columns.get(name);
    const encoded = column?.kind === "int" ? column.encoded : null;
    return encoded?.kind === "dictionary" ? encoded : null;
  }

  overflownOf(name: string): number {
    const column = this.#segment.columns.get(name);
    if (column === undefined || !isDerived(column)) return 0;
    const { overflown } = column.derived;
    if (overflown !== 0) this.#decoded.derivedOf(column.derived, this);
    return overflown;
  }

  get rowCount(): number {
    return this.#segment.rowCount;
  }

  get sorted(): boolean {
    return this.#segment.sorted;
  }

  get timeBase(): bigint {
    return this.#segment.timeBase;
  }

  get encodedTimes(): EncodedInts | null {
    return this.#segment.encodedTimes;
  }

  get minMs(): number {
    return this.#segment.minMs;
  }

  get maxMs(): number {
    return this.#segment.maxMs;
  }

  get weights(): Values | null {
    return this.#segment.weights;
  }

  get weightMax(): number {
    return this.#segment.weightMax;
  }

  get weightTotal(): number {
    return this.#segment.weightTotal;
  }

  get sums(): SegmentView["sums"] {
    return this.#segment.sums;
  }

  get histograms(): SegmentView["histograms"] {
    return this.#segment.histograms;
  }

  get pins(): SegmentView["pins"] {
    return this.#segment.pins;
  }

  get columnBytes(): SegmentView["columnBytes"] {
    return this.#segment.columnBytes;
  }
}

class PlainColumns {
  readonly #columns: SegmentView["columns"];
  readonly #decoded: Decodes;
  readonly #view: DecodedView;

  constructor(columns: SegmentView["columns"], decoded: Decodes, view: DecodedView) {
    this.#columns = columns;
    this.#decoded = decoded;
    this.#view = view;
  }

  get(name: string): SegmentColumn | undefined {
    const column = this.#columns.get(name);
    if (column instanceof DerivedInts) return new ComputedInts(column, this.#decoded, this.#view);
    if (column instanceof DerivedCodes) return new ComputedCodes(column, this.#decoded, this.#view);
    if (column instanceof DerivedTexts) return new ComputedTexts(column, this.#decoded, this.#view);
    if (column === undefined || column.kind === "text" || column.encoded === null) return column;
    return column.kind === "int"
      ? new PlainColumn(column, column.encoded, this.#decoded)
      : plainCodes(column, column.encoded, this.#decoded);
  }
}

/** A derived column whose values and presence are read. */
class ComputedInts implements IntColumn {
  readonly kind = "int";
  readonly encoded = null;
  readonly decimals: number;
  readonly base: bigint;
  readonly min: bigint;
  readonly max: bigint;
  readonly #column: DerivedInts;
  readonly #decoded: Decodes;
  readonly #view: DecodedView;

  constructor(column: DerivedInts, decoded: Decodes, view: DecodedView) {
    this.decimals = column.decimals;
    this.base = column.base;
    this.min = column.min;
    this.max = column.max;
    this.#column = column;
    this.#decoded = decoded;
    this.#view = view;
  }

  get values(): Values {
    return this.#decoded.derivedOf(this.#column.derived, this.#view);
  }

  get present(): number {
    const { present, derived } = this.#column;
    if (present !== 0) this.#decoded.derivedOf(derived, this.#view);
    return present;
  }
}

class ComputedCodes implements StringColumn {
  readonly kind = "coded";
  readonly type = "string";
  readonly encoded = null;
  readonly dictionary: StringColumn["dictionary"];
  readonly #derived: DerivedSource;
  readonly #decoded: Decodes;
  readonly #view: DecodedView;

  constructor({ dictionary, derived }: DerivedCodes, decoded: Decodes, view: DecodedView) {
    this.dictionary = dictionary;
    this.#derived = derived;
    this.#decoded = decoded;
    this.#view = view;
  }

  get values(): Values {
    return this.#decoded.derivedOf(this.#derived, this.#view);
  }
}

class ComputedTexts extends EvaluatedTexts {
  #source: EvaluatedSource | null = null;
  readonly #column: DerivedTexts;
  readonly #decoded: Decodes;
  readonly #view: DecodedView;

  constructor(column: DerivedTexts, decoded: Decodes, view: DecodedView) {
    super();
    this.#column = column;
    this.#decoded = decoded;
    this.#view = view;
  }

  /** Written when it is first read. */
  get present(): number {
    const { present, derived } = this.#column;
    this.#decoded.derivedOf(derived, this.#view);
    return present;
  }

  get overflown(): number {
    return this.#column.overflown;
  }

  get source(): EvaluatedSource {
    // Facts about its inputs are kept beside the source: there is one.
    this.#source ??= this.#decoded.sourceOf(() => this.#column.sourceIn(this.#view));
    return this.#source;
  }
}

/** The values are taken when a task is made of them. */
function plainCodes(column: CodedColumn, stored: EncodedInts, decoded: Decodes): CodedColumn {
  const { width } = column.values;
  return {
    ...column,
    encoded: null,
    get values() {
      return decoded.valuesOf(stored, width);
    },
  };
}

class PlainColumn implements IntColumn {
  readonly kind = "int";
  readonly encoded = null;
  readonly decimals: number;
  readonly base: bigint;
  readonly present: number;
  readonly min: bigint;
  readonly max: bigint;
  readonly #width: Values["width"];
  readonly #stored: EncodedInts;
  readonly #decoded: Decodes;

  constructor(
    { decimals, base, present, min, max, values }: IntColumn,
    stored: EncodedInts,
    decoded: Decodes,
  ) {
    this.#stored = stored;
    this.#decoded = decoded;
    this.decimals = decimals;
    this.base = base;
    this.present = present;
    this.min = min;
    this.max = max;
    this.#width = values.width;
  }

  get values(): Values {
    return this.#decoded.valuesOf(this.#stored, this.#width);
  }
}
