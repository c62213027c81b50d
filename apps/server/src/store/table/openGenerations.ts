import type { LogPosition } from "../../base/copy/copySource.js";
import type { StoredSegment } from "../segment/segmentView.js";
import { OpenGeneration } from "./openGeneration.js";

/** The generations of a table whose rows are not sealed: the present one, and those that wait. */
export class OpenGenerations {
  current: OpenGeneration;
  #waiting: readonly OpenGeneration[] = [];

  constructor(first: number) {
    this.current = new OpenGeneration(first);
  }

  /** Full ones with rows of units, oldest first; their logs are closed. */
  get waiting(): readonly OpenGeneration[] {
    return this.#waiting;
  }

  get all(): readonly OpenGeneration[] {
    return this.#waiting.length === 0 ? [this.current] : [...this.#waiting, this.current];
  }

  get hasUnits(): boolean {
    return this.#waiting.length > 0 || this.current.units.size > 0;
  }

  /** Goes on with another one. */
  goTo(number: number): void {
    this.current = new OpenGeneration(number);
  }

  /** The present one waits, and the next one begins. */
  park(): OpenGeneration {
    const parked = this.current;
    this.#waiting = [...this.#waiting, parked];
    this.goTo(parked.number + 1);
    return parked;
  }

  leave(generation: OpenGeneration): void {
    this.#waiting = this.#waiting.filter((one) => one !== generation);
  }

  /** Whole logs of rows that wait to be sealed; `endBytes` 0: the log has failed. */
  get waitingLogs(): readonly LogPosition[] {
    return this.#waiting.map(logOf);
  }

  /** Rows that queries see, by what the leaf knows. */
  get shownRowCount(): number {
    return this.all.reduce((sum, { shownRowCount }) => sum + shownRowCount, 0);
  }

  get bytes(): number {
    return this.all.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** All segments that have rows, also those that queries do not see. */
  views(): StoredSegment[] {
    return this.all.flatMap(({ segments }) =>
      segments.filter(({ rowCount }) => rowCount > 0).map((segment) => segment.view()),
    );
  }

  /** Those that every query sees, without those of units. */
  shownViews(): StoredSegment[] {
    return this.all.flatMap(({ segment }) =>
      segment === null || segment.rowCount === 0 ? [] : [segment.view()],
    );
  }

  /** The newest of the rows of the present generation; null: it has none. */
  get maxMs(): number | null {
    const segments = this.current.segments.filter(({ rowCount }) => rowCount > 0);
    return segments.length === 0 ? null : Math.max(...segments.map((one) => one.view().maxMs));
  }
}

export const logOf = ({ number, closedAtBytes }: OpenGeneration): LogPosition => ({
  generation: number,
  endBytes: closedAtBytes,
});
