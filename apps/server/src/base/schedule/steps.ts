import { HadalError } from "@hadal/sdk";
import { StopController, type StopSignal } from "./stopController.js";
import { TurnOrder } from "./turnOrder.js";

/** Work that can be left after each step, which takes a fraction of a millisecond, and taken up again. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Whatever else this thread has to do waits so long at most. */
const turnMs = 5;
/** The first turn is had at once; where others wait for theirs it is as short as most work is. */
const firstTurnMs = 1;
/** Of all that takes turns in this thread. */
const order = new TurnOrder();

/** Of work that is always finished. */
export const neverStops: StopSignal = new StopController().signal;

/**
 * Does work that may take long, a turn at a time: others have theirs in between, while `pause` is awaited if it is given.
 * Rejects with `cancelled` soon after an abort, and ends the work.
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
    // What it holds is given back by its own `finally`.
    end(steps);
  }
}

function end(steps: Iterator<undefined, unknown>): void {
  steps.return?.();
}

/** Resolves when it is the turn of work that is done a piece at a time and had so many turns before. */
export const nextTurn = (turnsHad: number): Promise<void> => order.next(turnsHad, neverStops);

/** Runs steps without a pause: for small work, or work that must not be interrupted. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** What any value costs, beside its length. */
const valueUnits = 16;
/** The slowest patterns take a fifth of a microsecond for each. */
const stepUnits = 2_048;

/** Says when a loop over values should end its step. */
export class StepMeter {
  #units = 0;

  /** Whether the step ends with this value, which has so many characters or elements. */
  isFull(length: number): boolean {
    this.#units += valueUnits + length;
    if (this.#units < stepUnits) return false;
    this.#units = 0;
    return true;
  }
}

/** Work that is noted while its results are only pointed at, and done before they are read. */
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
