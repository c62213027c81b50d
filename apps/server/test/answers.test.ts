import type { Query, Result, ServerFrame } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSeededRandom } from "./oracle/seed/seededRandom.js";
import { sendRows } from "./support/allTime.js";
import { openFrameLog } from "./support/frameLog.js";
import { type Cluster, startCluster } from "./support/startCluster.js";
import { waitUntil } from "./support/waitUntil.js";

/** Ten groups, and as many rows of each; every minute of two hours is as full as the others. */
const rowCount = 24_000;
/** Dealt out over the leaves: of whole bodies, the missing ones may be of other times than the others by chance. */
const bodyRows = 2_400;
const startMs = Date.UTC(2025, 2, 1, 10);
const hour = 3_600_000;
const base: Query = {
  table: "answers",
  from: startMs,
  to: startMs + 2 * hour,
  timeoutMs: 5_000,
};
const groups = Array.from({ length: 10 }, (_, i) => `g${i}`);
/** Without a pattern, so that the errors of one group say nothing of another's. */
const random = createSeededRandom(31);
const xs = Array.from({ length: rowCount }, () => random.int(0, 999));

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ leaves: 3, environment: { HADAL_SEAL_AFTER: "3600" } });
  const body = (table: string, first: number, count: number): Promise<unknown> => {
    const lines = Array.from({ length: count }, (_, k) => {
      const i = first + k;
      const rate = table === "sampled" ? { sample_rate: 1 + (i % 9) } : {};
      const time = startMs + Math.floor((i / rowCount) * 2 * hour);
      return JSON.stringify({ time, g: groups[(i * 7) % 10], x: xs[i], id: i, ...rate });
    });
    return cluster.client.ingestBody(table, lines.join("\n"), {
      contentType: "application/x-ndjson",
    });
  };
  for (const table of ["answers", "sampled"]) {
    for (let first = 0; first < rowCount; first += bodyRows) await body(table, first, bodyRows);
  }
}, 120_000);
afterAll(() => cluster?.stop());

const ask = (query: Partial<Query>): Promise<Result> => cluster.client.query({ ...base, ...query });

/** What is asked while one leaf stands still. */
async function withoutALeaf<T>(during: (leafId: string) => Promise<T>): Promise<T> {
  const [[leafId, pid] = ["", 0]] = [...(await cluster.leafPids())];
  process.kill(pid, "SIGSTOP");
  try {
    return await during(leafId);
  } finally {
    process.kill(pid, "SIGCONT");
    await waitUntil("a whole answer", async () => {
      const answer = await ask({ timeoutMs: 2_000 }).catch(() => null);
      return answer?.completeness.fraction === 1 ? answer : null;
    });
  }
}

/** What two leaves say, however busy the machine: one that is late as well is asked again. */
function askTwoLeaves(query: Partial<Query>): Promise<Result> {
  return withoutALeaf(() =>
    waitUntil("an answer of two leaves", async () => {
      const answer = await ask({ ...query, timeoutMs: 700 });
      return answer.completeness.leaves.answered === 2 ? answer : null;
    }),
  );
}

const numbers: Partial<Query> = {
  groupBy: ["g"],
  aggregates: [
    { fn: "count" },
    { fn: "sum", column: "x" },
    { fn: "avg", column: "x" },
    { fn: "count", per: "minute", as: "rate" },
    { fn: "percentile", column: "x", p: 50, as: "p50" },
    { fn: "max", column: "x" },
  ],
  orderBy: [{ by: "g" }],
};

function cells(result: Result, name: string): readonly number[] {
  const index = result.columns.findIndex((column) => column.name === name);
  return result.rows.map((row) => Number(row[index]));
}

