import { emptyBytes } from "../../base/bytes/byteView.js";
import type { ColumnBuilder } from "./columnBuilder.js";

/**
 * `known` is a string or list that its column has already, as its code. `plain` is a string that stands in the row's
 * bytes as it is.
 */
export type CellKind =
  | "none"
  | "known"
  | "plain"
  | "integer"
  | "fraction"
  | "string"
  | "set"
  | "vector";

/** The cells of the row being read, as parallel arrays: no object per cell. */
export class WaitingCells {
  #rowStamp = 0;
  #count = 0;
  #bytes: DataView = emptyBytes;
  readonly #columns: ColumnBuilder[] = [];
  readonly #kinds: CellKind[] = [];
  readonly #values: (number | bigint | string)[] = [];
  /** Where a plain string, or the text that a list was sent as, stands in the row's bytes, and its hash. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #hashes: number[] = [];

  /** Forgets the row before. `bytes` are those of the new one, if it is read from bytes. */
  start(bytes?: DataView): void {
    this.#count = 0;
    this.#rowStamp++;
    if (bytes !== undefined) this.#bytes = bytes;
  }

  /** A later cell of the same column takes the place of the earlier. Returns where it waits. */
  put(column: ColumnBuilder, kind: CellKind, value: number | bigint | string): number {
    const at = this.#place(column);
    this.#kinds[at] = kind;
    this.#values[at] = value;
    this.#ends[at] = 0;
    return at;
  }

  putKnown(column: ColumnBuilder, code: number): void {
    const at = this.#place(column);
    this.#kinds[at] = "known";
    this.#values[at] = code;
  }

  putPlain(column: ColumnBuilder, start: number, end: number, hash: number): void {
    const at = this.#place(column);
    this.#kinds[at] = "plain";
    this.setSent(at, start, end, hash);
  }

  /** Sets the bytes that the list of a cell was sent as. */
  setSent(at: number, start: number, end: number, hash: number): void {
    this.#starts[at] = start;
    this.#ends[at] = end;
    this.#hashes[at] = hash;
  }

  /** Takes back what the row said of the column. */
  remove(column: ColumnBuilder): void {
    if (column.rowStamp === this.#rowStamp) this.#kinds[column.cellIndex] = "none";
  }

  write(row: number): void {
    for (let i = 0; i < this.#count; i++) this.#writeCell(row, i, this.#columns[i]!);
  }

  #writeCell(row: number, i: number, column: ColumnBuilder): void {
    const value = this.#values[i]!;
    const kind = this.#kinds[i]!;
    const start = this.#starts[i]!;
    const end = this.#ends[i]!;
    const hash = this.#hashes[i]!;
    if (kind === "known") column.writeKnown(row, value as number);
    else if (kind === "integer") column.writeInteger(row, value as number | bigint);
    else if (kind === "plain") column.writePlain(row, this.#bytes, start, end, hash);
    else if (kind === "string") column.writeString(row, value as string);
    else if (kind === "fraction") column.writeFraction(row, value as number | bigint);
    else if (kind !== "none") {
      const isKnown = column.writeList(row, kind, value as string);
      if (isKnown && end > 0) column.rememberList(row, this.#bytes, start, end, hash);
    }
  }

  #place(column: ColumnBuilder): number {
    if (column.rowStamp === this.#rowStamp) return column.cellIndex;
    const at = this.#count++;
    column.rowStamp = this.#rowStamp;
    column.cellIndex = at;
    this.#columns[at] = column;
    return at;
  }
}
