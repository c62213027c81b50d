import { setImmediate } from "node:timers";
import type { StopSignal } from "./stopController.js";

interface Waiting {
  readonly turnsHad: number;
  readonly signal: Pick<StopSignal, "aborted">;
  readonly start: () => void;
}

/** One in this many turns goes to the task that has waited longest, so that none starves. */
const oldestEvery = 4;

/**
 * Schedules the long tasks of a thread: one turn in each round of the event loop, since a turn of each of fifty tasks would
 * make the round fifty times as long. The task with the fewest turns is next, so that short tasks end soon beside long
 * ones. Cancelled tasks are first, since they only end.
 */
export class TurnOrder {
  /** In order of arrival. */
  readonly #waiting: Waiting[] = [];
  #isScheduled = false;
  #turns = 0;

  /** Number of waiting tasks. */
  get length(): number {
    return this.#waiting.length;
  }

  /** Resolves when a task that has had `turnsHad` turns may take the next one. */
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
