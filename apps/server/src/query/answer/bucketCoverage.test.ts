import type { Query } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import type { OracleRow } from "../../../test/oracle/table/oracleTable.js";
import { LeafMinutes, minuteMs } from "../../aggregate/estimate/leafMinutes.js";
import { createTimeSizes } from "../../aggregate/estimate/timeSizes.js";
import { resolveQuery } from "../../aggregate/function/resolveQuery.js";
import { partialOfRows } from "../../aggregate/testing/partialOfRows.js";
import { createTableSchema } from "../../plan/schema/tableSchema.js";
import {
  bucketCoverage,
  type CoverageOptions,
  compareCoverage,
  coverageMax,
} from "./bucketCoverage.js";
import type { MissingRows } from "./missingRows.js";

const table = createTableSchema("t", [{ name: "sample_rate", type: "int", decimals: 0 }]);
const asOf = 60 * minuteMs;
const settings: CoverageOptions["times"]["settings"] = {
  ...{ retention: { maxAgeMs: null, maxBytes: null }, thinning: [] },
};

interface Asked {
  readonly query?: Partial<Query>;
  readonly rows?: readonly OracleRow[];
  readonly firstMs?: number | null;
  readonly settings?: Partial<CoverageOptions["times"]["settings"]>;
  readonly missing?: Pick<MissingRows, "sizes" | "answeredShares">;
}

/** Of ten minutes before `asOf` in buckets of five, unless it is asked otherwise; starts are in minutes. */
function coverageOf({ query = {}, rows = [], firstMs = 0, missing, ...more }: Asked) {
  const asked: Query = {
    ...{ table: "t", from: asOf - 10 * minuteMs, to: asOf, groupBy: [{ time: "5m" }] },
    ...query,
  };
  const { resolved } = resolveQuery(asked, table, asOf);
  const found = bucketCoverage(resolved, {
    ...{ asOf, merged: partialOfRows(rows, resolved), missing: missing ?? null },
    times: { firstMs, settings: { ...settings, ...more.settings } },
  });
  return found.map(([start, share, reason]) => [start / minuteMs, share, reason]);
}

function baseCoverageOf(query: Partial<Query>, firstMinute: number) {
  const asked: Query = {
    ...{ table: "t", from: asOf - 10 * minuteMs, to: asOf, groupBy: [{ time: "5m" }] },
    ...query,
  };
  const { resolved } = resolveQuery(asked, table, asOf);
  const times = { firstMs: firstMinute * minuteMs, settings };
  const found = compareCoverage(resolved, { asOf, merged: partialOfRows([], resolved), times });
  return found.map(([start, share, reason]) => [start / minuteMs, share, reason]);
}

const minutesFrom = (first: number, ...counts: readonly number[]): LeafMinutes =>
  new LeafMinutes({ minutes: counts.map((_, i) => first + i), counts });

