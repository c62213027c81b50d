import type { ChangedValue, Filter, ValueChange, WhatChangedRequest } from "@hadal/sdk";
import { changeValuesMax } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allTime } from "../support/allTime.js";
import { loadTable } from "../support/loadTable.js";
import type { Cluster } from "../support/startCluster.js";
import { startCluster } from "../support/startCluster.js";
import { rowTest } from "./naive/naiveFilter.js";
import { countRows, knownValues } from "./naive/naiveValues.js";
import { oracleSeed } from "./seed/seed.js";
import type { OracleRow, OracleTable } from "./table/oracleTable.js";
import { columnOf, parseScaled } from "./table/oracleTable.js";
import { oracleTables } from "./table/oracleTables.js";

const seed = oracleSeed();
const rowCount = 1_400;
const tables = oracleTables(seed, rowCount);
const testMsMax = 120_000;

/** Columns whose values go with the row's number differ between such sets. */
const half: Filter = { column: "regular", op: "<", value: (rowCount / 2) * 1_000 };
const some: Filter = { column: "few", op: "is present" };
const requests: readonly Partial<WhatChangedRequest>[] = [
  { selection: { filter: [half] } },
  { selection: { filter: [half, { column: "wide", op: ">", value: 0 }] }, filter: [some] },
  { selection: { filter: [{ column: "features", op: "includes any", value: ["beta", "ios"] }] } },
  {
    selection: { filter: [half] },
    against: { filter: [{ column: "regular", op: ">=", value: rowCount * 750 }] },
  },
  { selection: { filter: [{ not: half }] }, columns: ["grown", "mixed", "regular"] },
];

