import { setTimeout as sleep } from "node:timers/promises";

/** Time as the demo needs it; a test brings its own. */
export interface DemoClock {
  now(): number;
  /** Resolves after the time, or at once when the signal fires. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: DemoClock = {
  now: () => Date.now(),
  sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => {}),
};
