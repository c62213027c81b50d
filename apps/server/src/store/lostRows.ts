import { MinuteRows } from "./minuteRows.js";

/** What a table has lost on this leaf, as far as the leaf knows. */
export class LostRows {
  /** Rows of segments that cannot be read, by their books. */
  readonly rows = new MinuteRows();
  readonly #generations = new Set<number>();
  readonly #reasons: string[] = [];
  readonly #unknown: string[] = [];

  /** Rows of a segment that is gone; nothing is merged across it, or its rows would seem to be in the merged one. */
  add(
    generation: number,
    minutes: Iterable<readonly [minute: number, rowCount: number]>,
    reason: string,
  ): void {
    this.#generations.add(generation);
    for (const [minute, rowCount] of minutes) if (rowCount > 0) this.rows.add(minute, rowCount);
    this.#reasons.push(reason);
  }

  /** Something is lost, and nobody knows how many rows that is. */
  addUnknown(reason: string): void {
    this.#unknown.push(reason);
  }

  get generations(): ReadonlySet<number> {
    return this.#generations;
  }

  /** Why rows that were counted are lost. */
  get reasons(): readonly string[] {
    return this.#reasons;
  }

  /** Losses of which nobody knows the rows. */
  get unknown(): readonly string[] {
    return this.#unknown;
  }
}
