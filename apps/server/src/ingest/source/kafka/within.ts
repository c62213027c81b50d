import { afterMs } from "../../../base/schedule/deadlines.js";

/** Resolves when the work has ended, however it did, or after the time. */
export function within(ms: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const callOff = afterMs(ms, resolve);
    void work
      .catch(() => undefined)
      .finally(() => {
        callOff();
        resolve();
      });
  });
}
