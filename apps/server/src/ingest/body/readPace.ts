import { setImmediate } from "node:timers/promises";
import type { Steps } from "../../base/schedule/steps.js";

/** A block is to be read in so long, and whatever else the thread has to do waits so long at most. */
const turnMs = 8;
const firstBytes = 8_192;
const bytesLeast = 4_096;
/** Of one block to the next. */
const growthMax = 8;

/** How much of a body may be read at once, by how long the block before took: rows that are refused take fifty times as long as others. */
export class BlockPace {
  #startedMs = 0;
  #size = firstBytes;
  #bytesAMs = 0;

  get bytes(): number {
    return this.#size;
  }

  /** To be called before a block is read, */
  starts(): void {
    this.#startedMs = performance.now();
  }

  /** and after it. */
  ends(blockBytes: number): void {
    const elapsedMs = Math.max(performance.now() - this.#startedMs, turnMs / 1_000);
    // One slow block says little: other work may have had the processor.
    const bytesAMs = blockBytes / elapsedMs;
    const size = turnMs * Math.max(bytesAMs, this.#bytesAMs);
    this.#bytesAMs = bytesAMs;
    this.#size = Math.floor(Math.max(bytesLeast, Math.min(size, growthMax * this.#size)));
  }
}

/** Lets others have their turn where the work for one body takes long. */
export class ReadingTurn {
  #endMs = performance.now() + turnMs;

  /** Does the steps, if there are any. */
  async take(steps: Steps<void> | undefined): Promise<void> {
    if (steps !== undefined) for (const _ of steps) if (this.#isOver) await this.#rest();
    if (this.#isOver) await this.#rest();
  }

  get #isOver(): boolean {
    return performance.now() >= this.#endMs;
  }

  async #rest(): Promise<void> {
    await setImmediate();
    this.#endMs = performance.now() + turnMs;
  }
}
