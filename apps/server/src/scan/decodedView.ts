import type { Values } from "@hadal/kernel-wasm";
import { SharedObject } from "../base/plainCodec.js";
import { type DictionaryInts, type EncodedInts, undecodedAddress } from "../column/encodedInts.js";
import type { CodedColumn, IntColumn, SegmentColumn } from "../column/segmentColumn.js";
import { type SegmentView, segmentRowsMax } from "../store/segmentView.js";
import type { QueryMemory } from "./queryMemory.js";
import { decodedColumnsMax } from "./scratch.js";

class DecodedValues extends SharedObject implements Values {
  constructor(
    public address: number,
    readonly width: Values["width"],
  ) {
    super();
  }
}

/** A column that the scan thread decodes before it reads the unit. */
export interface ColumnDecode {
  readonly encoded: EncodedInts;
  /** The one object that all of the unit's conditions, groups and inputs of the column share, also once it was sent to a thread: decoding sets the address. */
  readonly values: DecodedValues;
  /** Which of the thread's own rooms it is decoded to; null when `values` has an address already. */
  readonly room: number | null;
  /** Only group numbers are made of it: decoded when rows get some. */
  readonly late: boolean;
}

export interface DecodedView extends SegmentView {
  /** Grows as columns are asked for their values. */
  readonly decodes: readonly ColumnDecode[];
  /** How an integer column lies in memory if that is as codes of a table: conditions on it need no decoded values. */
  codesOf(name: string): DictionaryInts | null;
  /** The times, where nothing but group numbers may need them. */
  readonly lateTimes: Values;
}

/**
 * The segment as if all of its columns were plain. Whoever takes the `values` (or the `times`) of an encoded
 * one has it decoded; a column that zone maps alone answer for is not.
 */
export function decodedView(segment: SegmentView, memory: QueryMemory): DecodedView {
  return new View(segment, new Decodes(memory));
}

/** What of one segment is decoded, each column once. */
class Decodes {
  readonly list: { -readonly [Key in keyof ColumnDecode]: ColumnDecode[Key] }[] = [];

  constructor(private readonly memory: QueryMemory) {}

  valuesOf(encoded: EncodedInts, width: Values["width"], late = false): Values {
    const known = this.list.find((decode) => decode.encoded === encoded);
    if (known !== undefined) {
      known.late &&= late;
      return known.values;
    }
    const room = this.list.length < decodedColumnsMax ? this.list.length : null;
    const address = room === null ? this.memory.allocate(segmentRowsMax * 8) : undecodedAddress;
    const values = new DecodedValues(address, width);
    this.list.push({ encoded, values, room, late });
    return values;
  }
}

/** Looked through, not copied: a query makes one for each of hundreds of segments, and copies of them took most of its lowering. */
class View implements DecodedView {
  readonly columns: SegmentView["columns"];

  constructor(
    private readonly segment: SegmentView,
    private readonly decoded: Decodes,
  ) {
    this.columns = new PlainColumns(segment.columns, decoded);
  }

  get decodes(): readonly ColumnDecode[] {
    return this.decoded.list;
  }

  get times(): Values {
    return this.#timesWhen(false);
  }

  get lateTimes(): Values {
    return this.#timesWhen(true);
  }

  #timesWhen(late: boolean): Values {
    const { times, encodedTimes } = this.segment;
    return encodedTimes === null ? times : this.decoded.valuesOf(encodedTimes, times.width, late);
  }

  codesOf(name: string): DictionaryInts | null {
    const column = this.segment.columns.get(name);
    const encoded = column?.kind === "int" ? column.encoded : null;
    return encoded?.kind === "dictionary" ? encoded : null;
  }

  get rowCount(): number {
    return this.segment.rowCount;
  }

  get sorted(): boolean {
    return this.segment.sorted;
  }

  get timeBase(): bigint {
    return this.segment.timeBase;
  }

  get encodedTimes(): EncodedInts | null {
    return this.segment.encodedTimes;
  }

  get minMs(): number {
    return this.segment.minMs;
  }

  get maxMs(): number {
    return this.segment.maxMs;
  }

  get weights(): Values | null {
    return this.segment.weights;
  }

  get weightMax(): number {
    return this.segment.weightMax;
  }

  get weightTotal(): number {
    return this.segment.weightTotal;
  }

  get sums(): SegmentView["sums"] {
    return this.segment.sums;
  }

  get histograms(): SegmentView["histograms"] {
    return this.segment.histograms;
  }

  get pins(): SegmentView["pins"] {
    return this.segment.pins;
  }

  get columnBytes(): SegmentView["columnBytes"] {
    return this.segment.columnBytes;
  }
}

class PlainColumns {
  constructor(
    private readonly columns: SegmentView["columns"],
    private readonly decoded: Decodes,
  ) {}

  get(name: string): SegmentColumn | undefined {
    const column = this.columns.get(name);
    if (column === undefined || column.kind === "text" || column.encoded === null) return column;
    return column.kind === "int"
      ? new PlainColumn(column, column.encoded, this.decoded)
      : plainCodes(column, column.encoded, this.decoded);
  }
}

/** The values are asked for when a task is made of them. */
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
