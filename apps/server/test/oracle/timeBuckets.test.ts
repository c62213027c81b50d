import type { Query } from "@hadal/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadTable } from "../support/loadTable.js";
import { type Cluster, startCluster } from "../support/startCluster.js";
import { clusterDifference } from "./compare/clusterDifference.js";
import { oracleSeed, queriesPerTable } from "./seed/seed.js";
import { createSeededRandom } from "./seed/seededRandom.js";
import type { OracleTable } from "./table/oracleTable.js";

const seed = oracleSeed();
const queryCount = queriesPerTable(60);
const dayMs = 86_400_000;
/** Clocks go forward and back within the range, on different days in each zone. */
const [firstMs, lastMs] = [Date.UTC(2026, 1, 10), Date.UTC(2026, 11, 20)];
const zones = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"];
const lengths = ["6h", "1d", "1w", "1mo", "1q"];

const table: OracleTable = {
  name: "calendar",
  columns: [
    { name: "n", type: "int", decimals: 0 },
    { name: "s", type: "string", decimals: 0 },
    { name: "user", type: "string", decimals: 0 },
    { name: "session", type: "string", decimals: 0 },
  ],
  rows: Array.from({ length: 6_000 }, (_, i) => {
    const random = createSeededRandom(seed * 10_007 + i);
    // A quarter of them near the changes of the clock.
    const changes = [Date.UTC(2026, 2, 8), Date.UTC(2026, 2, 29), Date.UTC(2026, 9, 25)];
    const timeMs = random.chance(0.25)
      ? random.pick(changes) + random.int(-dayMs, 2 * dayMs)
      : random.int(firstMs, lastMs);
    const values = new Map<string, bigint | string>([
      ["n", BigInt(random.int(-50, 50))],
      ["s", `s${random.int(0, 3)}`],
      // Some of 300 often, so that which are the first is no matter of ties.
      ["user", `u${Math.floor(300 * random.next() ** 3)}`],
      ["session", `s${random.int(0, 2_000)}`],
    ]);
    return { timeMs, values };
  }),
};

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({
    leaves: 2,
    environment: { HADAL_SEAL_AFTER: "1", HADAL_FUTURE_MAX: "0" },
  });
  await loadTable(cluster, table, 500);
}, 60_000);
afterAll(() => cluster?.stop());

function bucketsQuery(querySeed: number): Query {
  const random = createSeededRandom(querySeed);
  const times = random.sample(lengths, random.int(2, 3));
  const groupBy: NonNullable<Query["groupBy"]>[number][] = times.map((time, i) => ({
    time: time as "1d",
    as: `t${i}`,
  }));
  const hasString = random.chance(0.4);
  if (hasString) groupBy.splice(random.int(0, groupBy.length), 0, "s");
  const from = random.int(firstMs, lastMs - 2 * dayMs);
  const to = Math.min(lastMs, from + random.int(dayMs, 120 * dayMs));
  return {
    table: table.name,
    ...{ from, to, timeZone: random.pick(zones), groupBy },
    aggregates: [
      { fn: "count" },
      { fn: "sum", column: "n" },
      { fn: "sum", column: "n", per: "hour", as: "rate" },
    ],
    ...(random.chance(0.85)
      ? { compare: { offset: random.pick(["12h", "1d", "1w", "4w", "1mo", "1q"]) } }
      : {}),
    ...(random.chance(0.3) ? { filter: [{ column: "n", op: ">", value: 0 }] } : {}),
    ...(hasString && random.chance(0.5) ? { series: random.int(1, 3) } : {}),
  };
}

test("several calendar buckets, compared with another time, count as the naive engine does", async () => {
  for (let index = 0; index < queryCount; index++) {
    const query = bucketsQuery(seed * 1_009 + index);
    const difference = await clusterDifference(cluster, 2, table, query);
    if (difference === null) continue;
    expect.fail(`HADAL_TEST_SEED=${seed}, query ${index}: ${difference}\n${JSON.stringify(query)}`);
  }
}, 120_000);

/** The last quarter has some ten rows: points of the first users that are smaller than all that a leaf keeps. */
const soonInQuarterMs = Date.UTC(2026, 9, 1, 12);

const count = { fn: "count", as: "of" } as const;
/** Of sessions, which all have few rows, leaves know so little that they are asked a second time. */
const sum = { fn: "sum", column: "n", as: "of" } as const;

test.each<[string, number, typeof count | typeof sum, "user" | "session", string[]]>([
  // Few enough for a table that leaves cut before they read it.
  ["few", soonInQuarterMs, count, "user", ["1mo", "1q"]],
  ["days and weeks", lastMs, count, "user", ["1d", "1w"]],
  ["asked again", lastMs, sum, "session", ["1w", "1d"]],
  ["three", lastMs, count, "user", ["6h", "1mo", "1w"]],
])(
  "a series over several buckets has all its points, though leaves cut series: %s",
  async (_, to, aggregate, column, [first, ...further]) => {
    const range = { table: table.name, from: firstMs, to, timeoutMs: 20_000 };
    const asked = { ...range, aggregates: [aggregate] };
    const whole = await cluster.client.query({ ...asked, groupBy: [column], limit: 3 });
    const groupBy = [{ time: first }, column, ...further.map((time) => ({ time, as: time }))];
    const { columns, rows, truncated } = await cluster.client.query({
      ...asked,
      groupBy: groupBy as NonNullable<Query["groupBy"]>,
      series: 3,
    });
    const [key, value] = [column, "of"].map((name) => columns.findIndex((c) => c.name === name));
    const values = new Map<unknown, number>();
    for (const row of rows) {
      values.set(row[key!], (values.get(row[key!]) ?? 0) + Number(row[value!]));
    }
    expect(values).toEqual(new Map(whole.rows.map(([name, total]) => [name, total])));
    expect(truncated?.series).toBeGreaterThan(200);
  },
);

test("buckets that either range cuts are marked", async () => {
  const { rows, incomplete } = await cluster.client.query({
    ...{ table: table.name, timeZone: "Europe/Berlin" },
    ...{ from: "2026-04-15T00:00:00+02:00", to: "2026-05-01T00:00:00+02:00" },
    groupBy: [{ time: "1mo" }, { time: "1w", as: "week" }],
    compare: { offset: "1mo" },
  });
  // March has its 15th to 30th; both months are cut.
  expect(new Set(rows.map(([month]) => month))).toEqual(
    new Set([Date.parse("2026-04-01T00:00:00+02:00")]),
  );
  expect(incomplete).toEqual([Date.parse("2026-04-01T00:00:00+02:00")]);
});
