import type { TreeAnswers } from "../../tree/treeAnswers.js";

/**
 * What a query takes on its path: resolving, the slowest leaf from the question to its encoded answer, reading the answers,
 * merging, finishing. Sending frames, their way, and what waits for them are left out: the parts of one machine wait for its
 * network as a database in one process never does.
 */
export class PathClock {
  readonly #startedMs: number;
  #awayMs = 0;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
    this.#startedMs = now();
  }

  /** Of the time until the leaves have answered only their work counts, and what it took to read what they said. */
  async leaves(ask: () => Promise<TreeAnswers>): Promise<TreeAnswers> {
    // Not once it has asked: a leaf that its frame wakes may take the processor, and have answered before this goes on.
    const askedMs = this.#now();
    const found = await ask();
    const { answers } = found;
    const slowestMs = answers.reduce((most, { workMs }) => Math.max(most, workMs), 0);
    const decodeMs = answers.reduce((sum, answer) => sum + answer.decodeMs, 0);
    this.#awayMs += Math.max(0, this.#now() - askedMs - slowestMs - decodeMs);
    return found;
  }

  get elapsedMs(): number {
    return this.#now() - this.#startedMs - this.#awayMs;
  }
}
