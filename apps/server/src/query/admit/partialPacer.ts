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
}

/**
 * `pass` may take long (a merge of many groups): the pace then slows so that it takes a third of the time at most.
 * `isWorth`: whether to pass a value on that has been the newest for so long, since better ones may be near; it is asked
 * again later. What either throws is logged, and that value left out: the answer itself will tell.
 */
export function createPartialPacer<Value>(
  { now, logError }: PacerDeps,
  pass: (value: Value) => void,
  isWorth: (value: Value, waitedMs: number) => boolean = () => true,
): PartialPacer<Value> {
  let newest: { readonly value: Value; readonly offeredAt: number } | null = null;
  let timer: NodeJS.Timeout | null = null;
  let notBefore = Number.NEGATIVE_INFINITY;
  let stopped = false;

  const passNewest = (): void => {
    timer = null;
    if (newest === null || stopped) return;
    const { value, offeredAt } = newest;
    const startedAt = now();
    try {
      if (!isWorth(value, startedAt - offeredAt)) {
        timer = setTimeout(passNewest, paceMs);
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
      timer = setTimeout(passNewest, Math.max(togetherMs, notBefore - now()));
    },
    stop() {
      stopped = true;
      newest = null;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
