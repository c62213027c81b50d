import { afterMs } from "../../base/schedule/deadlines.js";
import type { TreeAnswers } from "../../tree/treeAnswers.js";

/** A leaf is late when it takes so much longer than the first that was done: others are as busy as it is. */
const lateMs = 250;
const lateTimes = 2;
/** Questions in the background ask before they scan, where leaves may be late as well. */
export const backgroundPlaceMs = 2_000;

/**
 * Gives a query's place back once it only waits for leaves that are late: one that hangs would else keep the places of
 * all queries until their deadlines.
 */
export class LatePlace {
  #callOff: (() => void) | null = null;
  #isSeen = false;
  readonly #giveBack: () => void;
  readonly #startedAt: number;
  readonly #now: () => number;

  constructor(giveBack: () => void, startedAt: number, now: () => number) {
    this.#giveBack = giveBack;
    this.#startedAt = startedAt;
    this.#now = now;
  }

  /** What leaves have said so far. */
  see({ answers }: TreeAnswers): void {
    if (this.#isSeen || !answers.some(({ done }) => done)) return;
    this.#isSeen = true;
    const elapsedMs = this.#now() - this.#startedAt;
    this.keepFor(Math.max(lateMs, lateTimes * elapsedMs));
  }

  /** So long at most from now on. */
  keepFor(ms: number): void {
    this.stop();
    this.#callOff = afterMs(ms, this.#giveBack);
  }

  /** All leaves have answered, or the question is over. */
  stop(): void {
    this.#callOff?.();
  }
}
