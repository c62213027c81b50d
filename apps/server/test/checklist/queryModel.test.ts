import { type HistogramBucket, limitDefault, type Query } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { askAll, sendRows } from "../support/allTime.js";
import { waitUntil } from "../support/waitUntil.js";
import {
  type Call,
  calls,
  countOf,
  groupsOf,
  latencies,
  rowCount,
  serveCalls,
  sum,
} from "./calls.js";

const served = serveCalls();
const { ask } = served;

describe("the shape of a query", () => {
  test("S50: columns and aggregates of a range, conditions, groups, order by an aggregate, limit", async () => {
    const rows = await ask(
      `SELECT service, status, count(*) AS n, max(latency) FROM calls WHERE bytes > 100
       GROUP BY service, status ORDER BY n DESC, service, status LIMIT 4`,
      {
        filter: [{ column: "bytes", op: ">", value: 100 }],
        groupBy: ["service", "status"],
        aggregates: [
          { fn: "count", as: "n" },
          { fn: "max", column: "latency" },
        ],
        orderBy: [{ by: "n", desc: true }, { by: "service" }, { by: "status" }],
        limit: 4,
      },
    );
    const kept = calls.filter(({ bytes }) => bytes > 100);
    const groups = groupsOf(({ service, status }) => `${service} ${status}`, kept);
    const wanted = [...groups.values()].sort((a, b) => b.length - a.length).slice(0, 4);
    expect(new Set(wanted.map(({ length }) => length)).size).toBe(4);
    expect(rows.map(([service, status, n, , most]) => [service, status, n, most])).toEqual(
      wanted.map((own) => [own[0]?.service, own[0]?.status, own.length, latencies(own).at(-1)]),
    );
  });

  test("S51: without a range of time a query is refused with what to write", async () => {
    const { client } = served.cluster;
    const refusal = { code: "time-range-missing", status: 400 };
    await expect(client.query("SELECT count(*) FROM calls")).rejects.toMatchObject(refusal);
    for (const half of [{}, { from: 0 }, { to: "now" }]) {
      const query = { table: "calls", ...half } as Query;
      await expect(client.query(query)).rejects.toMatchObject(refusal);
    }
  });

  test("S53: 100,000 result rows unless the query says otherwise, and how many were cut off", async () => {
    expect(limitDefault).toBe(100_000);
    const extra = 7;
    const rows = Array.from({ length: limitDefault + extra }, (_, time) => ({ time }));
    for (let from = 0; from < rows.length; from += 20_000) {
      await sendRows(served.cluster, "wide", rows.slice(from, from + 20_000));
    }
    const groupBy = [{ column: "time", as: "at" }] as const;
    const cut = await askAll(served.cluster, "wide", { groupBy });
    expect(cut.rows).toHaveLength(limitDefault);
    expect(cut.truncated).toMatchObject({ groups: extra });
    const all = await askAll(served.cluster, "wide", { groupBy, limit: limitDefault + extra });
    expect(all.rows).toHaveLength(limitDefault + extra);
    expect(all.truncated).toBeNull();
  });

  test("S54: groups by integer, by string, by several, by a bucket of time, by none", async () => {
    const byStatus = await ask("SELECT status, count(*) FROM calls GROUP BY status", {
      groupBy: ["status"],
      aggregates: [{ fn: "count" }],
    });
    const wanted = [...groupsOf(({ status }) => status)].map(([key, own]) => [key, own.length]);
    expect(new Map(byStatus.map(([key, n]) => [key, n]))).toEqual(new Map(wanted as never));

    const buckets = await ask(
      "SELECT time_bucket('5m', time) AS at, service, count(*) FROM calls GROUP BY at, service ORDER BY at, service",
      {
        groupBy: [{ time: "5m", as: "at" }, "service"],
        aggregates: [{ fn: "count" }],
        orderBy: [{ by: "at" }, { by: "service" }],
      },
    );
    const groups = groupsOf(({ time, service }) => `${time - (time % 300_000)} ${service}`);
    expect(buckets).toHaveLength(groups.size);
    for (const [at, service, n] of buckets) {
      expect(n).toBe(groups.get(`${at} ${service ?? undefined}`)?.length);
    }
    expect(await ask("SELECT count(*) FROM calls", { aggregates: [{ fn: "count" }] })).toEqual([
      [rowCount, rowCount],
    ]);
  });
});

