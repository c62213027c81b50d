import type { HadalError, Result } from "@hadal/sdk";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { Aggregate } from "../../../query/number/aggregate.js";

/** What a tile last heard. */
export interface TileReport {
  readonly title: string;
  readonly result: Result | null;
  readonly numbers: readonly Aggregate[];
  readonly problem: HadalError | null;
  readonly isBusy: boolean;
  /** It has no query to ask: the tile says why. */
  readonly isRefused: boolean;
}

/** Reports of the tiles on the screen, by the tile's id. */
export type Reports = StoreApi<ReadonlyMap<string, TileReport>>;

export const createReports = (): Reports => createStore(() => new Map());

export function report(reports: Reports, id: string, next: TileReport | null): void {
  const known = new Map(reports.getState());
  if (next === null) known.delete(id);
  else known.set(id, next);
  reports.setState(known, true);
}

/** The board's own status: the worst of its tiles. */
export interface BoardSummary {
  readonly tiles: number;
  readonly answered: number;
  readonly failed: number;
  readonly isBusy: boolean;
  /** Every tile has an answer, or says why there is none. */
  readonly isSettled: boolean;
  /** Smallest share of the rows; null: no answer. */
  readonly fraction: number | null;
  /** Leaves that answered every tile, and all. */
  readonly leaves: { readonly answered: number; readonly total: number } | null;
  readonly missing: readonly string[];
  readonly rowsScanned: number | null;
  readonly oldestMs: number | null;
  readonly slowest: { readonly title: string; readonly elapsedMs: number } | null;
}

export function summaryOf(reports: ReadonlyMap<string, TileReport>): BoardSummary {
  const all = [...reports.values()];
  const answers = all.flatMap(({ title, result }) => (result === null ? [] : [{ title, result }]));
  const slowest = answers.toSorted(
    (a, b) => b.result.stats.elapsedMs - a.result.stats.elapsedMs,
  )[0];
  const results = answers.map(({ result }) => result);
  const missing = new Set(results.flatMap(({ completeness }) => completeness.leaves.missing));
  const total = Math.max(0, ...results.map(({ completeness }) => completeness.leaves.total));
  const scanned = results.map(({ stats }) => stats.rowsScanned);
  return {
    tiles: all.length,
    answered: results.length,
    failed: all.filter(isFailed).length,
    isBusy: all.some(({ isBusy }) => isBusy),
    isSettled: all.every((one) => !one.isBusy && (one.result !== null || isFailed(one))),
    fraction: least(results.map(({ completeness }) => completeness.fraction)),
    leaves: results.length === 0 ? null : { answered: total - missing.size, total },
    missing: [...missing],
    rowsScanned: scanned.includes(undefined)
      ? null
      : scanned.reduce<number>((sum, rows) => sum + (rows ?? 0), 0),
    oldestMs: least(results.map(({ asOf }) => asOf)),
    slowest:
      slowest === undefined
        ? null
        : { title: slowest.title, elapsedMs: slowest.result.stats.elapsedMs },
  };
}

const isFailed = ({ problem, isRefused }: TileReport): boolean => problem !== null || isRefused;

const least = (numbers: readonly number[]): number | null =>
  numbers.length === 0 ? null : Math.min(...numbers);
