import { HadalError } from "@hadal/sdk";
import { StopController, type StopSignal } from "./stopController.js";
import { TurnOrder } from "./turnOrder.js";

/** Work that can be paused after each step. A step takes a fraction of a millisecond. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** The longest that other work of this thread waits. */
const turnMs = 5;
/** The first turn starts immediately. It is limited to 1 ms when other work is queued; most work takes less. */
const firstTurnMs = 1;
/** The queue of all work of this thread that is done in turns. */
const order = new TurnOrder();

/** The signal of work that is never cancelled. */
export const neverStops: StopSignal = new StopController().signal;

/**
 * Does long work in turns. Between two turns other queued work runs, or `pause` is awaited if it is given. Rejects with
 * `cancelled` soon after an abort, and ends the work.
 */
export async function inTurns<Result>(
  steps: Steps<Result>,
  signal: Pick<StopSignal, "aborted">,
  pause?: () => Promise<unknown>,
): Promise<Result> {
  let turnEndMs = performance.now() + (order.length === 0 ? turnMs : firstTurnMs);
  let turns = 0;
  try {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      if (performance.now() < turnEndMs) continue;
      await (pause === undefined ? order.next(++turns, signal) : pause());
      if (signal.aborted) throw new HadalError("cancelled");
      turnEndMs = performance.now() + turnMs;
    }
  } finally {
    // The `finally` blocks of the work release what it has allocated.
    end(steps);
  }
}

function end(steps: Iterator<undefined, unknown>): void {
  steps.return?.();
}

/** Resolves when a task that has had `turnsHad` turns may take the next one. */
export const nextTurn = (turnsHad: number): Promise<void> => order.next(turnsHad, neverStops);

/** Runs steps without a pause: for small work, or work that must not be interrupted. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The cost of a value in units, beside its length. */
const valueUnits = 16;
/** The slowest patterns take a fifth of a microsecond for each unit. */
const stepUnits = 2_048;

/** Says when a loop over values should end its step. */
export class StepMeter {
  #units = 0;

  /** Whether the step ends after this value. `length`: its characters or elements. */
  isFull(length: number): boolean {
    this.#units += valueUnits + length;
    if (this.#units < stepUnits) return false;
    this.#units = 0;
    return true;
  }
}

/** Work that is deferred until its results are read; until then only their addresses are used. */
export class LaterWork {
  readonly #noted: Steps<void>[] = [];

  note(work: Steps<void>): void {
    this.#noted.push(work);
  }

  get isDone(): boolean {
    return this.#noted.length === 0;
  }

  *finish(): Steps<void> {
    for (let next = this.#noted.shift(); next !== undefined; next = this.#noted.shift()) {
      yield* next;
    }
  }
}
