import { nextTurn } from "../../base/schedule/steps.js";

/** Frames at least this far apart: more a person does not see. */
const paceMs = 50;

/** Answers so close together go out as one frame: a fast query is spared the work of a partial that would not be seen. */
const togetherMs = 4;

/** Passes on the newest of what it is offered: the first as soon as what arrived with it is there too, then one at a time. */
export interface PartialPacer<Value> {
  readonly offer: (value: Value) => void;
  /** Nothing is passed on after this. */
  readonly stop: () => void;
}

export interface PacerDeps {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly logError: (text: string, error: unknown) => void;
  /**
   * Calls work when the thread has a turn for it. By default answers that have arrived are read first: timers that are due
   * together would else run one after the other, and a better answer wait behind them.
   */
  readonly inTurn?: (work: () => void) => void;
}

/** A turn that others take first. */
const turnsHad = 1;
const whenFree = (work: () => void): void => void nextTurn(turnsHad).then(work);

/**
 * `pass` may take long (a merge of many groups): the pace then slows so that it takes a third of the time at most.
 * `isWorth`: whether to pass a value on that has been the newest for so long, since better ones may be near; it is asked
 * again later. What either throws is logged, and that value left out: the answer itself will show it.
 */
export function createPartialPacer<Value>(
  { now, logError, inTurn = whenFree }: PacerDeps,
  pass: (value: Value) => void,
  isWorth: (value: Value, waitedMs: number) => boolean = () => true,
): PartialPacer<Value> {
  let newest: { readonly value: Value; readonly offeredAt: number } | null = null;
  let timer: NodeJS.Timeout | null = null;
  let notBefore = Number.NEGATIVE_INFINITY;
  let stopped = false;

  const wait = (ms: number): void => {
    timer = setTimeout(() => inTurn(passNewest), ms);
  };
  const passNewest = (): void => {
    timer = null;
    if (newest === null || stopped) return;
    const { value, offeredAt } = newest;
    const startedAt = now();
    try {
      if (!isWorth(value, startedAt - offeredAt)) {
        wait(paceMs);
        return;
      }
      newest = null;
      pass(value);
    } catch (error) {
      // On a timer it would end the process.
      newest = null;
      logError("a partial answer", error);
    }
    const endedAt = now();
    notBefore = Math.max(startedAt + paceMs, endedAt + 2 * (endedAt - startedAt));
  };

  return {
    offer(value) {
      if (stopped) return;
      newest = { value, offeredAt: now() };
      if (timer !== null) return;
      wait(Math.max(togetherMs, notBefore - now()));
    },
    stop() {
      stopped = true;
      newest = null;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
