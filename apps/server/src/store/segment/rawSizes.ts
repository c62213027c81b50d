import { timeColumn } from "@hadal/sdk";
import { valueSizesOf } from "../../base/row/codedColumn.js";
import type { BatchColumn, RowBatch } from "../../base/row/rowBatch.js";
import { columnOfPlace } from "../../column/columnPlace.js";

/**
 * What one column's values would take as 8-byte integers and raw strings, and how many there
 * are.
 */
export type RawSize = readonly [column: string, values: number, bytes: number];

/** Raw sizes by column: the measure of how well rows are compressed. */
export class RawSizes {
  readonly #sizes = new Map<string, { values: number; bytes: number }>();

  valuesOf(column: string): number {
    return this.#sizes.get(column)?.values ?? 0;
  }

  bytesOf(column: string): number {
    return this.#sizes.get(column)?.bytes ?? 0;
  }

  get bytes(): number {
    let bytes = 0;
    for (const size of this.#sizes.values()) bytes += size.bytes;
    return bytes;
  }

  add(sizes: readonly RawSize[]): void {
    for (const [column, values, bytes] of sizes) this.#add(column, values, bytes);
  }

  /** Subtracts sizes that were added before. */
  subtract(sizes: readonly RawSize[]): void {
    for (const [column, values, bytes] of sizes) this.#add(column, -values, -bytes);
  }

  list(): readonly RawSize[] {
    return [...this.#sizes].map(([column, { values, bytes }]) => [column, values, bytes]);
  }

  #add(column: string, values: number, bytes: number): void {
    const size = this.#sizes.get(column);
    if (size === undefined) {
      this.#sizes.set(column, { values, bytes });
      return;
    }
    size.values += values;
    size.bytes += bytes;
  }
}

export function rawSizesOf({ rowCount, columns }: RowBatch): readonly RawSize[] {
  const times: RawSize = [timeColumn, rowCount, rowCount * 8];
  // Of a stored segment's rows, columns are named as their places.
  const named = columns.map((column) => sizeOf(column, rowCount));
  return [times, ...named.map(([place, ...size]): RawSize => [columnOfPlace(place), ...size])];
}

function sizeOf(column: BatchColumn, rowCount: number): RawSize {
  if (column.type === "sparse") return sizeOf(column.cells, column.rows.length);
  if (column.type === "int") {
    const values = column.present === null ? rowCount : countOnes(column.present);
    return [column.name, values, values * 8];
  }
  const { count, bytes } = valueSizesOf(column);
  return [column.name, count, bytes];
}

function countOnes(present: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < present.length; i++) count += present[i]!;
  return count;
}
