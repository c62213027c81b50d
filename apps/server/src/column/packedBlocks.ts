import type { PackedInts } from "./encodedInts.js";
import { packedBlockRows, readPackedBlock } from "./packedInts.js";

/**
 * Reads single values of packed integers as numbers, which must be exact, and unpacks only the
 * blocks of these rows. Rows should be read in an order that keeps neighbours together.
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
      readPackedBlock(this.#view, { address, rowCount }, block, this.#values);
      this.#address = address;
      this.#block = block;
    }
    return this.#values[rowIndex - block * packedBlockRows]!;
  }
}
