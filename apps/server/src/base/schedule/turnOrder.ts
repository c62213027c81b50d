import { setImmediate } from "node:timers";
import type { StopSignal } from "./stopController.js";

interface Waiting {
  readonly turnsHad: number;
  readonly signal: Pick<StopSignal, "aborted">;
  readonly start: () => void;
}

/** One turn of so many goes to the one that has waited longest, so that none starves. */
const oldestEvery = 4;

/**
 * Whose turn it is of all long work of a thread. One has it in each round of the event loop: were it one turn each, what
 * fifty do in a round would be fifty times as long. Who had the fewest turns is first, so that short work is done soon
 * beside any number of long ones; who is called off is before all, as it only ends.
 */
export class TurnOrder {
  /** By when they came. */
  readonly #waiting: Waiting[] = [];
  #isScheduled = false;
  #turns = 0;

  /** Those whose turn has not come. */
  get length(): number {
    return this.#waiting.length;
  }

  /** Resolves when it is the turn of a task that has had so many turns. */
  next(turnsHad: number, signal: Pick<StopSignal, "aborted">): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ turnsHad, signal, start: resolve });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const [next] = this.#waiting.splice(this.#choose(), 1);
      if (this.#waiting.length > 0) this.#schedule();
      next?.start();
    });
  }

  #choose(): number {
    const waiting = this.#waiting;
    const aborted = waiting.findIndex(({ signal }) => signal.aborted);
    if (aborted >= 0) return aborted;
    if (++this.#turns % oldestEvery === 0) return 0;
    let best = 0;
    for (let i = 1; i < waiting.length; i++)
      if (waiting[i]!.turnsHad < waiting[best]!.turnsHad) best = i;
    return best;
  }
}
