import { type Difference, isUnsure, sumOfDifferences } from "../../kit/answer/difference.js";
import type { GroupCell } from "../../kit/answer/intent.js";
import type { Interval } from "../../kit/answer/interval.js";
import type { PartErrors } from "../../kit/answer/partErrors.js";
import { keyOfGroup, labelOfGroup } from "../../kit/answer/series.js";

/** Groups beyond these share one grey. */
const groupsMax = 8;

export interface ScatterGroup {
  readonly key: string;
  readonly label: string;
  readonly group: readonly GroupCell[];
  readonly count: number;
}

/** Counts per cell, the highest values in the first row. */
export interface CellCounts {
  readonly columns: number;
  readonly rows: number;
  readonly counts: Float64Array;
  readonly compare: Float64Array | null;
  readonly errorBars: readonly (Interval | null)[];
  readonly unsure: Uint8Array;
  /** Index in `groups` of the largest group of a cell; −1: no group, or a group beyond `groupsMax`. */
  readonly leader: Int16Array;
  /** Largest first. */
  readonly groups: readonly ScatterGroup[];
  /** Rows without one of the two numbers. */
  readonly missing: number;
}

interface CellExtent {
  readonly columns: number;
  readonly rows: number;
  readonly compared: boolean;
}

/** Adds up the rows of a result per cell. */
export class CellSums {
  missing = 0;
  readonly errorBars: (Interval | null)[];
  readonly #columns: number;
  readonly #rows: number;
  readonly #counts: Float64Array;
  readonly #compare: Float64Array | null;
  /** Count and key of the largest group of a cell. */
  readonly #most: Float64Array;
  readonly #leaderKey: (string | null)[];
  readonly #groups = new Map<string, { group: readonly GroupCell[]; count: number }>();
  readonly #differences = new Map<number, Difference[]>();

  constructor({ columns, rows, compared }: CellExtent) {
    const size = columns * rows;
    this.#columns = columns;
    this.#rows = rows;
    this.#counts = new Float64Array(size);
    this.#compare = compared ? new Float64Array(size) : null;
    this.errorBars = new Array<Interval | null>(size).fill(null);
    this.#most = new Float64Array(size);
    this.#leaderKey = new Array<string | null>(size).fill(null);
  }

  indexOf(column: number, bin: number): number {
    return (this.#rows - 1 - bin) * this.#columns + column;
  }

  add(at: number, count: number, base: number): void {
    this.#counts[at] = (this.#counts[at] ?? 0) + count;
    if (this.#compare !== null) this.#compare[at] = (this.#compare[at] ?? 0) + base;
  }

  addGroup(at: number, group: readonly GroupCell[], count: number): void {
    const key = keyOfGroup(group);
    const known = this.#groups.get(key);
    if (known === undefined) this.#groups.set(key, { group, count });
    else known.count += count;
    if (count <= (this.#most[at] ?? 0)) return;
    this.#most[at] = count;
    this.#leaderKey[at] = key;
  }

  addDifference(at: number, difference: Difference): void {
    const known = this.#differences.get(at);
    if (known !== undefined) known.push(difference);
    else this.#differences.set(at, [difference]);
  }

  finish(partErrors: PartErrors): CellCounts {
    const groups = [...this.#groups]
      .map(([key, one]) => ({ key, label: labelOfGroup(one.group), ...one }))
      .sort((a, b) => b.count - a.count)
      .slice(0, groupsMax);
    const place = new Map(groups.map(({ key }, i) => [key, i]));
    const placeOf = (key: string | null) => (key === null ? -1 : (place.get(key) ?? -1));
    return {
      columns: this.#columns,
      rows: this.#rows,
      counts: this.#counts,
      compare: this.#compare,
      errorBars: this.errorBars,
      unsure: this.#unsure(partErrors),
      leader: Int16Array.from(this.#leaderKey, placeOf),
      groups,
      missing: this.missing,
    };
  }

  /** 1 where the difference of a cell lies within its error bars. */
  #unsure(partErrors: PartErrors): Uint8Array {
    const unsure = new Uint8Array(this.#counts.length);
    for (const [at, parts] of this.#differences) {
      if (isUnsure(sumOfDifferences(parts, partErrors))) unsure[at] = 1;
    }
    return unsure;
  }
}
