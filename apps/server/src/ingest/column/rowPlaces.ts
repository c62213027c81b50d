import { batchRowsMax } from "../../base/row/rowBatch.js";
import { sparseShare } from "../../base/row/sparseColumn.js";
import { createUint32 } from "./smallArrays.js";

/** Below so many rows a column has room for each. */
const denseRowsLeast = 256;
/** Places for the first of few values. */
const sparseRoomFirst = 8;
const listed = new Uint32Array(batchRowsMax);
const listedRows = new Uint32Array(batchRowsMax);

/**
 * Where a column of a batch keeps the value of each row: at the row's own number, or, while few rows have a value, one after
 * the other. Thousands of columns that a row in a thousand has then take what their values take. Rows come in ascending order.
 */
export abstract class RowPlaces {
  /** The row of each value where they stand one after the other; null where each row has its own place. */
  protected rows: Uint32Array | null = null;
  /** Values, where they stand one after the other. */
  protected count = 0;

  /** Places that there is room for. */
  protected abstract readonly room: number;

  /** Makes room for so many places; `isLarge`: the batch is going to be. */
  protected abstract grow(placeCount: number, isLarge: boolean): void;

  protected abstract hasValue(place: number): boolean;

  /** The first place without a value; -1: there is none. */
  protected abstract firstMissing(): number;

  /** How many of the first places have a value. */
  protected abstract countFilled(placeCount: number): number;

  /** Moves the values at these places to the first ones, or back to them; new ones are empty. */
  protected abstract gather(places: Uint32Array, placeCount: number): void;
  protected abstract scatter(places: Uint32Array, placeCount: number, isLarge: boolean): void;

  /** Where the value of a row is to be written. */
  placeFor(row: number): number {
    if (this.rows === null) {
      if (row < this.room) return row;
      if (this.makeDenseRoom(row + 1, 1, false)) return row;
    }
    const { rows, count } = this;
    if (rows === null) return row;
    if (count > 0 && rows[count - 1] === row) return count - 1;
    if (count === rows.length) {
      if (this.makeDenseRoom(row + 1, 1, false)) return row;
      this.#growSparse();
    }
    this.rows![count] = row;
    this.count++;
    return count;
  }

  /** Where the value of a row stands, of the last one written or of one with a place of its own; -1: it has none. */
  placeOfLast(row: number): number {
    if (this.rows === null) return row < this.room ? row : -1;
    return this.count > 0 && this.rows[this.count - 1] === row ? this.count - 1 : -1;
  }

  /**
   * Whether rows up to `end`, of which `valueCount` more have values, get their own places. True: there is room for all
   * of them; false: each is to be asked for.
   */
  makeDenseRoom(end: number, valueCount: number, isLarge: boolean): boolean {
    if (this.rows === null) {
      if (end <= this.room) return true;
      const isDense =
        end <= denseRowsLeast || (this.countFilled(this.room) + valueCount) * sparseShare >= end;
      if (isDense) {
        this.grow(denseCapacity(end), isLarge);
        return true;
      }
      this.#becomeSparse();
      return false;
    }
    if ((this.count + valueCount) * sparseShare < end) return false;
    this.scatter(this.rows.subarray(0, this.count), denseCapacity(end), isLarge);
    this.rows = null;
    this.count = 0;
    return true;
  }

  /** Places that may have a value, of batches of so many rows. */
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

  /** How many of so many rows have a value. */
  countValues(rowCount: number): number {
    const placeCount = this.placeCount(rowCount);
    const missing = this.firstMissing();
    return missing < 0 || missing >= placeCount ? placeCount : this.countFilled(placeCount);
  }

  /** The places of all values, good until the next call, and the row that each is of: its number among the kept ones, where these are not all. */
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
    this.grow(rows.length, false);
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

/** By row, which of the kept ones it is, from 1; 0: none of them. */
function numbersOf(kept: Uint32Array, rowCount: number): Uint32Array {
  const numbers = new Uint32Array(rowCount);
  for (let i = 0; i < kept.length; i++) numbers[kept[i]!] = i + 1;
  return numbers;
}
