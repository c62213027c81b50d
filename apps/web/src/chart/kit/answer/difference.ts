import type { Result } from "@hadal/sdk";
import { isTimeLeftOut } from "./coverage.js";
import { holdsZero, type Interval, intervalAt } from "./interval.js";
import { addedError, errorOfSum, type PartErrors } from "./partErrors.js";

/**
 * A number of side A minus the same number of side B. Every view greys it by {@link isUnsure}, so
 * that no view shows a change that another one shows as noise.
 */
export interface Difference {
  readonly value: number;
  /** `unknown`: it is an estimate, and its error is unknown. */
  readonly error: Interval | "exact" | "unknown";
  /** The larger of its two sides: an error that is not known may be as large. */
  readonly size: number;
}

/** Whether the difference may be none. */
export const isUnsure = (difference: Difference): boolean => whyUnsure(difference) !== null;

/** Why the difference may be none; null: there is one. */
export function whyUnsure({ error }: Difference): string | null {
  if (error === "exact") return null;
  if (error === "unknown") return "its error is unknown";
  return holdsZero(error) ? "within the error bars" : null;
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

/** The difference of two sums of parts. */
export class DifferenceSum {
  #value = 0;
  #size = 0;
  #below = 0;
  #above = 0;
  #isExact = true;

  readonly #partErrors: PartErrors;

  constructor(partErrors: PartErrors) {
    this.#partErrors = partErrors;
  }

  add({ value, error, size }: Difference): void {
    this.#value += value;
    this.#size += size;
    if (error === "exact") return;
    this.#isExact = false;
    this.#below += this.#added(error === "unknown" ? size : value - error[0]);
    this.#above += this.#added(error === "unknown" ? size : error[1] - value);
  }

  get total(): Difference {
    const [value, size] = [this.#value, this.#size];
    if (this.#isExact) return { value, error: "exact", size };
    const below = errorOfSum(this.#below, this.#partErrors);
    const above = errorOfSum(this.#above, this.#partErrors);
    return { value, error: [value - below, value + above], size };
  }

  #added(error: number): number {
    return addedError(error, this.#partErrors);
  }
}

export function sumOfDifferences(parts: Iterable<Difference>, partErrors: PartErrors): Difference {
  const sum = new DifferenceSum(partErrors);
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
  // Of distinct values and extremes of sampled rows a note says that they are estimates: no error bar can be given.
  const measure = column.replace(/\.compare$/, "");
  const isNoted = result.notes?.some((note) => note.column === measure) === true;
  const isEstimate = isPart || isNoted || Object.hasOwn(result.intervals, column);
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
  // The errors of the two sides are independent: the squares of the two that face each other add
  // up.
  const below = Math.hypot(reachA.below, reachB.above);
  const above = Math.hypot(reachA.above, reachB.below);
  return errorIn([value - below, value + above]);
}

const errorIn = (bar: Interval): Difference["error"] => (bar[0] === bar[1] ? "exact" : bar);

/** How far the true value of a side may be below and above the shown one; null: unknown. */
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
