import { afterMs } from "../../base/schedule/deadlines.js";

/** Lets one loop wait until another has something for it. */
export class Wakeup {
  readonly #waiting = new Set<() => void>();

  wake(): void {
    for (const done of [...this.#waiting]) done();
  }

  /** Resolves at the next call of `wake`, or after the time. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        callOff();
        this.#waiting.delete(done);
        resolve();
      };
      const callOff = afterMs(ms, done);
      this.#waiting.add(done);
    });
  }
}
