import type { HadalError, Result } from "@hadal/sdk";
import type { Mark } from "../../chart/kit/answer/intent.js";
import { labelOfGroup } from "../../chart/kit/answer/series.js";
import type { ExploreState } from "../../query/state/exploreState.js";
import type { ChartHost } from "../element/controller.js";

export interface DrawnAnswer {
  readonly state: ExploreState;
  readonly asOf: number;
}

/** What a chart reports to its page, and who waits for an answer. */
export class ChartReports {
  readonly #host: Pick<ChartHost, "emit">;
  #isReady = false;
  #completed: Result | null = null;
  #reported: HadalError | null = null;
  #waiting: (() => void)[] = [];
  #isSettled = false;
  #isFailed = false;
  #drawn: DrawnAnswer | null = null;

  constructor(host: Pick<ChartHost, "emit">) {
    this.#host = host;
  }

  /** Whether the newest query has no answer. */
  get isFailed(): boolean {
    return this.#isFailed;
  }

  /** What the chart shows; null: nothing yet. A newer state may be asked already. */
  get drawn(): DrawnAnswer | null {
    return this.#drawn;
  }

  draws(drawn: DrawnAnswer): void {
    this.#drawn = drawn;
  }

  shown(result: Result, view: string): void {
    this.#isFailed = false;
    if (!this.#isReady) this.#host.emit("ready", { view });
    this.#isReady = true;
    if (!result.final || this.#completed === result) return;
    this.#completed = result;
    const { completeness, asOf, rows, stats } = result;
    this.#host.emit("complete", {
      fraction: completeness.fraction,
      missingLeaves: completeness.leaves.missing,
      ...{ rows: rows.length, asOf, elapsedMs: stats.elapsedMs },
    });
  }

  /** Attempts that fail for the same reason are one problem. */
  failed(problem: HadalError): void {
    const isSame = this.#isFailed && this.#reported?.message === problem.message;
    this.#isFailed = true;
    if (isSame) return;
    this.#reported = problem;
    const { code, status, message } = problem;
    this.#host.emit("error", { code, status, message });
  }

  selected(mark: Mark): void {
    const { label, text, group, filters = [], also = [], noFilter, range } = mark;
    this.#host.emit("select", {
      label: label ?? labelOfGroup(group),
      text,
      filters: noFilter === undefined ? [...filters, ...also] : null,
      range: range ?? null,
    });
  }

  /** Whether nothing more will arrive for what was asked. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  settled(isSettled: boolean): void {
    this.#isSettled = isSettled;
    if (isSettled) this.wake();
  }

  /** Ends all waiting: also where nothing will arrive. */
  wake(): void {
    const woken = this.#waiting;
    this.#waiting = [];
    for (const wake of woken) wake();
  }

  whenSettled(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
