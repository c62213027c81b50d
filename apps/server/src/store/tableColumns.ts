import type { ColumnType } from "@hadal/sdk";
import type { BatchColumn } from "../base/rowBatch.js";
import { fitsInt64, rescale } from "../column/decimal.js";
import { Dictionary, isFull } from "../column/dictionary.js";
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

interface StoredForm {
  readonly type: ColumnType;
  readonly decimals: number;
}

interface TableColumn {
  readonly name: string;
  /** As queries see it: the widest of all its values. */
  type: ColumnType;
  decimals: number;
  /** How rows that come are stored; narrower than what queries see where a setting made it so. */
  stored: StoredForm;
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
    const { stored, text } = this.#known(name);
    if (stored.type === "int") return { kind: "int", decimals: stored.decimals };
    if (stored.type === "string" && text) return { kind: "text" };
    const dictionary = this.dictionaryOf(name, stored.type);
    return { kind: "coded", type: stored.type, dictionary };
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
    const wanted = formFor(known.stored, column);
    return wanted.type !== known.stored.type || wanted.decimals !== known.stored.decimals;
  }

  /** Takes the column's type in; from here on {@link layoutOf} has room for its values. */
  widen(column: BatchColumn): void {
    const known =
      this.#columns.get(column.name) ??
      this.#add(column.name, column.type, column.type === "int" ? column.decimals : 0);
    known.stored = formFor(known.stored, column);
    seeAs(known, known.stored);
  }

  /** Takes in those of a segment that are new. */
  add(columns: StoredSegment["columns"]): void {
    for (const [name, column] of columns) if (!this.has(name)) this.register(name, column);
  }

  /** Takes in what a segment from the disk holds. */
  register(name: string, column: SegmentColumn): void {
    const { type, decimals } = formOf(column);
    const known = this.#columns.get(name) ?? this.#add(name, type, decimals);
    // Segments come in the order they were stored: rows go on as the last ones did.
    known.stored = { type, decimals };
    seeAs(known, known.stored);
    known.text = column.kind === "text";
  }

  /** Forgets types wider than those of the segments and of rows to come: their values are gone. */
  narrow(segments: readonly StoredSegment[]): void {
    for (const known of this.#columns.values()) {
      const { type, decimals, stored } = known;
      if (type === stored.type && decimals === stored.decimals) continue;
      known.type = stored.type;
      known.decimals = stored.decimals;
      for (const { columns } of segments) {
        const column = columns.get(known.name);
        if (column !== undefined) seeAs(known, formOf(column));
      }
    }
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

  /** Strings that are stored as text repeat again: new segments hold codes, unless there are too many from before. */
  storeAsCodes(name: string, codesMax?: number): void {
    const known = this.#known(name);
    const dictionary = known.dictionaries.get("string");
    known.text = dictionary instanceof Dictionary && isFull(dictionary, codesMax);
  }

  #add(name: string, type: ColumnType, decimals: number): TableColumn {
    const stored = { type, decimals };
    const column = { name, type, decimals, stored, text: false, dictionaries: new Map() };
    this.#columns.set(name, column);
    return column;
  }

  #known(name: string): TableColumn {
    const column = this.#columns.get(name);
    if (column === undefined) throw new Error(`the table has no column ${name}`);
    return column;
  }
}

function formOf(column: SegmentColumn): StoredForm {
  return { type: columnTypeOf(column), decimals: column.kind === "int" ? column.decimals : 0 };
}

/** Lets queries see a column as wide as one of its forms at least. */
function seeAs(known: TableColumn, form: StoredForm): void {
  if (widthOfType[form.type] > widthOfType[known.type]) known.type = form.type;
  known.decimals = Math.max(known.decimals, form.decimals);
}

/** How the values of a batch are to be stored: in the form so far, in a wider one, or in the one that was set. */
function formFor(known: StoredForm, column: BatchColumn): StoredForm {
  const form = widened(known, column);
  if (column.type !== "int") {
    return column.set === "type" ? { type: column.type, decimals: known.decimals } : form;
  }
  const isSet = column.set === "both" || (column.set === "decimals" && known.type === "int");
  // Its own decimals, too, where those so far have no room for its values.
  const hasRoom = known.type === "int" && form.type === "int";
  if (isSet || (column.set === "type" && !hasRoom)) {
    return { type: "int", decimals: column.decimals };
  }
  return form;
}

function widened(known: StoredForm, column: BatchColumn): StoredForm {
  const type = widthOfType[column.type] > widthOfType[known.type] ? column.type : known.type;
  if (type !== "int" || column.type !== "int") return { type, decimals: known.decimals };
  if (column.decimals >= known.decimals) return { type, decimals: column.decimals };
  // A whole number too large for the column's decimals keeps its value as text.
  const fits = column.values.every((value) =>
    fitsInt64(rescale(value, column.decimals, known.decimals)),
  );
  return { type: fits ? "int" : "string", decimals: known.decimals };
}