test("S52 S62: each aggregate of two leaves is that of all rows", async () => {
  const rows = await ask(
    `SELECT service, count(latency), min(latency), max(latency), sum(bytes), avg(latency),
       sum(bytes) PER MINUTE AS rate, percentile(latency, 95) AS p95, histogram(latency) AS shape
     FROM calls GROUP BY service`,
    {
      groupBy: ["service"],
      aggregates: [
        { fn: "count", column: "latency" },
        { fn: "min", column: "latency" },
        { fn: "max", column: "latency" },
        { fn: "sum", column: "bytes" },
        { fn: "avg", column: "latency" },
        { fn: "sum", column: "bytes", per: "minute", as: "rate" },
        { fn: "percentile", column: "latency", p: 95, as: "p95" },
        { fn: "histogram", column: "latency", as: "shape" },
      ],
    },
  );
  expect(rows).toHaveLength(4);
  const groups = groupsOf(({ service }) => service ?? null);
  // What leaves hold comes with their next heartbeat.
  await waitUntil("both leaves to say that they hold rows", async () => {
    const { members } = await served.cluster.client.status();
    const holders = members.filter(({ tables }) => tables.some(({ name }) => name === "calls"));
    return holders.length === 2 || null;
  });
  for (const [service, ...cells] of rows) {
    const own = groups.get(service as string | null) ?? [];
    const sorted = latencies(own);
    const bytes = sum(own.map((call) => call.bytes));
    const [count, , least, most, total, mean, rate, p95, shape] = cells;
    expect([count, least, most, total]).toEqual([sorted.length, sorted[0], sorted.at(-1), bytes]);
    expect(Number(mean)).toBeCloseTo(sum(sorted) / sorted.length, 3);
    expect(Number(rate)).toBeCloseTo(bytes / 20, 3);
    const exact = sorted[Math.ceil(sorted.length * 0.95) - 1]!;
    // Counters of 64 steps for each power of two.
    expect(Math.abs(Number(p95) - exact) / exact).toBeLessThan(1 / 64);
    const buckets = shape as readonly HistogramBucket[];
    for (const [low, high, count] of buckets) {
      const [from, to] = [Number(low), Number(high)];
      expect(count).toBe(sorted.filter((one) => one >= from && one < to).length);
    }
    expect(sum(buckets.map(([, , count]) => count))).toBe(sorted.length);
  }
});

describe("conditions", () => {
  test.each<[string, string, NonNullable<Query["filter"]>[number], (call: Call) => boolean]>([
    [
      ...(["S55: a string by a pattern", "url ~ '^/a/[0-4]+$'"] as const),
      { column: "url", op: "~", value: "^/a/[0-4]+$" },
      ({ url }) => /^\/a\/[0-4]+$/.test(url),
    ],
    [
      ...(["S55: a string by a pattern, missing ones left out", "service !~ 'i|a'"] as const),
      { column: "service", op: "!~", value: "i|a" },
      ({ service }) => service !== undefined && !/i|a/.test(service),
    ],
    [
      ...(["S56: a set includes any", "tags INCLUDES ANY ('ios', 'eu')"] as const),
      { column: "tags", op: "includes any", value: ["ios", "eu"] },
      ({ tags }) => tags.includes("ios") || tags.includes("eu"),
    ],
    [
      ...(["S56: a set includes all", "tags INCLUDES ALL ('ios', 'eu')"] as const),
      { column: "tags", op: "includes all", value: ["ios", "eu"] },
      ({ tags }) => tags.includes("ios") && tags.includes("eu"),
    ],
    [
      ...(["S56: a set includes none", "tags INCLUDES NONE ('ios')"] as const),
      { column: "tags", op: "includes none", value: ["ios"] },
      ({ tags }) => !tags.includes("ios"),
    ],
    [
      ...(["S56: a set is empty", "tags IS EMPTY"] as const),
      { column: "tags", op: "is empty" },
      ({ tags }) => tags.length === 0,
    ],
    [
      ...(["S57: a vector starts", "stack STARTS WITH ('main', 'read')"] as const),
      { column: "stack", op: "starts with", value: ["main", "read"] },
      ({ stack }) => stack.join().concat(",").startsWith("main,read,"),
    ],
    [
      ...(["S57: a vector ends", "stack ENDS WITH ('read', 'main')"] as const),
      { column: "stack", op: "ends with", value: ["read", "main"] },
      ({ stack }) => `,${stack.join()}`.endsWith(",read,main"),
    ],
    [
      ...(["S57: within a vector", "stack CONTAINS SEQUENCE ('read', 'read')"] as const),
      { column: "stack", op: "contains sequence", value: ["read", "read"] },
      ({ stack }) => stack.some((name, i) => name === "read" && stack[i + 1] === "read"),
    ],
    [
      ...(["S57: a vector includes all", "stack INCLUDES ALL ('parse', 'main')"] as const),
      { column: "stack", op: "includes all", value: ["parse", "main"] },
      ({ stack }) => stack.includes("parse") && stack.includes("main"),
    ],
    [
      ...(["S58: an integer below", "latency < 5000"] as const),
      { column: "latency", op: "<", value: 5_000 },
      ({ latency }) => latency !== undefined && latency < 5_000,
    ],
    [
      ...(["S58: an integer that is another", "status != 200"] as const),
      { column: "status", op: "!=", value: 200 },
      ({ status }) => status !== 200,
    ],
    [
      ...([
        "C15: a range of a number in JSON",
        "block.numOfTxs > 100 AND block.numOfTxs < 200",
      ] as const),
      {
        all: [
          { column: "block.numOfTxs", op: ">", value: 100 },
          { column: "block.numOfTxs", op: "<", value: 200 },
        ],
      },
      ({ block }) => block.numOfTxs > 100 && block.numOfTxs < 200,
    ],
  ])("%s: %s", async (_, condition, filter, keep) => {
    const rows = await ask(`SELECT count(*) FROM calls WHERE ${condition}`, {
      filter: [filter],
      aggregates: [{ fn: "count" }],
    });
    const wanted = countOf(keep);
    expect(wanted).toBeGreaterThan(0);
    expect(wanted).toBeLessThan(rowCount);
    expect(rows).toEqual([[wanted, wanted]]);
  });
});
