import { setImmediate } from "node:timers/promises";
import type { Steps } from "../../base/schedule/steps.js";

/** The target time for a block: other work of the thread waits this long at most. */
const turnMs = 8;
const firstBytes = 8_192;
const bytesLeast = 4_096;
/** Growth from one block to the next. */
const growthMax = 8;

/**
 * How many bytes of a body may be read at once, by the speed of the block before: refused rows take
 * fifty times as long as others.
 */
export class BlockPace {
  #startedMs = 0;
  #size = firstBytes;
  #bytesAMs = 0;

  get bytes(): number {
    return this.#size;
  }

  /** Called before a block is read. */
  starts(): void {
    this.#startedMs = performance.now();
  }

  /** Called after a block is read. */
  ends(blockBytes: number): void {
    const elapsedMs = Math.max(performance.now() - this.#startedMs, turnMs / 1_000);
    // One slow block is no measure: other work may have had the processor.
    const bytesAMs = blockBytes / elapsedMs;
    const size = turnMs * Math.max(bytesAMs, this.#bytesAMs);
    this.#bytesAMs = bytesAMs;
    this.#size = Math.floor(Math.max(bytesLeast, Math.min(size, growthMax * this.#size)));
  }
}

/** Gives other work its turn while one body takes long. */
export class ReadingTurn {
  #endMs = performance.now() + turnMs;

  /** Runs the steps, if there are any. */
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
