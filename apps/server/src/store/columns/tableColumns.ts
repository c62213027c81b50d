import type { ColumnType } from "@hadal/sdk";
import { codedColumn, encodedDictionary } from "../../base/row/codedColumn.js";
import type {
  BatchColumn,
  DenseBatchColumn,
  IntBatchColumn,
  RowBatch,
} from "../../base/row/rowBatch.js";
import { cellsOf, withCells } from "../../base/row/sparseColumn.js";
import { columnOfPlace, isSparePlace, placeName, spareForm } from "../../column/columnPlace.js";
import { fitsInt64, rescale } from "../../column/decimal.js";
import { Dictionary, isFull } from "../../column/dictionary.js";
import { ListDictionary } from "../../column/listDictionary.js";
import {
  type ColumnDictionary,
  columnTypeOf,
  createDictionary,
  type SegmentColumn,
} from "../../column/segmentColumn.js";
import type { ColumnLayout } from "../open/openSegment.js";
import type { StoredSegment } from "../segment/segmentView.js";

type CodedType = Exclude<ColumnType, "int">;

/** Beyond this, elements rarely repeat, and are removed with their segments as the lists are. */
const elementsSharedMax = 65_536;

/** The place of a column's values of one type; see `column/columnPlace`. */
export interface ColumnPlace {
  readonly name: string;
  readonly column: string;
  readonly type: ColumnType;
}

interface Place extends ColumnPlace {
  /** Of rows that come. */
  decimals: number;
  /** Whether segments may have other decimals. */
  hasOtherDecimals: boolean;
  /** Strings had too many distinct values: new segments store them as text. */
  text: boolean;
  dictionary: ColumnDictionary | null;
}

/** The form of a stored column whose place is not known yet. */
export interface StoredForm {
  readonly type: ColumnType;
  readonly decimals: number;
}

/**
 * The columns of one table on one leaf, as rows so far have made them: each type of a column has
 * its place.
 */
export class TableColumns {
  readonly #places = new Map<string, Place>();
  readonly #columns = new Map<string, Place[]>();
  /** Of places that have no column yet. */
  readonly #restored = new Map<string, ColumnDictionary>();

  get names(): IterableIterator<string> {
    return this.#columns.keys();
  }

  get count(): number {
    return this.#columns.size;
  }

  get dictionaryBytes(): number {
    let bytes = 0;
    for (const { dictionary } of this.#places.values()) bytes += dictionary?.bytes ?? 0;
    return bytes;
  }

  dictionaryBytesOf(column: string): number {
    return this.#placesOf(column).reduce(
      (bytes, { dictionary }) => bytes + (dictionary?.bytes ?? 0),
      0,
    );
  }

  has(column: string): boolean {
    return this.#columns.has(column);
  }

  /** In the order of their arrival; empty for an unknown column. */
  placesOf(column: string): readonly ColumnPlace[] {
    return this.#placesOf(column);
  }

  /** Whether all values of the column are in one place, in this form. */
  isAll(column: string, { type, decimals }: StoredForm): boolean {
    const places = this.#columns.get(column);
    if (places === undefined) return true;
    const [only] = places;
    if (only?.name !== column || places.length > 1 || only.type !== type) return false;
    return type !== "int" || (only.decimals === decimals && !only.hasOtherDecimals);
  }

  layoutOf(place: string): ColumnLayout {
    const { type, decimals, text } = this.#known(place);
    if (type === "int") return { kind: "int", decimals };
    if (type === "string" && text) return { kind: "text" };
    return { kind: "coded", type, dictionary: this.dictionaryOf(place, type) };
  }

  dictionaryOf(place: string, type: CodedType): ColumnDictionary {
    const known = this.#places.get(place) ?? this.#add(place, type, 0);
    known.dictionary ??= createDictionary(type);
    return known.dictionary;
  }

  /** The dictionaries that new rows go to, by place. */
  get dictionaries(): readonly (readonly [place: string, ColumnDictionary])[] {
    return [...this.#places.values()].flatMap(({ name, dictionary }) =>
      dictionary === null ? [] : [[name, dictionary] as const],
    );
  }

  /** Places take these dictionaries when their first column comes. */
  useDictionaries(dictionaries: TableColumns["dictionaries"]): void {
    for (const [place, dictionary] of dictionaries) this.#restored.set(place, dictionary);
  }

  /**
   * A dictionary of lists for one segment alone, which shares its elements with the others while
   * these are few.
   */
  ownLists(place: string, type: "set" | "vector"): ListDictionary {
    const shared = this.dictionaryOf(place, type);
    if (shared instanceof ListDictionary && shared.elements.codeCount <= elementsSharedMax) {
      return new ListDictionary(shared.elements);
    }
    const renewed = new ListDictionary();
    this.#known(place).dictionary = renewed;
    return new ListDictionary(renewed.elements);
  }

  /** From here on lists of these places go to other dictionaries. */
  renewLists(places: ReadonlyMap<string, "set" | "vector">): void {
    for (const [place, type] of places) this.#known(place).dictionary = this.ownLists(place, type);
  }

  /**
   * Whether appending the column changes the decimals of its place; then the open segment must be
   * sealed first.
   */
  changes(column: BatchColumn): boolean {
    const found = this.#formOf(cellsOf(column));
    return found.place !== null && found.place.decimals !== found.decimals;
  }

