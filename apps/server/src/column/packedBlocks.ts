import type { PackedInts } from "./encodedInts.js";
import { packedBlockRows, readPackedBlock } from "./packedInts.js";

/**
 * Single values of packed integers as numbers, all of which must be exact: where some rows of a segment are looked at, their
 * blocks alone are unpacked. Rows that are read one after another should be near each other.
 */
export class PackedBlocks {
  readonly #view: DataView;
  readonly #values = new Float64Array(packedBlockRows);
  #address = 0;
  #block = -1;

  constructor(view: DataView) {
    this.#view = view;
  }

  read({ address }: PackedInts, rowIndex: number, rowCount: number): number {
    const block = Math.floor(rowIndex / packedBlockRows);
    if (block !== this.#block || address !== this.#address) {
      readPackedBlock(this.#view, address, block, rowCount, this.#values);
      this.#address = address;
      this.#block = block;
    }
    return this.#values[rowIndex - block * packedBlockRows]!;
  }
}
