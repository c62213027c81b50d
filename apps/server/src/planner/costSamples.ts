import { type CostLine, fitCostLine, medianOf } from "./costLine.js";

/** What one query took. */
export interface QueryTiming {
  /** Rows in the query's range on the leaf with most of them. */
  readonly rows: number;
  /** Groups in the largest answer of a leaf. */
  readonly groups: number;
  /** T_S: a machine's wait for its last leaf, without reading answers. */
  readonly waitMs: number;
  /** The way to a leaf and back. */
  readonly wayMs: number;
  /** Reading and merging one leaf's answer. */
  readonly mergeMs: number;
  /** The root's own time; NaN: not known, since the query had to wait. */
  readonly rootMs: number;
}

/** The costs of the queries of one shape. */
export interface QueryCosts {
  /** T_S by rows. */
  readonly scan: CostLine;
  /** T_A by groups. */
  readonly merge: CostLine;
  /** The median number of groups. */
  readonly groups: number;
  /** T_D + T_G. */
  readonly wayMs: number;
  /** The root's own time by groups. */
  readonly root: CostLine;
  readonly rowsMax: number;
  readonly groupsMax: number;
  /** Queries of the shape so far. */
  readonly queries: number;
}

const columns = ["rows", "groups", "waitMs", "wayMs", "mergeMs", "rootMs"] as const;

/** The last queries of one shape. */
export class CostSamples {
  readonly #size: number;
  /** One number after another, column by column. */
  readonly #values: Float64Array;
  #count = 0;
  #fitted: QueryCosts | null = null;
  #fittedAt = 0;

  constructor(size: number) {
    this.#size = size;
    this.#values = new Float64Array(size * columns.length);
  }

  note(timing: QueryTiming): void {
    const place = this.#count % this.#size;
    for (let i = 0; i < columns.length; i++) {
      this.#values[i * this.#size + place] = timing[columns[i]!];
    }
    this.#count += 1;
  }

  /** Fitted to the last queries. There is at least one. */
  get costs(): QueryCosts {
    if (this.#fitted === null || this.#fittedAt !== this.#count) {
      this.#fitted = this.#fit();
      this.#fittedAt = this.#count;
    }
    return this.#fitted;
  }

  /**
   * The same for every query: fitted again when there are twice as many as then, later when all of them are new. A fit
   * takes some 25 microseconds, so that a query pays two.
   */
  get costsSoFar(): QueryCosts {
    const isDue = this.#count >= Math.min(2 * this.#fittedAt, this.#fittedAt + this.#size);
    return this.#fitted === null || isDue ? this.costs : this.#fitted;
  }

  #fit(): QueryCosts {
    const [rows, groups, waitMs, wayMs, mergeMs, rootMs] = columns.map((_, i) => this.#column(i));
    const isKnown = (_: number, i: number): boolean => !Number.isNaN(rootMs![i]!);
    const known = rootMs!.filter(isKnown);
    return {
      scan: fitCostLine(rows!, waitMs!),
      merge: fitCostLine(groups!, mergeMs!),
      groups: medianOf(groups!.slice()),
      wayMs: medianOf(wayMs!.slice()),
      root:
        known.length === 0
          ? { fixedMs: 0, perUnitMs: 0 }
          : fitCostLine(groups!.filter(isKnown), known),
      rowsMax: Math.max(...rows!),
      groupsMax: Math.max(...groups!),
      queries: this.#count,
    };
  }

  #column(i: number): Float64Array {
    const start = i * this.#size;
    return this.#values.subarray(start, start + Math.min(this.#count, this.#size));
  }
}
