import type { JsonRows } from "@hadal/kernel-wasm";

/** Fits a core's L2 cache, together with the cells made of it. */
const bytesLeast = 524_288;

/**
 * How many bytes of a body are read at once. The kernel lists a text once while it reads one body:
 * small blocks are best. If it reads other bodies in between, it lists the texts again for every
 * block: larger blocks are better.
 */
export class BlockSize {
  readonly #json: JsonRows;
  #size = bytesLeast;
  #turn: number;

  constructor(json: JsonRows) {
    this.#json = json;
    this.#turn = json.turn;
  }

  get bytes(): number {
    return this.#size;
  }

  /** Called before a block is read. */
  starts(): void {
    const json = this.#json;
    const isAlone = json.turn === this.#turn;
    this.#size = isAlone
      ? Math.max(this.#size / 2, bytesLeast)
      : Math.min(this.#size * 2, json.windowBytesMax);
  }

  /** Called after a block is read. */
  ends(): void {
    this.#turn = this.#json.turn;
  }
}