/** Times within those of the table's rows: the rest is before and after. */
const middle = (table: OracleTable) => {
  const times = table.rows.map(({ timeMs }) => timeMs).toSorted((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return { from: at(0.4), to: at(0.7) + 1 };
};
const requestsOf = (table: OracleTable): readonly Partial<WhatChangedRequest>[] => [
  ...requests,
  { selection: { ...middle(table), filter: [half] }, filter: [some] },
];

describe("what changed is what the rows say, on 1 leaf and on 4", () => {
  let one: Cluster;
  let four: Cluster;
  beforeAll(async () => {
    [one, four] = await Promise.all([
      startCluster({ leaves: 1, environment: { HADAL_SEAL_AFTER: "86400" } }),
      startCluster({ leaves: 4, environment: { HADAL_SEAL_AFTER: "1" } }),
    ]);
    for (const table of tables) {
      await loadTable(one, table, table.rows.length);
      await loadTable(four, table, 100);
    }
  }, testMsMax);
  afterAll(async () => {
    await Promise.all([one?.stop(), four?.stop()]);
  });

  test.each(tables)(
    "$name",
    async (table) => {
      let found = 0;
      for (const parts of requestsOf(table)) {
        const request = {
          ...{ table: table.name, ...allTime, limit: 1_000, values: changeValuesMax },
          ...{ timeoutMs: 30_000, ...parts },
        };
        const [a, b] = setsOf(table, request);
        const answers = [
          await one.client.whatChanged(request),
          await four.client.whatChanged(request),
        ];
        for (const answer of answers) {
          expect(answer.completeness.fraction).toBe(1);
          expect(answer.a).toMatchObject(countRows(a));
          expect(answer.b).toMatchObject(countRows(b));
          for (const column of answer.columns) {
            for (const change of [column.best, ...column.values]) {
              expectChange(table, column.name, change, a, b);
              found++;
            }
          }
          for (const { columns, is, filter, exclude, ...pair } of answer.pairs) {
            const inBoth = (rows: readonly OracleRow[]) =>
              rowsWith(table, columns[1], is[1], rowsWith(table, columns[0], is[0], rows));
            expect(pair.a).toMatchObject(countRows(inBoth(a)));
            expect(pair.b).toMatchObject(countRows(inBoth(b)));
            expectFilters(table, { filter, exclude }, [...inBoth(a), ...inBoth(b)], [...a, ...b]);
          }
        }
        const [alone, together] = answers.map(({ stats: _s, asOf: _a, ...answer }) => answer);
        expect(rounded(together!.columns)).toEqual(rounded(alone!.columns));
        expect(together!.unchanged.toSorted()).toEqual(alone!.unchanged.toSorted());
        expect(new Set(together!.hidden)).toEqual(new Set(alone!.hidden));
      }
      expect(found).toBeGreaterThan(20);
    },
    testMsMax,
  );

  test.each(tables)(
    "sets that a derived column separates are those of the stored one: $name",
    async (table) => {
      const derive = [{ as: "again", expression: { column: "regular" } }];
      // Of columns with more values than a leaf sends unasked, too.
      const columns = ["many", "grown", "mixed", "latency_us"];
      const request = { table: table.name, ...allTime, columns, limit: 10, timeoutMs: 30_000 };
      const by = (column: string) => ({ selection: { filter: [{ ...half, column }] } });
      for (const { client } of [one, four]) {
        const stored = await client.whatChanged({
          ...request,
          ...by("regular"),
        } as WhatChangedRequest);
        const derived = await client.whatChanged({
          ...request,
          ...by("again"),
          derive,
        } as WhatChangedRequest);
        expect(rounded({ ...derived, stats: null, asOf: 0 })).toEqual(
          rounded({ ...stored, stats: null, asOf: 0 }),
        );
      }
    },
    testMsMax,
  );
});

/** Sums of doubles differ in their last digits by the order of adding them up. */
function rounded(value: unknown): unknown {
  const text = JSON.stringify(value, (_, part) => {
    if (typeof part === "bigint") return part.toString();
    return typeof part === "number" ? Number(part.toPrecision(9)) : part;
  });
  return JSON.parse(text);
}

/** Set A and set B of a request, row by row. */
function setsOf(
  table: OracleTable,
  { filter = [], selection = {}, against = "rest" }: Partial<WhatChangedRequest>,
): readonly [OracleRow[], OracleRow[]] {
  const passing = (rows: readonly OracleRow[], filters: readonly Filter[]): OracleRow[] => {
    const passes = rowTest(table, filters);
    return rows.filter((row) => passes(row) === true);
  };
  const all = passing(table.rows, filter);
  const { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = selection;
  const a = passing(all, selection.filter ?? []).filter(
    ({ timeMs }) => timeMs >= Number(from) && timeMs < Number(to),
  );
  const selected = new Set(a);
  const b =
    against === "rest"
      ? all.filter((row) => !selected.has(row))
      : passing(all, against.filter ?? []);
  return [a, b];
}

function rowsWith(
  table: OracleTable,
  name: string,
  is: ChangedValue,
  rows: readonly OracleRow[],
): readonly OracleRow[] {
  const { type, decimals } = columnOf(table, name);
  const scaled = (value: unknown): bigint => parseScaled(String(value), decimals);
  if (is.kind === "range") {
    return rows.filter(({ values }) => {
      const value = values.get(name);
      if (typeof value !== "bigint") return false;
      return (
        (is.from === null || value >= scaled(is.from)) && (is.to === null || value < scaled(is.to))
      );
    });
  }
  const key = is.value === null || type !== "int" ? is.value : String(scaled(is.value));
  return knownValues(table, rows, name).get(key === null ? null : String(key)) ?? [];
}

function expectChange(
  table: OracleTable,
  name: string,
  { is, a, b, difference, filter, exclude }: ValueChange,
  inA: readonly OracleRow[],
  inB: readonly OracleRow[],
): void {
  const hits = [rowsWith(table, name, is, inA), rowsWith(table, name, is, inB)] as const;
  const share = (rows: readonly OracleRow[], all: readonly OracleRow[]): number =>
    all.length === 0 ? 0 : countRows(rows).count / countRows(all).count;
  const shares = [share(hits[0], inA), share(hits[1], inB)] as const;
  expect({ name, is, a, b }).toEqual({
    ...{ name, is },
    a: { ...countRows(hits[0]), share: shares[0] },
    b: { ...countRows(hits[1]), share: shares[1] },
  });
  expect(difference).toBeCloseTo(shares[0] - shares[1], 12);
  expectFilters(table, { filter, exclude }, [...hits[0], ...hits[1]], [...inA, ...inB]);
}

/** One filter holds for exactly these rows, the other for exactly the others. */
function expectFilters(
  table: OracleTable,
  { filter, exclude }: Pick<ValueChange, "filter" | "exclude">,
  hits: readonly OracleRow[],
  all: readonly OracleRow[],
): void {
  const wanted = new Set(hits);
  const [holds, isExcluded] = [rowTest(table, [filter]), rowTest(table, [exclude])];
  for (const row of all) {
    const isHit = wanted.has(row);
    if ((holds(row) === true) !== isHit) {
      expect.fail(`${JSON.stringify(filter)} should ${isHit ? "" : "not "}hold`);
    }
    if ((isExcluded(row) === true) === isHit) {
      expect.fail(`${JSON.stringify(exclude)} should ${isHit ? "not " : ""}hold`);
    }
  }
}
