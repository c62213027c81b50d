import type { Result } from "@hadal/sdk";
import { isTimeLeftOut } from "./coverage.js";
import { holdsZero, type Interval, intervalAt } from "./interval.js";

/**
 * A number of side A less the same of side B. Every view asks {@link isUnsure} whether to grey it, so that what one
 * view calls a change no other calls noise.
 */
export interface Difference {
  readonly value: number;
  /** `unknown`: it is an estimate, and its error is unknown. */
  readonly error: Interval | "exact" | "unknown";
  /** The larger of its two sides: an error that is not known may be as large. */
  readonly size: number;
}

/** Whether the difference may be none. */
export function isUnsure({ error }: Difference): boolean {
  if (error === "exact") return false;
  return error === "unknown" || holdsZero(error);
}

/** The difference of a measure in each row: by its own error bar, else by those of its two sides. */
export function differencesOf(result: Result, measure: string): (row: number) => Difference {
  const sideA = sideReader(result, measure);
  const sideB = sideReader(result, `${measure}.compare`);
  const isIncomplete = incompleteReader(result);
  return (row) => {
    const [a, b] = [sideA(row), sideB(row)];
    const value = (a.value ?? 0) - (b.value ?? 0);
    const size = Math.max(Math.abs(a.value ?? 0), Math.abs(b.value ?? 0));
    if (isIncomplete(row)) return { value, error: "unknown", size };
    const own = intervalAt(result, `${measure}.delta`, row);
    return { value, error: own === null ? errorOfSides(a, b, value) : errorIn(own), size };
  };
}

/**
 * The difference of two sums of parts. Sampling errs in each part by itself, so the squares of errors add up; rows of
 * leaves that are missing are missing in all parts at once, so there the errors themselves do.
 */
export class DifferenceSum {
  #value = 0;
  #size = 0;
  #below = 0;
  #above = 0;
  #isExact = true;

  readonly #complete: boolean;

  /** `complete`: all leaves answered. */
  constructor(complete: boolean) {
    this.#complete = complete;
  }

  add({ value, error, size }: Difference): void {
    this.#value += value;
    this.#size += size;
    if (error === "exact") return;
    this.#isExact = false;
    this.#below += this.#power(error === "unknown" ? size : value - error[0]);
    this.#above += this.#power(error === "unknown" ? size : error[1] - value);
  }

  get total(): Difference {
    const [value, size] = [this.#value, this.#size];
    if (this.#isExact) return { value, error: "exact", size };
    const [below, above] = [this.#root(this.#below), this.#root(this.#above)];
    return { value, error: [value - below, value + above], size };
  }

  #power(error: number): number {
    return this.#complete ? error * error : error;
  }

  #root(error: number): number {
    return this.#complete ? Math.sqrt(error) : error;
  }
}

export function sumOfDifferences(parts: Iterable<Difference>, complete: boolean): Difference {
  const sum = new DifferenceSum(complete);
  for (const part of parts) sum.add(part);
  return sum.total;
}

interface Side {
  /** null: no rows, or rows without a number. */
  readonly value: number | null;
  readonly bar: Interval | null;
  /** The numbers of its column are estimates: those without an error bar may be off by anything. */
  readonly isEstimate: boolean;
}

function sideReader(result: Result, column: string): (row: number) => Side {
  const index = result.columns.findIndex(({ name }) => name === column);
  const { fraction, leaves } = result.completeness;
  const isPart = fraction < 1 || leaves.missing.length > 0;
  const isEstimate = isPart || Object.hasOwn(result.intervals, column);
  return (row) => {
    const cell = result.rows[row]?.[index] ?? null;
    const value = cell === null || Array.isArray(cell) ? null : Number(cell);
    return { value, bar: intervalAt(result, column, row), isEstimate };
  };
}

function errorOfSides(a: Side, b: Side, value: number): Difference["error"] {
  if (a.value === null && b.value === null) return "exact";
  const [reachA, reachB] = [reachOf(a), reachOf(b)];
  if (reachA === null || reachB === null) return "unknown";
  // Each side errs by itself: the squares of the two errors that face each other add up.
  const below = Math.hypot(reachA.below, reachB.above);
  const above = Math.hypot(reachA.above, reachB.below);
  return errorIn([value - below, value + above]);
}

const errorIn = (bar: Interval): Difference["error"] => (bar[0] === bar[1] ? "exact" : bar);

/** How far a side may be below and above what is shown; null: unknown. */
function reachOf({ value, bar, isEstimate }: Side) {
  if (!isEstimate) return { below: 0, above: 0 };
  if (bar === null || value === null) return null;
  return { below: value - bar[0], above: bar[1] - value };
}

/** Buckets (or ranges) that one side covers in part, or not at all, compare unlike with unlike. */
function incompleteReader(result: Result): (row: number) => boolean {
  const { incomplete = [], coverage = [], compareCoverage = [], columns, rows } = result;
  const time = columns.findIndex(({ role, type }) => role === "group" && type === "time");
  const apart = [...coverage, ...compareCoverage].filter(isTimeLeftOut);
  if (time < 0) return () => apart.length > 0;
  if (incomplete.length === 0 && apart.length === 0) return () => false;
  const starts = new Set([...incomplete, ...apart.map(([start]) => start)]);
  return (row) => starts.has(Number(rows[row]?.[time]));
}