describe("a leaf is missing (S83, O1)", () => {
  test("error bars hold what all leaves would say, and lie above counts and sums", async () => {
    const full = await ask(numbers);
    expect(full.intervals).not.toHaveProperty("count");
    expect(full.notes).toBeUndefined();
    const covariance = { fn: "covariance", columns: ["x", "id"], as: "together" } as const;
    const aggregates = [...(numbers.aggregates ?? []), covariance];
    const part = await askTwoLeaves({ ...numbers, aggregates });
    expect(Object.keys(part.intervals)).toEqual(
      expect.arrayContaining(["count", "sum_x", "avg_x", "rate", "p50"]),
    );
    for (const name of ["count", "sum_x", "avg_x", "rate"]) {
      const truth = cells(full, name);
      const held = part.intervals[name]!.filter(
        (bar, i) => bar !== null && bar[0] <= truth[i]! && truth[i]! <= bar[1],
      );
      // 19 of 20, whatever the batches of this run: fewer than 6 of 10 are one in ten thousand.
      expect(held.length, name).toBeGreaterThanOrEqual(6);
    }
    const shown = cells(part, "count");
    expect(part.intervals.count!.every((bar, i) => bar !== null && bar[0] >= shown[i]!)).toBe(true);
    expect(part.intervals).not.toHaveProperty("max_x");
    // How the batches lie decides whether two leaves say enough of each group's median.
    const noted = part.notes?.map(({ column }) => column).filter((column) => column !== "p50");
    expect(noted).toEqual(["max_x", "together", undefined]);
  });

  test("a comparison: what is missing is missing on both sides (S84, O2)", async () => {
    const asked: Partial<Query> = { ...numbers, from: startMs + hour, compare: { offset: "1h" } };
    const part = await askTwoLeaves(asked);
    expect(part.intervals).toHaveProperty(["count.delta"]);
    // Where the base itself may be off by more than half, a change in percent has no bar.
    const isBaseKnown = part.intervals["sum_x.compare"]!.map(
      (bar) => bar![1] - bar![0] < (bar![0] + bar![1]) / 2,
    );
    const changes = part.intervals["sum_x.delta_pct"] ?? part.rows.map(() => null);
    expect(changes.map((bar) => bar !== null)).toEqual(isBaseKnown);
    for (const percent of cells(part, "count.delta_pct"))
      expect(Math.abs(percent)).toBeLessThan(40);
  });

  test("partial answers carry bars as soon as two leaves tell", async () => {
    const log = await openFrameLog(cluster.url);
    const partial = await withoutALeaf(async () => {
      log.send({ kind: "query", id: "q", query: { ...base, ...numbers, timeoutMs: 4_000 } });
      return log.first(
        (frame) => frame.kind === "partial" && frame.completeness.leaves.answered === 2,
      );
    });
    expect((partial as ServerFrame & { kind: "partial" }).intervals).toHaveProperty("count");
    await log.final("q");
    await log.close();
  });

  test("partial answers say which buckets lack rows, and of the rest of a bucket what the ledger knows", async () => {
    const log = await openFrameLog(cluster.url);
    const query = { ...base, groupBy: [{ time: "10m" }], timeoutMs: 4_000 } as const;
    const partial = await withoutALeaf(async () => {
      log.send({ kind: "query", id: "b", query });
      return log.first(
        (frame) => frame.kind === "partial" && frame.completeness.leaves.answered === 2,
      );
    });
    const { rows, coverage, lowerBounds, intervals } = partial as ServerFrame & { kind: "partial" };
    expect(rows).toHaveLength(12);
    expect(coverage).toEqual(
      rows.map(([start, count]) => [start, Number(count) / (rowCount / 12), "missing-leaves"]),
    );
    expect(lowerBounds).toEqual(["count", "count.raw"]);
    expect(intervals.count).toEqual(rows.map(() => [rowCount / 12, rowCount / 12]));
    const final = await log.final("b");
    expect([final.coverage, final.lowerBounds]).toEqual([undefined, undefined]);
    await log.close();
  });

  const shapes: readonly (readonly [string, Partial<Query>])[] = [
    ["groups with having", { ...numbers, having: [{ column: "count", op: ">", value: 1 }] }],
    ["raw rows", { sampleView: {}, limit: 5 }],
    ["raw rows of two sides", { sampleView: {}, limit: 5, compare: { offset: "1h" } }],
    ["a histogram", { aggregates: [{ fn: "histogram", column: "x" }], compare: { offset: "1h" } }],
    ["series", { groupBy: [{ time: "10m" }, "g"], series: 3 }],
  ];
  test.each(shapes)("exact refuses %s and names the leaf (S82)", async (_, shape) => {
    await withoutALeaf(async (leafId) => {
      const asked = ask({ ...shape, exact: true, timeoutMs: 600 });
      await expect(asked).rejects.toMatchObject({
        code: "incomplete",
        message: expect.stringContaining(leafId) as string,
      });
    });
    expect((await ask({ ...shape, exact: true })).completeness.fraction).toBe(1);
  });

  test("exact waits for a leaf that comes back within the time", async () => {
    const [[, pid] = ["", 0]] = [...(await cluster.leafPids())];
    process.kill(pid, "SIGSTOP");
    const asked = ask({ ...numbers, exact: true, timeoutMs: 10_000 });
    setTimeout(() => process.kill(pid, "SIGCONT"), 700);
    const result = await asked;
    expect(result.completeness.fraction).toBe(1);
    expect(cells(result, "count").reduce((sum, count) => sum + count, 0)).toBe(rowCount);
  });
});

