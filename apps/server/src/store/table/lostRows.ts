import { MinuteRows } from "./minuteRows.js";

/** A column of a segment whose bytes are damaged; the other columns are readable. */
export interface LostColumn {
  readonly column: string;
  readonly rowCount: number;
  readonly reason: string;
}

/** Losses of a table on this leaf that the leaf has found. */
export class LostRows {
  /** Rows of segments that cannot be read, by their manifests. */
  readonly rows = new MinuteRows();
  readonly #generations = new Set<number>();
  readonly #reasons: string[] = [];
  readonly #unknown: string[] = [];
  #torn: string | null = null;
  readonly #columns = new Map<number, readonly LostColumn[]>();

  /**
   * Rows of a lost segment. Nothing is merged across it, or its rows would seem to be in the merged
   * segment.
   */
  add(
    generation: number,
    minutes: Iterable<readonly [minute: number, rowCount: number]>,
    reason: string,
  ): void {
    this.#generations.add(generation);
    for (const [minute, rowCount] of minutes) if (rowCount > 0) this.rows.add(minute, rowCount);
    this.#reasons.push(reason);
  }

  /**
   * A log ends within a record. Mostly its rows were not acknowledged; where rows are missing, this
   * is the reason.
   */
  noteTorn(reason: string): void {
    this.#torn = reason;
  }

  get torn(): string | null {
    return this.#torn;
  }

  /** Something is lost, and the number of its rows is unknown. */
  addUnknown(reason: string): void {
    this.#unknown.push(reason);
  }

  /** Columns of a segment that cannot be read while its others can. */
  addColumns(generation: number, columns: readonly LostColumn[]): void {
    this.#columns.set(generation, columns);
  }

  /** The segment is removed, with its losses. */
  forgetColumns(generation: number): void {
    this.#columns.delete(generation);
  }

  /** Nothing is known to be lost. */
  get isEmpty(): boolean {
    return this.files === 0;
  }

  /** Files that cannot be read, as a whole or in part. */
  get files(): number {
    return this.#generations.size + this.#unknown.length + this.#columns.size;
  }

  get hasColumns(): boolean {
    return this.#columns.size > 0;
  }

  /** Segment by segment. */
  get columns(): readonly LostColumn[] {
    return [...this.#columns.values()].flat();
  }

  get generations(): ReadonlySet<number> {
    return this.#generations;
  }

  /** Why rows that were counted are lost. */
  get reasons(): readonly string[] {
    return this.#reasons;
  }

  /** Losses whose rows are unknown. */
  get unknown(): readonly string[] {
    return this.#unknown;
  }
}
