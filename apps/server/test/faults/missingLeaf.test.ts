import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Query, Result } from "@hadal/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSeededRandom } from "../oracle/seed/seededRandom.js";
import { sendRows } from "../support/allTime.js";
import { type Cluster, startCluster } from "../support/startCluster.js";
import { waitUntil } from "../support/waitUntil.js";

const startMs = Date.UTC(2025, 2, 1, 10);
const hour = 3_600_000;

describe("the one leaf that holds a small table is stopped", () => {
  let cluster: Cluster;
  let holder = "";
  beforeAll(async () => {
    cluster = await startCluster({ leaves: 3 });
    const rows = Array.from({ length: 100 }, (_, i) => ({ time: startMs + i * 1_000, x: i }));
    await sendRows(cluster, "small", rows);
    holder = await waitUntil("the leaf that holds the rows", async () => {
      const { members } = await cluster.client.status();
      return members.find(({ role, rows }) => role === "leaf" && (rows ?? 0) > 0)?.id ?? null;
    });
    process.kill((await cluster.leafPids()).get(holder) ?? 0, "SIGSTOP");
  }, 60_000);
  afterAll(async () => {
    const pid = (await cluster.leafPids().catch(() => null))?.get(holder);
    if (pid !== undefined) process.kill(pid, "SIGCONT");
    await cluster?.stop();
  });

  const ask = (query: Partial<Query>): Promise<Result> =>
    cluster.client.query({
      ...{ table: "small", from: startMs, to: startMs + hour, timeoutMs: 500 },
      ...query,
    });

  const shapes: readonly (readonly [string, Partial<Query>])[] = [
    ["a count", {}],
    ["a filtered count", { filter: [{ column: "x", op: ">", value: 50 }] }],
    ["groups", { groupBy: [{ time: "1m" }, "x"] }],
    ["raw rows", { sampleView: {} }],
    [
      "a comparison, either side",
      { from: startMs + hour, to: startMs + 2 * hour, compare: { offset: "1h" } },
    ],
  ];
  test.each(shapes)("%s is a problem that names the leaf, never zero rows", async (_, shape) => {
    await expect(ask(shape)).rejects.toMatchObject({
      code: "no-leaves",
      status: 503,
      message: expect.stringContaining(holder) as string,
    });
  });

  test("facets and the values of a column are the same problem", async () => {
    const range = { from: startMs, to: startMs + hour };
    const named = { code: "no-leaves", message: expect.stringContaining(holder) as string };
    await expect(cluster.client.facets({ table: "small", ...range })).rejects.toMatchObject(named);
    await expect(cluster.client.values("small", "x", range)).rejects.toMatchObject(named);
  });

  test("a range without rows answers with zero, whichever leaf is missing", async () => {
    const { rows, completeness } = await ask({ from: startMs + hour, to: startMs + 2 * hour });
    expect(rows).toEqual([[0, 0]]);
    expect(completeness).toMatchObject({ rowsExpected: 0, leaves: { missing: [holder] } });
  });
});

/** Tables of this many seeds. Half of a table's rows come while there are three leaves, the others when there are four. */
const seeds = [11, 12, 13, 14];
const minute = 60_000;
const spanMs = 85 * minute;
const tableRows = 24_000;
/** A body that is not dealt out over leaves: what is missing then is missing in stretches of time. */
const bodyRows = 150;
const groups = ["a", "b", "c"];

