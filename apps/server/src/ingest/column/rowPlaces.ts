import { batchRowsMax } from "../../base/row/rowBatch.js";
import { sparseShare } from "../../base/row/sparseColumn.js";
import { createUint32 } from "./smallArrays.js";

/** Up to this many rows, a column has room for each. */
const denseRowsLeast = 256;
/** Places of a packed column at first. */
const sparseRoomFirst = 8;
const listed = new Uint32Array(batchRowsMax);
const listedRows = new Uint32Array(batchRowsMax);

/**
 * How much room a column takes when it grows: the next step, or that of a whole batch, which is
 * known to be large.
 */
export type Growth = "step" | "whole";

/**
 * Where a column of a batch keeps the value of each row: at the row's own number or, while few rows
 * have a value, one after the other. A column that one row in a thousand has takes memory for its
 * values only. Rows come in ascending order.
 */
export abstract class RowPlaces {
  /** The row of each value where values are packed; null where each row has its own place. */
  protected rows: Uint32Array | null = null;
  /** Number of packed values. */
  protected count = 0;

  /** Places that there is room for. */
  protected abstract readonly room: number;

  /** Makes room for `placeCount` places. */
  protected abstract grow(placeCount: number, growth: Growth): void;

  protected abstract hasValue(place: number): boolean;

  /** The first place without a value; -1: there is none. */
  protected abstract firstMissing(): number;

  /** How many of the first places have a value. */
  protected abstract countFilled(placeCount: number): number;

  /** Moves the values at these places to the first ones, or back to them; new ones are empty. */
  protected abstract gather(places: Uint32Array, placeCount: number): void;
  protected abstract scatter(places: Uint32Array, placeCount: number, growth: Growth): void;

  /** The place to write the value of a row to. */
  placeFor(row: number): number {
    if (this.rows === null) {
      if (row < this.room) return row;
      if (this.makeDenseRoom(row + 1, 1, "step")) return row;
    }
    const { rows, count } = this;
    if (rows === null) return row;
    if (count > 0 && rows[count - 1] === row) return count - 1;
    if (count === rows.length) {
      if (this.makeDenseRoom(row + 1, 1, "step")) return row;
      this.#growSparse();
    }
    this.rows![count] = row;
    this.count++;
    return count;
  }

  /** The place of the value of the row written last; -1: it has none. */
  placeOfLast(row: number): number {
    if (this.rows === null) return row < this.room ? row : -1;
    return this.count > 0 && this.rows[this.count - 1] === row ? this.count - 1 : -1;
  }

  /**
   * Whether rows up to `end`, of which `valueCount` more have values, get their own places. True:
   * there is room for all of them; false: call `placeFor` for each.
   */
  makeDenseRoom(end: number, valueCount: number, growth: Growth): boolean {
    if (this.rows === null) {
      if (end <= this.room) return true;
      const isDense =
        end <= denseRowsLeast || (this.countFilled(this.room) + valueCount) * sparseShare >= end;
      if (isDense) {
        this.grow(denseCapacity(end), growth);
        return true;
      }
      this.#becomeSparse();
      return false;
    }
    if ((this.count + valueCount) * sparseShare < end) return false;
    this.scatter(this.rows.subarray(0, this.count), denseCapacity(end), growth);
    this.rows = null;
    this.count = 0;
    return true;
  }

  /** Places that may have a value in a batch of `rowCount` rows. */
  placeCount(rowCount: number): number {
    return this.rows === null ? Math.min(rowCount, this.room) : this.count;
  }

  rowAt(place: number): number {
    return this.rows === null ? place : this.rows[place]!;
  }

  /** Whether each row has its own place. */
  get isDense(): boolean {
    return this.rows === null;
  }

  /** How many of the first `rowCount` rows have a value. */
  countValues(rowCount: number): number {
    const placeCount = this.placeCount(rowCount);
    const missing = this.firstMissing();
    return missing < 0 || missing >= placeCount ? placeCount : this.countFilled(placeCount);
  }

  /**
   * The places of all values and the row of each, numbered among the kept rows. The arrays are
   * reused by the next call.
   */
  listValues(rowCount: number, kept: Uint32Array | null): ListedValues {
    const most = this.placeCount(rowCount);
    const numbers = kept === null ? null : numbersOf(kept, rowCount);
    let count = 0;
    for (let place = 0; place < most; place++) {
      if (!this.hasValue(place)) continue;
      const row = this.rowAt(place);
      if (numbers !== null && numbers[row] === 0) continue;
      listed[count] = place;
      listedRows[count++] = numbers === null ? row : numbers[row]! - 1;
    }
    return { places: listed.subarray(0, count), rows: listedRows.subarray(0, count) };
  }

  #becomeSparse(): void {
    const { rows } = this.listValues(this.room, null);
    const placeCount = Math.max(sparseRoomFirst, 2 * rows.length);
    this.gather(rows, placeCount);
    this.count = rows.length;
    this.rows = createUint32(placeCount);
    this.rows.set(rows);
  }

  #growSparse(): void {
    const rows = new Uint32Array(2 * this.rows!.length);
    rows.set(this.rows!);
    this.rows = rows;
    this.grow(rows.length, "step");
  }
}

export interface ListedValues {
  readonly places: Uint32Array;
  readonly rows: Uint32Array;
}

function denseCapacity(rowCount: number): number {
  let capacity = denseRowsLeast;
  while (capacity < rowCount) capacity *= 2;
  return capacity;
}

/** By row, its number among the kept ones, from 1; 0: it is not kept. */
function numbersOf(kept: Uint32Array, rowCount: number): Uint32Array {
  const numbers = new Uint32Array(rowCount);
  for (let i = 0; i < kept.length; i++) numbers[kept[i]!] = i + 1;
  return numbers;
}