describe("buckets that are not whole", () => {
  test("none where all are, and without a time bucket", () => {
    expect(coverageOf({})).toEqual([]);
    expect(coverageOf({ query: { groupBy: [], from: 0 }, firstMs: asOf })).toEqual([]);
  });

  test("the open one by the time that has passed, those to come with nothing", () => {
    const query = { from: asOf - 6 * minuteMs, to: asOf + 6 * minuteMs, groupBy: [{ time: "4m" }] };
    expect(coverageOf({ query: query as never })).toEqual([
      [60, 0, "future"],
      [64, 0, "future"],
    ]);
    const open = { ...query, groupBy: [{ time: "7m" }] };
    expect(coverageOf({ query: open as never })).toEqual([
      [56, 4 / 7, "open"],
      [63, 0, "future"],
    ]);
  });

  test("before the table's first row; expired where retention removes rows", () => {
    const firstMs = 56 * minuteMs;
    expect(coverageOf({ firstMs })).toEqual([
      [50, 0, "before-data"],
      [55, 0.8, "before-data"],
    ]);
    expect(coverageOf({ firstMs: null })).toEqual([]);
    const bytes = { retention: { maxAgeMs: null, maxBytes: 1_000_000 } };
    expect(coverageOf({ firstMs, settings: bytes })[0]).toEqual([50, 0, "expired"]);
    const age = { retention: { maxAgeMs: 9 * minuteMs, maxBytes: null } };
    expect(coverageOf({ settings: age })).toEqual([[50, 0.8, "expired"]]);
  });

  test("thinned where rows are old enough and represent others", () => {
    const thinning = [
      { afterMs: 2 * minuteMs, keepOneIn: 10 },
      { afterMs: 5 * minuteMs, keepOneIn: 100 },
    ];
    const rowAt = (minute: number, rate: bigint): OracleRow => ({
      timeMs: minute * minuteMs,
      values: new Map([["sample_rate", rate]]),
    });
    const rows = [rowAt(50, 10n), rowAt(56, 10n), rowAt(51, 1n)];
    expect(coverageOf({ rows, settings: { thinning } })).toEqual([[50, 0.01, "thinned"]]);
    expect(coverageOf({ rows })).toEqual([]);
    // Between thinned rows all of a bucket's may have gone; those of another were all kept.
    const around = [rowAt(50, 10n), rowAt(52, 1n), rowAt(53, 10n)];
    const minutes = { groupBy: [{ time: "1m" }] } as const;
    expect(coverageOf({ query: minutes, rows: around, settings: { thinning } })).toEqual([
      [50, 0.01, "thinned"],
      [51, 0.01, "thinned"],
      [53, 0.01, "thinned"],
    ]);
    expect(coverageOf({ rows: [rowAt(50, 1n)], settings: { thinning } })).toEqual([]);
  });

  test("leaves are missing: the share of the rows that answered, of whole minutes", () => {
    const sizes = createTimeSizes([minutesFrom(50, 5, 5, 5)], [minutesFrom(52, 45)], asOf);
    const missing = { sizes: () => sizes, answeredShares: [1] };
    expect(coverageOf({ missing })).toEqual([[50, 0.25, "missing-leaves"]]);
    // Only one leaf had rows of it; which rows the other leaf has lost is unknown.
    const lost = createTimeSizes([minutesFrom(50, 10)], [minutesFrom(55, 3)], asOf);
    const lacking = { sizes: () => lost, answeredShares: [0.5] };
    expect(coverageOf({ missing: lacking })).toEqual([
      [50, 0.5, "missing-leaves"],
      [55, 0, "missing-leaves"],
    ]);
  });

  test("with a comparison the lower share of both sides", () => {
    const today = createTimeSizes([minutesFrom(50, 8)], [minutesFrom(50, 2)], asOf);
    const before = createTimeSizes([minutesFrom(40, 5, 5)], [minutesFrom(40, 10)], asOf);
    const missing = { sizes: (side: number) => (side === 0 ? today : before), answeredShares: [1] };
    expect(coverageOf({ query: { compare: { offset: "10m" } }, missing })).toEqual([
      [50, 0.5, "missing-leaves"],
    ]);
  });

  test("side B in time: before the first row, with the starts of side A's buckets", () => {
    const compared = { compare: { offset: "20m" } };
    expect(baseCoverageOf(compared, 32)).toEqual([[50, 0.6, "before-data"]]);
    expect(baseCoverageOf(compared, 38)).toEqual([
      [50, 0, "before-data"],
      [55, 0.4, "before-data"],
    ]);
    expect(baseCoverageOf(compared, 30)).toEqual([]);
    expect(baseCoverageOf({}, 58)).toEqual([]);
    // Without a time bucket its range is one.
    expect(baseCoverageOf({ ...compared, groupBy: [] }, 38)).toEqual([[50, 0.2, "before-data"]]);
  });

  test("bounded: buckets that leaves are missing of come first", () => {
    const query = { from: 0, to: asOf * 20, groupBy: [{ time: "10s" }] } as never;
    const sizes = createTimeSizes([minutesFrom(1_190, 1)], [minutesFrom(1_190, 1)], asOf);
    const missing = { sizes: () => sizes, answeredShares: [1] };
    const found = coverageOf({ query, missing });
    expect(found).toHaveLength(coverageMax);
    expect(found.filter(([, , reason]) => reason === "missing-leaves")).toHaveLength(6);
    expect(found.at(-1)).toEqual([1_190 + 5 / 6, 0.5, "missing-leaves"]);
  });
});