describe("a leaf that came later is stopped", () => {
  let folder = "";
  let cluster: Cluster | undefined;
  let stopped = 0;
  const whole = new Map<string, Result>();
  const part = new Map<string, Result>();

  const questions: Readonly<Record<string, Partial<Query>>> = {
    groups: { groupBy: [{ time: "5m" }, "g"] },
    all: { groupBy: [{ time: "5m" }] },
    compared: {
      groupBy: [{ time: "5m" }],
      from: startMs + 45 * minute,
      compare: { offset: "45m" },
    },
    range: { groupBy: ["g"] },
  };
  const askAll = (into: Map<string, Result>, leavesTotal: number, more: Partial<Query>) =>
    Promise.all(
      seeds.flatMap((seed) =>
        Object.entries(questions).map(async ([name, question]) => {
          const query: Query = {
            ...{ table: `t${seed}`, from: startMs, to: startMs + spanMs, limit: 1_000 },
            aggregates: [
              { fn: "count" },
              { fn: "sum", column: "x" },
              { fn: "avg", column: "x" },
              { fn: "percentile", column: "x", p: 50, as: "p50" },
            ],
            ...question,
            ...more,
          };
          // On a busy machine another leaf may be late as well: then it is asked again.
          const result = await waitUntil("an answer of the other leaves", async () => {
            const answer = await cluster!.client.query(query);
            return answer.completeness.leaves.answered === leavesTotal ? answer : null;
          });
          into.set(`${name} ${seed}`, result);
        }),
      ),
    );
  const send = async (firstRow: number, endRow: number): Promise<void> => {
    for (const seed of seeds) {
      const random = createSeededRandom(seed + firstRow);
      for (let first = firstRow; first < endRow; first += bodyRows) {
        const rows = Array.from({ length: bodyRows }, (_, i) => {
          const share = (first + i) / tableRows;
          return {
            time: startMs + Math.floor(share * spanMs),
            g: groups[random.int(0, 2)],
            x: Math.floor(1_000 * share + 100 * Math.exp(2 * random.next())),
          };
        });
        await sendRows(cluster!, `t${seed}`, rows);
      }
    }
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "hadal-test-"));
    cluster = await startCluster({ leaves: 3, dataDir: folder });
    await send(0, tableRows / 2);
    await cluster.stop();
    cluster = await startCluster({ leaves: 4, dataDir: folder });
    await send(tableRows / 2, tableRows);
    await askAll(whole, 4, { exact: true, timeoutMs: 20_000 });
    stopped = (await cluster.leafPids()).get("leaf-4") ?? 0;
    process.kill(stopped, "SIGSTOP");
    await askAll(part, 3, { timeoutMs: 1_500 });
  }, 120_000);
  afterAll(async () => {
    if (stopped !== 0) process.kill(stopped, "SIGCONT");
    await cluster?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** What was shown without leaf-4, beside what all leaves say. */
  interface Shown {
    readonly seed: number;
    readonly start: number;
    readonly bar: readonly [number, number] | null;
    readonly shown: number;
    readonly truth: number;
  }
  const shownOf = (question: string, column: string): readonly Shown[] =>
    seeds.flatMap((seed) => {
      const [all, some] = [whole.get(`${question} ${seed}`)!, part.get(`${question} ${seed}`)!];
      const keyCount = all.columns.filter(({ role }) => role === "group").length;
      const keyOf = (row: Result["rows"][number]) => JSON.stringify(row.slice(0, keyCount));
      const truths = new Map(all.rows.map((row) => [keyOf(row), row]));
      const index = all.columns.findIndex(({ name }) => name === column);
      return some.rows.map((row, i) => ({
        ...{ seed, start: Number(row[0]), bar: some.intervals[column]?.[i] ?? null },
        ...{ shown: Number(row[index]), truth: Number(truths.get(keyOf(row))![index]) },
      }));
    });

  const columns = ["count", "sum_x", "avg_x", "p50"];
  const isBefore = ({ start }: Shown): boolean => start + 5 * minute <= startMs + spanMs / 2;

  test("19 of 20 bars hold what all leaves say, bucket by bucket", () => {
    const bars = columns.flatMap((column) =>
      shownOf("groups", column).filter((one) => one.bar !== null && !isBefore(one)),
    );
    const held = bars.filter(({ bar, truth }) => bar![0] <= truth && truth <= bar![1]);
    // 4 tables, 9 buckets, 3 groups, 4 columns; a few have none.
    expect(bars.length).toBeGreaterThan(250);
    // Numbers of one bucket err together: 19 of 20 and four deviations of a third as many.
    expect(held.length / bars.length).toBeGreaterThan(0.95 - 4 * Math.sqrt(0.05 / 150));
  });

  test("a bucket of before it came is what all leaves say, without an error", () => {
    for (const column of columns) {
      const before = shownOf("groups", column).filter(isBefore);
      expect(before.length).toBe(seeds.length * 8 * groups.length);
      for (const { shown, truth, bar } of before) {
        expect(shown).toBe(truth);
        // Percentiles have the width of their histogram's bucket.
        if (column !== "p50") expect(bar).toEqual([shown, shown]);
      }
    }
  });

  test("no average that may be off has a bar without width", () => {
    for (const question of ["groups", "all", "compared", "range"]) {
      for (const { bar, shown, truth } of shownOf(question, "avg_x")) {
        if (bar !== null && shown !== truth) expect(bar[1] - bar[0]).toBeGreaterThan(0);
      }
    }
  });

  test("the ledger knows the count of all rows of a bucket, on either side of a comparison", () => {
    for (const column of ["count", "count.compare", "count.delta"]) {
      const question = column === "count" ? "all" : "compared";
      for (const { bar, shown, truth } of shownOf(question, column)) {
        if (bar !== null) expect(bar).toEqual([truth, truth]);
        else expect(shown).toBe(truth);
      }
    }
  });

  test("over the range a group's count has its bounds, and a note says why an average has no bar", () => {
    for (const { bar, truth } of shownOf("range", "count")) {
      expect(bar![0]).toBeLessThanOrEqual(truth);
      expect(bar![1]).toBeGreaterThanOrEqual(truth);
    }
    expect(shownOf("range", "avg_x").map(({ bar }) => bar)).toEqual(
      Array(seeds.length * groups.length).fill(null),
    );
    const notes = part.get(`range ${seeds[0]}`)?.notes ?? [];
    const note = notes.find(({ column }) => column === "avg_x");
    expect(note?.text).toContain("rows of other times");
  });

  test("coverage lists the buckets by what answered of their own rows, and counts are lower bounds", () => {
    for (const seed of seeds) {
      const { coverage = [], lowerBounds } = part.get(`all ${seed}`)!;
      const counts = shownOf("all", "count").filter((one) => one.seed === seed);
      const lacking = counts.filter(({ shown, truth }) => shown < truth);
      expect(coverage).toEqual(
        lacking.map(({ start, shown, truth }) => [start, shown / truth, "missing-leaves"]),
      );
      expect(lacking.length).toBeGreaterThan(5);
      expect(lowerBounds).toEqual(["count", "count.raw", "sum_x"]);
      expect(whole.get(`all ${seed}`)).not.toHaveProperty("coverage");
      expect(whole.get(`all ${seed}`)).not.toHaveProperty("lowerBounds");
    }
  });
});
