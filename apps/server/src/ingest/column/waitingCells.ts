import { emptyBytes } from "../../base/bytes/byteView.js";
import type { ColumnBuilder } from "./columnBuilder.js";

/**
 * `known`: the code of a string or list that the column has already. `plain`: a string in the row's
 * bytes without escapes.
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
  /** Position of a plain string, or of a list's text, in the row's bytes, and its hash. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #hashes: number[] = [];

  /** Forgets the previous row. `bytes`: those of the new row, if it is read from bytes. */
  start(bytes?: DataView): void {
    this.#count = 0;
    this.#rowStamp++;
    if (bytes !== undefined) this.#bytes = bytes;
  }

  /** A later cell of the same column replaces the earlier one. Returns its place. */
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

  /** Removes the row's cell of the column. */
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
