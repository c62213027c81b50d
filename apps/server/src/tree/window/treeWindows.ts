import { RequestWindow, type WindowLimits, windowLimitsDefault } from "./requestWindow.js";

/**
 * The windows of one process. A request for machines waits only for requests for fewer machines,
 * and one for a leaf for none: so no two processes wait for each other.
 */
export class TreeWindows {
  readonly #limits: WindowLimits;
  readonly leaves: RequestWindow;
  readonly #machines = new Map<number, RequestWindow>();

  constructor(limits: WindowLimits = windowLimitsDefault) {
    this.#limits = limits;
    this.leaves = new RequestWindow(limits);
  }

  /** For requests to aggregators that stand for so many machines. */
  of(machineCount: number): RequestWindow {
    let window = this.#machines.get(machineCount);
    if (window === undefined) {
      window = new RequestWindow(this.#limits);
      this.#machines.set(machineCount, window);
    }
    return window;
  }

  /** `size`: of the smallest one. */
  get counts(): { readonly size: number; readonly waiting: number; readonly lost: number } {
    const windows = [this.leaves, ...this.#machines.values()];
    const sum = (of: "waiting" | "lost"): number =>
      windows.reduce((total, { counts }) => total + counts[of], 0);
    const size = Math.min(...windows.map((window) => window.size));
    return { size, waiting: sum("waiting"), lost: sum("lost") };
  }
}