describe("sample rates (S83, C15)", () => {
  test("bars around every estimate, none around what is exact", async () => {
    const result = await ask({ ...numbers, table: "sampled" });
    for (const name of ["count", "sum_x", "avg_x", "rate", "p50"]) {
      const shown = cells(result, name);
      const bars = result.intervals[name]!;
      for (const [i, bar] of bars.entries()) {
        expect(bar![0], name).toBeLessThan(shown[i]!);
        expect(bar![1], name).toBeGreaterThan(shown[i]!);
      }
    }
    expect(result.intervals).not.toHaveProperty("max_x");
    expect(result.intervals).not.toHaveProperty(["count.raw"]);
  });

  test("what no bar can tell has a note, where rows stand for others", async () => {
    const aggregates: Query["aggregates"] = [
      { fn: "count" },
      { fn: "min", column: "x" },
      { fn: "distinct", column: "x" },
      { fn: "stddev", column: "x" },
      { fn: "histogram", column: "x" },
      { fn: "covariance", columns: ["x", "id"], as: "together" },
    ];
    const noted = async (query: Partial<Query>) =>
      (await ask({ aggregates, table: "sampled", ...query })).notes?.map(({ column }) => column);
    expect(await noted({})).toEqual(["min_x", "distinct_x", "stddev_x", "histogram_x", "together"]);
    expect(await noted({ groupBy: ["g"], limit: 3 })).toContain(undefined);
    expect(await noted({ aggregates: [{ fn: "count" }] })).toBeUndefined();
    const whole = { column: "sample_rate", op: "=", value: 1 } as const;
    expect(await noted({ filter: [whole] })).toBeUndefined();
    expect(await noted({ table: "answers" })).toBeUndefined();
  });

  test("of one group bars come from a part of its rows, and are what all would tell", async () => {
    const grouped = await ask({ table: "sampled", groupBy: ["sample_rate"] });
    const [[count] = [0]] = (await ask({ table: "sampled" })).rows;
    const bar = (await ask({ table: "sampled" })).intervals.count![0]!;
    const rates = cells(grouped, "sample_rate");
    const rows = cells(grouped, "count.raw");
    const variance = rates.reduce((sum, rate, i) => sum + rows[i]! * rate * (rate - 1), 0);
    const half = 1.96 * Math.sqrt(variance);
    expect((bar[1] - bar[0]) / 2 / half).toBeGreaterThan(0.9);
    expect((bar[1] - bar[0]) / 2 / half).toBeLessThan(1.1);
    expect(Math.abs((bar[0] + bar[1]) / 2 - Number(count))).toBeLessThan(half / 10);
  });
});

