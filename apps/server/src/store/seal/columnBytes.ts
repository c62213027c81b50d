import { ListDictionary } from "../../column/listDictionary.js";
import type { CodedColumn } from "../../column/segmentColumn.js";
import type { LeafMemory } from "../../memory/leafMemory.js";

/** Assigns the extents of a segment under construction to its columns. */
export class ColumnBytes {
  readonly byColumn = new Map<string, number>();
  total = 0;
  #assignedCount = 0;
  readonly #extents: readonly number[];
  readonly #memory: LeafMemory;

  constructor(extents: readonly number[], memory: LeafMemory) {
    this.#extents = extents;
    this.#memory = memory;
  }

  /** Freezes a column's dictionary of lists, and assigns its bytes to the column. */
  freezeLists(column: string, { dictionary }: CodedColumn): void {
    if (!(dictionary instanceof ListDictionary)) return;
    dictionary.freeze();
    this.#add(column, dictionary.listBytes);
  }

  /** Extents allocated since the last call belong to the column. */
  assign(column: string): void {
    let bytes = 0;
    for (; this.#assignedCount < this.#extents.length; this.#assignedCount++) {
      bytes += this.#memory.store.bytesOf(this.#extents[this.#assignedCount]!);
    }
    if (bytes > 0) this.#add(column, bytes);
  }

  #add(column: string, bytes: number): void {
    this.byColumn.set(column, (this.byColumn.get(column) ?? 0) + bytes);
    this.total += bytes;
  }
}
