import type { ColumnType } from "@hadal/sdk";
import type { BatchColumn } from "../base/rowBatch.js";
import { fitsInt64, rescale } from "../column/decimal.js";
import { ListDictionary } from "../column/listDictionary.js";
import {
  type ColumnDictionary,
  columnTypeOf,
  createDictionary,
  type SegmentColumn,
} from "../column/segmentColumn.js";
import type { ColumnLayout } from "./openSegment.js";
import type { StoredSegment } from "./segmentView.js";

type CodedType = Exclude<ColumnType, "int">;

/** Types only widen: what was stored narrower is still read, as the wider type, by queries (S11). */
const widthOfType: Readonly<Record<ColumnType, number>> = { int: 0, string: 1, set: 2, vector: 3 };

/** With more elements these hardly repeat, and go with their segments as the lists do. */
const elementsSharedMax = 65_536;

interface TableColumn {
  readonly name: string;
  type: ColumnType;
  decimals: number;
  /** Strings had too many distinct values: new segments hold them as text. */
  text: boolean;
  readonly dictionaries: Map<CodedType, ColumnDictionary>;
}

interface BoundTo {
  readonly name: string;
  readonly type: ColumnType;
  readonly decimals: number;
}

/** The columns of one table on one leaf, as rows so far have made them. */
export class TableColumns {
  readonly #columns = new Map<string, TableColumn>();

  get names(): IterableIterator<string> {
    return this.#columns.keys();
  }

  get count(): number {
    return this.#columns.size;
  }

  get dictionaryBytes(): number {
    let bytes = 0;
    for (const name of this.#columns.keys()) bytes += this.dictionaryBytesOf(name);
    return bytes;
  }

  dictionaryBytesOf(name: string): number {
    let bytes = 0;
    for (const dictionary of this.#known(name).dictionaries.values()) bytes += dictionary.bytes;
    return bytes;
  }

  typeOf(name: string): { readonly type: ColumnType; readonly decimals: number } {
    const { type, decimals } = this.#known(name);
    return { type, decimals };
  }

  /** Whether a column has become wider than a query took it for: its values could not be told from missing ones. */
  isWiderThan({ name, type, decimals }: BoundTo): boolean {
    const known = this.#columns.get(name);
    if (known === undefined) return false;
    if (known.type !== type) return widthOfType[known.type] > widthOfType[type];
    return type === "int" && known.decimals > decimals;
  }

  has(name: string): boolean {
    return this.#columns.has(name);
  }

  layoutOf(name: string): ColumnLayout {
    const column = this.#known(name);
    if (column.type === "int") return { kind: "int", decimals: column.decimals };
    if (column.type === "string" && column.text) return { kind: "text" };
    const dictionary = this.dictionaryOf(name, column.type);
    return { kind: "coded", type: column.type, dictionary };
  }

  dictionaryOf(name: string, type: CodedType): ColumnDictionary {
    const column = this.#columns.get(name) ?? this.#add(name, type, 0);
    let dictionary = column.dictionaries.get(type);
    if (dictionary === undefined) {
      dictionary = createDictionary(type);
      column.dictionaries.set(type, dictionary);
    }
    return dictionary;
  }

  /** A dictionary of lists for one segment alone, which shares its elements with the others while these are few. */
  ownLists(name: string, type: "set" | "vector"): ListDictionary {
    const shared = this.dictionaryOf(name, type);
    if (shared instanceof ListDictionary && shared.elements.codeCount <= elementsSharedMax) {
      return new ListDictionary(shared.elements);
    }
    const renewed = new ListDictionary();
    this.#known(name).dictionaries.set(type, renewed);
    return new ListDictionary(renewed.elements);
  }

  /** From here on lists of these columns go to other dictionaries. */
  renewLists(columns: ReadonlyMap<string, "set" | "vector">): void {
    for (const [name, type] of columns) {
      this.#known(name).dictionaries.set(type, this.ownLists(name, type));
    }
  }

  /** Whether appending the column changes how the table stores it; then the open segment must be sealed first. */
  changes(column: BatchColumn): boolean {
    const known = this.#columns.get(column.name);
    if (known === undefined) return false;
    const wanted = widened(known, column);
    return wanted.type !== known.type || wanted.decimals !== known.decimals;
  }

  /** Takes the column's type in; from here on {@link layoutOf} has room for its values. */
  widen(column: BatchColumn): void {
    const known =
      this.#columns.get(column.name) ??
      this.#add(column.name, column.type, column.type === "int" ? column.decimals : 0);
    Object.assign(known, widened(known, column));
  }

  /** Takes in what a segment from the disk holds. */
  register(name: string, column: SegmentColumn): void {
    const type = columnTypeOf(column);
    const decimals = column.kind === "int" ? column.decimals : 0;
    const known = this.#columns.get(name) ?? this.#add(name, type, decimals);
    known.type = widthOfType[type] > widthOfType[known.type] ? type : known.type;
    known.decimals = Math.max(known.decimals, decimals);
    known.text = column.kind === "text";
  }

  /** Lets go of dictionaries whose values none of all the segments has any more; queries that still read another have it in their hands. */
  keepDictionariesOf(segments: readonly StoredSegment[]): void {
    const used = new Set<ColumnDictionary>();
    for (const { columns } of segments) {
      for (const column of columns.values()) {
        if (column.kind === "coded") used.add(column.dictionary);
      }
    }
    for (const { dictionaries } of this.#columns.values()) {
      for (const [type, dictionary] of dictionaries) {
        if (!used.has(dictionary)) dictionaries.delete(type);
      }
    }
  }

  storeAsText(name: string): void {
    this.#known(name).text = true;
  }

  /** Strings that are stored as text repeat again: new segments hold codes. */
  storeAsCodes(name: string): void {
    this.#known(name).text = false;
  }

  #add(name: string, type: ColumnType, decimals: number): TableColumn {
    const column = { name, type, decimals, text: false, dictionaries: new Map() };
    this.#columns.set(name, column);
    return column;
  }

  #known(name: string): TableColumn {
    const column = this.#columns.get(name);
    if (column === undefined) throw new Error(`the table has no column ${name}`);
    return column;
  }
}

function widened(known: TableColumn, column: BatchColumn): { type: ColumnType; decimals: number } {
  const type = widthOfType[column.type] > widthOfType[known.type] ? column.type : known.type;
  if (type !== "int" || column.type !== "int") return { type, decimals: known.decimals };
  if (column.decimals >= known.decimals) return { type, decimals: column.decimals };
  // A whole number too large for the column's decimals keeps its value as text.
  const fits = column.values.every((value) =>
    fitsInt64(rescale(value, column.decimals, known.decimals)),
  );
  return { type: fits ? "int" : "string", decimals: known.decimals };
}