describe("result rows", () => {
  test("having holds in every frame, and the limit counts what passes", async () => {
    const log = await openFrameLog(cluster.url);
    const query: Query = {
      ...base,
      groupBy: ["id"],
      aggregates: [{ fn: "sum", column: "x" }],
      having: [{ column: "sum_x", op: "<", value: 100 }],
      limit: 50,
    };
    log.send({ kind: "query", id: "h", query });
    const final = await log.final("h");
    expect(final.rows).toHaveLength(50);
    expect(final.truncated).toEqual({ groups: xs.filter((x) => x < 100).length - 50 });
    for (const frame of log.frames) {
      if (!("rows" in frame)) continue;
      for (const row of frame.rows) expect(Number(row[1])).toBeLessThan(100);
    }
    await log.close();
  });

  test("buckets that the range cuts are named", async () => {
    const cut = { from: startMs + 600_000, to: startMs + 1.5 * hour };
    const hours = await ask({ ...cut, groupBy: [{ time: "1h" }] });
    expect(hours.incomplete).toEqual([startMs, startMs + hour]);
    const whole = await ask({ groupBy: [{ time: "1h" }] });
    expect(whole.incomplete).toBeUndefined();
    const month = await ask({
      groupBy: [{ time: "1mo" }],
      aggregates: [{ fn: "count", per: "hour" }],
    });
    expect(month.incomplete).toEqual([Date.UTC(2025, 2, 1)]);
    // Over the two hours that are covered, not over the month.
    expect(month.rows[0]?.[1]).toBe(rowCount / 2);
  });

  test("series are ranked as groups are: by what is gone too, where a comparison's number is named", async () => {
    const rowsOf = (service: string, atMs: number, count: number) =>
      Array.from({ length: count }, (_, i) => ({ time: atMs + i, service }));
    const rows = [
      ...rowsOf("gone", startMs, 100),
      ...[...rowsOf("other", startMs, 10), ...rowsOf("other", startMs + hour, 5)],
      ...[...rowsOf("steady", startMs, 50), ...rowsOf("steady", startMs + hour, 100)],
    ];
    await sendRows(cluster, "services", rows);
    const compared = {
      ...{ table: "services", from: startMs + hour, compare: { offset: "1h" as const } },
      exact: true,
    };
    for (const order of [
      { by: "count.delta" },
      { by: "count.compare", desc: true },
      { by: "count" },
      { by: "count.delta_pct", desc: true },
    ]) {
      const asked = { ...compared, orderBy: [order] };
      const groups = await ask({ ...asked, groupBy: ["service"], limit: 1 });
      const series = await ask({ ...asked, groupBy: [{ time: "1h" }, "service"], series: 1 });
      expect(new Set(series.rows.map((row) => row[1])), order.by).toEqual(
        new Set([groups.rows[0]?.[0]]),
      );
    }
    const plain = await ask({ ...compared, groupBy: [{ time: "1h" }, "service"], series: 2 });
    expect(new Set(plain.rows.map((row) => row[1]))).toEqual(new Set(["steady", "other"]));
  });

  test("a local hour that comes twice is compared with one that came once: the other is named", async () => {
    const fall = Date.UTC(2025, 9, 26);
    const rows = Array.from({ length: 5 * 6 }, (_, i) => ({ time: fall - 2 * hour + i * 600_000 }));
    const week = rows.map(({ time }) => ({ time: time - 7 * 24 * hour }));
    await sendRows(cluster, "fall", [...rows, ...week]);
    const asked = {
      ...{ table: "fall", from: fall - 2 * hour, to: fall + 3 * hour, timeZone: "Europe/Berlin" },
      ...{ compare: { offset: "7d" as const }, exact: true },
    };
    const hours = await ask({ ...asked, groupBy: [{ time: "1h" }] });
    expect(hours.incomplete).toEqual([fall]);
    const halves = await ask({ ...asked, groupBy: [{ time: "30m" }] });
    expect(halves.incomplete).toEqual([fall + hour / 2, fall + hour]);
    const days = await ask({ ...asked, groupBy: [{ time: "1d" }], compare: null });
    expect(days.incomplete).toEqual([fall - 2 * hour]);
  });

  test("what is acknowledged is there to be seen, also in columns that are new", async () => {
    for (let i = 0; i < 20; i++) {
      await sendRows(cluster, "growing", [{ time: startMs, id: i, [`new${i}`]: i }]);
      const { columns } = await ask({
        ...{ table: "growing", sampleView: {}, exact: true },
        filter: [{ column: "id", op: "=", value: i }],
      });
      expect(columns.map(({ name }) => name)).toContain(`new${i}`);
    }
  });

  test("raw rows of both sides, each newest first and up to the limit", async () => {
    const result = await ask({
      ...{ from: startMs + hour, compare: { offset: "1h" }, limit: 3 },
      sampleView: { columns: ["id"] },
    });
    expect(result.columns.map(({ name }) => name)).toEqual(["side", "time", "id"]);
    expect(result.rows.map(([side, , id]) => [side, id])).toEqual([
      ["main", rowCount - 1],
      ["main", rowCount - 2],
      ["main", rowCount - 3],
      ["compare", rowCount / 2 - 1],
      ["compare", rowCount / 2 - 2],
      ["compare", rowCount / 2 - 3],
    ]);
    expect(result.truncated?.rows).toBeGreaterThan(0);
  });
});
