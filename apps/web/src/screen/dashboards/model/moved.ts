import type { Result } from "@hadal/sdk";
import {
  type Difference,
  differencesOf,
  isUnsure,
  sumOfDifferences,
} from "../../../chart/kit/answer/difference.js";
import { partErrorsOf } from "../../../chart/kit/answer/partErrors.js";
import type { Change } from "../../../format/change.js";
import type { Aggregate } from "../../../query/number/aggregate.js";
import { isAdditive } from "../../../query/number/labels.js";
import type { TileReport } from "./reports.js";

/** The difference of a tile's first number from the compared side. */
export interface Moved {
  /** How far it lies outside its error bars, as a share of the larger side; 0: it may be none. */
  readonly score: number;
  readonly isUnsure: boolean;
  readonly percent: Change;
}

/** null: the tile compares nothing. */
export function movedOf({ result, numbers }: TileReport): Moved | null {
  if (result === null) return null;
  const names = result.columns.map(({ name }) => name);
  const measure = result.columns.find(
    ({ name, role }) => role === "aggregate" && names.includes(`${name}.delta`),
  )?.name;
  if (measure === undefined || result.rows.length === 0) return null;
  const differences = rowDifferences(result, measure);
  const whole = addsUp(numbers[0])
    ? sumOfDifferences(differences, partErrorsOf(result))
    : differences.toSorted((a, b) => scoreOf(b) - scoreOf(a))[0];
  if (whole === undefined) return null;
  return {
    score: scoreOf(whole),
    isUnsure: isUnsure(whole),
    percent: percentOf(result, measure, whole),
  };
}

/** Tiles by how far they moved: the surest and largest first, those that compare nothing last. */
export function rankMoved(reports: ReadonlyMap<string, TileReport>): ReadonlyMap<string, Moved> {
  const found = [...reports].flatMap(([id, one]) => {
    const moved = movedOf(one);
    return moved === null ? [] : [[id, moved] as const];
  });
  return new Map(found.toSorted(([, a], [, b]) => b.score - a.score));
}

function rowDifferences(result: Result, measure: string): readonly Difference[] {
  const difference = differencesOf(result, measure);
  return result.rows.map((_, row) => difference(row));
}

const addsUp = (spec: Aggregate | undefined): boolean =>
  spec !== undefined && isAdditive(spec) && spec.per === undefined;

/** 0 while the error bars reach zero. */
function scoreOf(difference: Difference): number {
  const { value, error, size } = difference;
  if (isUnsure(difference) || size === 0) return 0;
  const near = error === "exact" || error === "unknown" ? Math.abs(value) : nearest(error);
  return near / size;
}

const nearest = ([low, high]: readonly [number, number]): number =>
  Math.min(Math.abs(low), Math.abs(high));

/** Of the whole: side B is what side A was before the difference. */
function percentOf(result: Result, measure: string, { value, size }: Difference): Change {
  const sum = (column: string): number => {
    const index = result.columns.findIndex(({ name }) => name === column);
    return result.rows.reduce((all, row) => all + Number(row[index] ?? 0), 0);
  };
  const base = sum(`${measure}.compare`);
  if (base === 0) return value === 0 ? null : "new";
  const isTotal = Math.abs(sum(measure) - base - value) <= Math.abs(size) * 1e-9 + 1e-9;
  // Of one row the larger side is the base, or the number itself.
  return isTotal ? (value / base) * 100 : (value / (value > 0 ? size - value : size)) * 100;
}
