import type { Query, Result } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sendRows } from "./support/allTime.js";
import { type Cluster, startCluster } from "./support/startCluster.js";

const hour = 3_600_000;
const day = 24 * hour;
const quarterHour = hour / 4;

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ leaves: 2 });
  // Four rows an hour, without a gap.
  const firstMs = Date.parse("2025-12-25T00:00:00Z");
  const count = (95 * day) / quarterHour;
  const even = Array.from({ length: count }, (_, i) => ({ time: firstMs + i * quarterHour }));
  await sendRows(cluster, "even", even);
}, 60_000);
afterAll(() => cluster?.stop());

const ask = (query: Omit<Query, "table">): Promise<Result> =>
  cluster.client.query({ table: "even", exact: true, timeoutMs: 10_000, ...query });

/** What each bucket says, by its beginning. */
function changesOf({ columns, rows }: Result): Map<string, number | null> {
  const at = columns.findIndex(({ name }) => name === "count.delta_pct");
  return new Map(
    rows.map((row) => [new Date(Number(row[0])).toISOString(), row[at] as number | null]),
  );
}

describe("months that are not equally long", () => {
  test("28 February has four days of January to itself, and is marked; every other day changes by nothing", async () => {
    const answer = await ask({
      ...{ from: "2026-02-01", to: "2026-03-01", groupBy: [{ time: "1d" }] },
      compare: { offset: "1mo" },
    });
    const changes = changesOf(answer);
    expect(changes.get("2026-02-28T00:00:00.000Z")).toBe(-75);
    expect(answer.incomplete).toEqual([Date.parse("2026-02-28T00:00:00Z")]);
    changes.delete("2026-02-28T00:00:00.000Z");
    expect([...changes.values()]).toEqual(Array.from({ length: 27 }, () => 0));
    // Nothing of January is lost or counted twice.
    const at = answer.columns.findIndex(({ name }) => name === "count.compare");
    const base = answer.rows.reduce((sum, row) => sum + Number(row[at]), 0);
    expect(base).toBe(31 * 24 * 4);
    expect(answer.notes).toBeUndefined();
  });

  test("the same in SQL, by weeks: seven days are compared with seven, or the week is marked", async () => {
    const answer = await cluster.client.query(
      `SELECT time_bucket('1w', time) AS week, count(*) FROM even
       WHERE time >= '2026-02-02' AND time < '2026-03-30'
       GROUP BY week COMPARE TO INTERVAL '1 month' WITH (exact)`,
    );
    const changes = changesOf(answer);
    const marked = (answer.incomplete ?? []).map((start) => new Date(start).toISOString());
    // 23 February to 1 March: ten days from 23 January on; 23 March: six days from 23 February on.
    expect(marked).toEqual(["2026-02-23T00:00:00.000Z", "2026-03-23T00:00:00.000Z"]);
    for (const [week, change] of changes)
      expect([week, change === 0]).toEqual([week, !marked.includes(week)]);
  });

  test("without buckets a note says that 28 days stand beside 31; rates are right", async () => {
    const answer = await ask({
      ...{ from: "2026-02-01", to: "2026-03-01", compare: { offset: "1mo" } },
      aggregates: [{ fn: "count" }, { fn: "count", per: "minute", as: "rate" }],
    });
    const [row] = answer.rows;
    const value = (name: string) => row?.[answer.columns.findIndex((one) => one.name === name)];
    expect([value("count"), value("count.compare")]).toEqual([28 * 96, 31 * 96]);
    expect([value("rate"), value("rate.compare"), value("rate.delta_pct")]).toEqual([
      4 / 60,
      4 / 60,
      0,
    ]);
    expect(answer.notes).toEqual([
      {
        text: "The range lasts 28 days, the one it is compared with 31 days: compare rates (PER HOUR), not counts and sums.",
      },
    ]);
    const equal = await ask({ from: "2026-02-01", to: "2026-03-01", compare: { offset: "28d" } });
    expect(equal.notes).toBeUndefined();
  });
});

test("across the spring change one hour is not compared with two, and the marked ones are the only ones that change", async () => {
  const answer = await ask({
    ...{ from: "2026-03-08T00:00:00-05:00", to: "2026-03-09T00:00:00-04:00" },
    ...{ timeZone: "America/New_York", groupBy: [{ time: "1h" }], compare: { offset: "7d" } },
  });
  const changes = changesOf(answer);
  expect(changes.get("2026-03-08T06:00:00.000Z")).toBe(-50);
  expect(answer.incomplete).toEqual([Date.parse("2026-03-08T06:00:00Z")]);
  changes.delete("2026-03-08T06:00:00.000Z");
  expect([...changes.values()]).toEqual(Array.from({ length: 22 }, () => 0));
  const days = await ask({
    ...{ from: "2026-03-08T00:00:00-05:00", to: "2026-03-09T00:00:00-04:00" },
    ...{ timeZone: "America/New_York", compare: { offset: "7d" } },
  });
  expect(days.notes?.[0]?.text).toContain("lasts 23 hours, the one it is compared with 1 day");
});

describe("times that are months ago", () => {
  /** By the local calendar, as PostgreSQL subtracts months. */
  function monthsBefore(timeMs: number, months: number): number {
    const date = new Date(timeMs);
    const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, 1));
    const days = new Date(
      Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0),
    ).getUTCDate();
    return first.getTime() + (Math.min(date.getUTCDate(), days) - 1) * day + (timeMs % day);
  }

  test("from one month ago: the rows of a month, in JSON and in SQL, as a range and as a filter", async () => {
    const nowMs = Date.now();
    const startMs = monthsBefore(nowMs, 1);
    // None within a minute of the start: the clock goes on while we ask.
    const rows = Array.from({ length: 80 }, (_, i) => ({
      time: startMs + (i - 20) * 12 * hour + 5 * 60_000,
    })).filter(({ time }) => time < nowMs);
    await sendRows(cluster, "recent", rows);
    const expected = rows.filter(({ time }) => time >= startMs).length;
    const json = await cluster.client.query({
      table: "recent",
      from: "-1mo",
      to: "now",
      exact: true,
    });
    const sql = await cluster.client.query(
      "SELECT count(*) FROM recent WHERE time >= now() - INTERVAL '1 month' AND time < now() WITH (exact)",
    );
    const filtered = await cluster.client.query({
      ...{ table: "recent", from: "-1y", to: "now+1ms", exact: true },
      filter: [{ column: "time", op: ">=", value: "-1mo" }],
    });
    expect([json, sql, filtered].map((result) => Number(result.rows[0]?.[0]))).toEqual([
      expected,
      expected,
      expected,
    ]);
    expect(expected).toBeGreaterThan(40);
  });

  test("31 March less a month is 28 February, in the zone of the query", async () => {
    const february = await cluster.client.query(
      `SELECT count(*) FROM even WHERE time >= '2026-03-31T00:00:00-04:00' - INTERVAL '1 month'
       AND time < '2026-03-01T00:00:00-05:00' TIME ZONE 'America/New_York' WITH (exact)`,
    );
    expect(february.rows).toEqual([[96, 96]]);
    await expect(
      cluster.client.query({ table: "even", from: "-1mo", to: "-2mo" }),
    ).rejects.toMatchObject({ code: "time-range-invalid" });
    await expect(
      cluster.client.query({ table: "even", from: "-1month", to: "now" }),
    ).rejects.toMatchObject({ code: expect.any(String), errors: [{ path: "from" }] });
  });
});