  /**
   * The batch with its columns under the names of their places, which have room for them from here
   * on.
   */
  take(batch: RowBatch): RowBatch {
    return { ...batch, columns: batch.columns.map((column) => this.#take(column)) };
  }

  #take(column: BatchColumn): BatchColumn {
    const cells = cellsOf(column);
    const { name, decimals, place } = this.#formOf(cells);
    const taken = place ?? this.#add(name, cells.type, decimals);
    if (taken.decimals !== decimals) {
      taken.decimals = decimals;
      taken.hasOtherDecimals = true;
    }
    return withCells(column, renamed(cells, name));
  }

  /**
   * The place of a column in a segment from the disk, where leaves may have named it in another
   * order, or before types had places.
   */
  placeOfStored(name: string, { type, decimals }: StoredForm): string {
    if (isSparePlace(name)) {
      if (!this.#places.has(name)) this.#add(name, type, decimals);
      return name;
    }
    const column = columnOfPlace(name);
    return (this.#find(column, type) ?? this.#add(this.#freeName(column, type), type, decimals))
      .name;
  }

  /** Takes in those of a segment that is older than others; new rows are stored as before. */
  add(columns: StoredSegment["columns"]): void {
    for (const [place, column] of columns) {
      const known = this.#places.get(place);
      if (known === undefined) this.register(place, column);
      else if (known.decimals !== formOf(column).decimals) known.hasOtherDecimals = true;
    }
  }

  /** Adds the columns of a segment from the disk. */
  register(place: string, column: SegmentColumn): void {
    const { type, decimals } = formOf(column);
    const known = this.#places.get(place) ?? this.#add(place, type, decimals);
    // Segments come in the order in which they were stored: new rows are stored as the last ones.
    if (known.decimals !== decimals) known.hasOtherDecimals = true;
    known.decimals = decimals;
    known.text = column.kind === "text";
  }

  /** Forgets decimals that no segment has any more. */
  narrow(segments: readonly StoredSegment[]): void {
    for (const known of this.#places.values()) {
      if (!known.hasOtherDecimals) continue;
      known.hasOtherDecimals = segments.some(({ columns }) => {
        const column = columns.get(known.name);
        return column !== undefined && formOf(column).decimals !== known.decimals;
      });
    }
  }

  /** Removes dictionaries that no segment uses any more. Running queries keep their references. */
  keepDictionariesOf(segments: readonly StoredSegment[]): void {
    const used = new Set<ColumnDictionary>();
    for (const { columns } of segments) {
      for (const column of columns.values()) {
        if (column.kind === "coded") used.add(column.dictionary);
      }
    }
    for (const place of this.#places.values()) {
      if (place.dictionary !== null && !used.has(place.dictionary)) place.dictionary = null;
    }
  }

  storeAsText(place: string): void {
    this.#known(place).text = true;
  }

  /**
   * Strings that are stored as text repeat again: new segments store codes, unless the dictionary
   * is full.
   */
  storeAsCodes(place: string, codesMax?: number): void {
    const known = this.#known(place);
    const { dictionary } = known;
    known.text = dictionary instanceof Dictionary && isFull(dictionary, codesMax);
  }

  /**
   * Where the values of a batch's column go, and with how many decimals; null: to a place that is
   * new.
   */
  #formOf(column: DenseBatchColumn): {
    readonly name: string;
    readonly place: Place | null;
    readonly decimals: number;
  } {
    const place = this.#find(column.name, column.type);
    if (place === null) {
      const name = this.#freeName(column.name, column.type);
      return { name, place, decimals: column.type === "int" ? column.decimals : 0 };
    }
    const { name } = place;
    if (column.type !== "int") return { name, place, decimals: 0 };
    const { decimals } = column;
    const isSet = column.set === "both" || column.set === "decimals";
    if (isSet || decimals >= place.decimals) return { name, place, decimals };
    if (fits(column, place.decimals)) return { name, place, decimals: place.decimals };
    const spare = placeName(column.name, spareForm(decimals));
    return { name: spare, place: this.#places.get(spare) ?? null, decimals };
  }

  /** The place of values of a type, but not the one for integers that do not fit there. */
  #find(column: string, type: ColumnType): Place | null {
    for (const place of this.#placesOf(column))
      if (place.type === type && !isSparePlace(place.name)) return place;
    return null;
  }

  #freeName(column: string, type: ColumnType): string {
    return this.#places.has(column) ? placeName(column, type) : column;
  }

  #placesOf(column: string): readonly Place[] {
    return this.#columns.get(column) ?? [];
  }

  #add(name: string, type: ColumnType, decimals: number): Place {
    const column = columnOfPlace(name);
    const dictionary = this.#restored.get(name) ?? null;
    const form = { type, decimals, hasOtherDecimals: false, text: false, dictionary };
    const place: Place = { name, column, ...form };
    this.#places.set(name, place);
    const places = this.#columns.get(column);
    if (places === undefined) this.#columns.set(column, [place]);
    else places.push(place);
    return place;
  }

  #known(name: string): Place {
    const place = this.#places.get(name);
    if (place === undefined) throw new Error(`the table has no column ${name}`);
    return place;
  }
}

function formOf(column: SegmentColumn): StoredForm {
  return { type: columnTypeOf(column), decimals: column.kind === "int" ? column.decimals : 0 };
}

function fits({ values, decimals }: IntBatchColumn, wanted: number): boolean {
  return values.every((value) => fitsInt64(rescale(value, decimals, wanted)));
}

function renamed(column: DenseBatchColumn, name: string): DenseBatchColumn {
  if (column.name === name) return column;
  if (column.type === "int") return { ...column, name };
  const { type, codes, set, sizes } = column;
  return codedColumn({ name, type, set }, encodedDictionary(column), codes, sizes);
}
