import type { JsonRows } from "@hadal/kernel-wasm";

/** What a core's second cache holds together with what is made of it. */
const bytesLeast = 524_288;

/**
 * How much of a body is read at once. The kernel tells a text once while one body's rows are read: little at a time is best.
 * Where the rows of others come in between, every block tells its texts anew: the more at once, the fewer.
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

  /** To be called before a block is read, */
  starts(): void {
    const json = this.#json;
    const isAlone = json.turn === this.#turn;
    this.#size = isAlone
      ? Math.max(this.#size / 2, bytesLeast)
      : Math.min(this.#size * 2, json.windowBytesMax);
  }

  /** and after it. */
  ends(): void {
    this.#turn = this.#json.turn;
  }
}
