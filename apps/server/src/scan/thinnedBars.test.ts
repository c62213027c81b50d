import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type Query } from "@hadal/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSeededRandom, type SeededRandom } from "../../test/oracle/seed/seededRandom.js";
import { finalizeResult } from "../aggregate/finish/finalizeResult.js";
import { resolveQuery } from "../aggregate/function/resolveQuery.js";
import { mergePartials } from "../aggregate/merge/mergePartials.js";
import type { Thinning } from "../base/row/reduction.js";
import { createTableSchema } from "../plan/schema/tableSchema.js";
import { LeafStore } from "../store/leaf/leafStore.js";
import type { Table } from "../store/table/table.js";
import { batchOfRows, type PlainRow } from "../store/testing/plainRows.js";
import { createScanMemory } from "./testing/scanMemory.js";
import { scanOnMainThread } from "./testing/scanOnMainThread.js";

const memory = createScanMemory(256, 64);
const minuteMs = 60_000;
const tableCount = 300;
/** Fewer bars than these say nothing of how often they hold. */
const givenMin = 100;

let folder: string;
let store: LeafStore;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-thinned-bars-"));
  const context = { memory: memory.leaf, kernel: memory.kernel };
  store = await LeafStore.open(folder, { ...context, warn: (text) => expect.fail(text) });
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

interface Event {
  readonly timeMs: number;
  readonly user: number;
  readonly value: number;
}

/** Users differ in how many events they have, and of which values: so events of one user are alike. */
function drawEvents(random: SeededRandom): readonly Event[] {
  const users = random.int(40, 120);
  return Array.from({ length: users }, (_, user) => {
    const count = Math.ceil(-6 * Math.log(1 - random.next()));
    const usual = Math.exp(6 + 1.5 * (random.next() + random.next() + random.next() - 1.5));
    return Array.from({ length: count }, () => ({
      timeMs: random.int(0, minuteMs - 1),
      user,
      value: Math.round(usual * (0.5 + random.next())),
    }));
  }).flat();
}

const rowOf = ({ timeMs, user, value }: Event): PlainRow => ({
  time: timeMs,
  values: new Map<string, string | bigint>([
    ["user", `user ${user}`],
    ["value", BigInt(value)],
  ]),
});

async function sealed(table: Table): Promise<void> {
  while (table.openGeneration !== null) {
    table.sealOpen();
    await new Promise(setImmediate);
  }
}

/** What a writer of the SDK sends of the events: those of one user in five. */
async function sampledByUser(events: readonly Event[]): Promise<readonly PlainRow[]> {
  const lines: string[] = [];
  const taken = async (_url: unknown, init?: RequestInit): Promise<Response> => {
    const body = String(init?.body).trim().split("\n");
    lines.push(...body);
    const counts = { accepted: body.length, rejected: 0, problems: [] };
    return Response.json({ batchId: "b", ack: "durable", ...counts });
  };
  const client = createClient({ url: "http://127.0.0.1", fetch: taken });
  const writer = client.ingest("t", { sample: { oneIn: 5, by: "user" } });
  for (const { timeMs, user, value } of events)
    await writer.push({ time: timeMs, user: `user ${user}`, value });
  await writer.close();
  return lines.map((line) => {
    const { time, ...cells } = JSON.parse(line) as Record<string, string | number>;
    const values = Object.entries(cells).map(
      ([name, cell]) => [name, typeof cell === "number" ? BigInt(cell) : cell] as const,
    );
    return { time: Number(time), values: new Map<string, string | bigint>(values) };
  });
}

let tables = 0;
/** A table of the events, sealed, and then thinned. */
async function thinnedTable(events: readonly Event[], thinning: Thinning): Promise<Table> {
  const table = await store.findOrCreate(`table ${tables++}`);
  const batch = batchOfRows(events.map(rowOf));
  await table.append({ batch, batchId: "all", contentHash: "" });
  await sealed(table);
  const { generations } = await table.planThinning({ beforeMs: minuteMs, ...thinning });
  await table.reduceSegments(generations, thinning, async () => undefined);
  return table;
}

const numbers = ["count", "sum", "avg", "p50"] as const;
const asked: Query = {
  ...{ table: "t", from: 0, to: 2 * minuteMs },
  aggregates: [
    { fn: "count" },
    { fn: "sum", column: "value", as: "sum" },
    { fn: "avg", column: "value", as: "avg" },
    { fn: "percentile", column: "value", p: 50, as: "p50" },
  ],
};
const schema = createTableSchema("t", [
  { name: "user", type: "string", decimals: 0 },
  { name: "value", type: "int", decimals: 0 },
  { name: "sample_rate", type: "int", decimals: 0 },
]);

async function ask(table: Table, query: Query = asked) {
  const split = resolveQuery(query, schema, 0);
  const { partial, stats } = await scanOnMainThread(memory, split.resolved, table, 1);
  const { thinnedByKey = null } = stats;
  const merged = mergePartials([partial], split.resolved);
  return {
    stats,
    /** As a gateway finishes it. */
    result: finalizeResult(merged, split, { thinnedByKey }),
    /** As if its rows had been left out one by one. */
    oneByOne: finalizeResult(merged, split),
  };
}

function truthOf(events: readonly Event[]): Record<(typeof numbers)[number], number> {
  const values = events.map(({ value }) => value).sort((a, b) => a - b);
  const sum = values.reduce((total, value) => total + value, 0);
  const p50 = values[Math.ceil(values.length / 2) - 1] ?? 0;
  return { count: values.length, sum, avg: sum / values.length, p50 };
}

/** How many bars there are of each number, and how many hold the truth. */
class Held {
  readonly #counts = new Map(numbers.map((name) => [name, { given: 0, held: 0 }]));

  add(intervals: Awaited<ReturnType<typeof ask>>["result"]["intervals"], events: readonly Event[]) {
    const truth = truthOf(events);
    for (const name of numbers) {
      const bar = intervals[name]?.[0] ?? null;
      if (bar === null) continue;
      const counts = this.#counts.get(name)!;
      counts.given++;
      if (bar[0] <= truth[name] && truth[name] <= bar[1]) counts.held++;
    }
  }

  shareOf(name: (typeof numbers)[number]): number | null {
    const { given, held } = this.#counts.get(name)!;
    return given < givenMin ? null : held / given;
  }
}

test.each<readonly [string, Thinning["basis"]]>([
  ["by chance", undefined],
  ["by groups", { kind: "groups", columns: ["user"], keepAtLeast: 1 }],
])(
  "bars of rows thinned %s hold the truth",
  async (_, basis) => {
    const held = new Held();
    for (let seed = 0; seed < tableCount; seed++) {
      const events = drawEvents(createSeededRandom(seed));
      const table = await thinnedTable(events, { keepOneIn: 5, ...(basis && { basis }) });
      const { result, stats } = await ask(table);
      expect(stats).not.toHaveProperty("thinnedByKey");
      held.add(result.intervals, events);
      table.releaseAll();
    }
    const shares = numbers.map((name) => held.shareOf(name) ?? 1);
    expect(Math.min(...shares), String(shares)).toBeGreaterThan(0.9);
    expect(held.shareOf("count")).not.toBeNull();
  },
  120_000,
);

test("rows thinned by a key have no bars, which would be too narrow, and say so", async () => {
  const held = new Held();
  const basis = { kind: "key", column: "user" } as const;
  for (let seed = 0; seed < tableCount; seed++) {
    const events = drawEvents(createSeededRandom(seed));
    // Users' names differ between tables, for whether one stays depends on its name alone.
    const named = events.map((event) => ({ ...event, user: event.user + seed * 1_000 }));
    const table = await thinnedTable(named, { keepOneIn: 5, basis });
    const { result, oneByOne } = await ask(table);
    if (table.rowCount > 0) {
      expect(result.intervals).toEqual(Object.fromEntries(numbers.map((name) => [name, [null]])));
      expect(result.barNotes.map(({ column }) => column)).toEqual(numbers);
      expect(result.barNotes[0]?.text).toContain("thinned by a key");
    }
    held.add(oneByOne.intervals, events);
    table.releaseAll();
  }
  // This is why: a bar that holds 19 times of 20 where rows go one by one holds much less often here.
  for (const name of ["count", "sum", "p50"] as const) expect(held.shareOf(name)).toBeLessThan(0.8);
}, 120_000);

test("nor have rows that an SDK client sampled by a key, sealed or not", async () => {
  const held = new Held();
  for (let seed = 0; seed < tableCount; seed++) {
    const events = drawEvents(createSeededRandom(seed));
    const named = events.map((event) => ({ ...event, user: event.user + seed * 1_000 }));
    const sent = await sampledByUser(named);
    if (sent.length === 0) continue;
    const table = await store.findOrCreate(`table ${tables++}`);
    await table.append({ batch: batchOfRows(sent), batchId: "all", contentHash: "" });
    if (seed % 2 === 0) await sealed(table);
    const { result, oneByOne } = await ask(table);
    expect(result.intervals).toEqual(Object.fromEntries(numbers.map((name) => [name, [null]])));
    held.add(oneByOne.intervals, events);
    table.releaseAll();
  }
  for (const name of ["count", "sum", "p50"] as const) expect(held.shareOf(name)).toBeLessThan(0.8);
}, 120_000);

test("only times with such rows lose their bars", async () => {
  const events = drawEvents(createSeededRandom(1));
  const table = await thinnedTable(events, {
    ...{ keepOneIn: 2, basis: { kind: "key", column: "user" } as const },
  });
  // These rows have a sample rate of their own, and come later.
  const sampled = events.map((event) => {
    const { time, values } = rowOf(event);
    return { time: time + minuteMs, values: new Map([...values, ["sample_rate", 10n]]) };
  });
  const batch = batchOfRows(sampled);
  await table.append({ batch, batchId: "more", contentHash: "" });
  const byMinute = { ...asked, groupBy: [{ time: "1m" }] as const };
  const { result } = await ask(table, byMinute);
  expect(result.intervals.count?.map((bar) => bar === null)).toEqual([true, false]);
  const later = await ask(table, { ...asked, from: minuteMs });
  expect(later.stats).not.toHaveProperty("thinnedByKey");
  expect(later.result.intervals.count?.[0]).not.toBeNull();
  const plain = { ...asked, aggregates: [{ fn: "max", column: "value" }] as const };
  expect((await ask(table, plain)).result.intervals).toEqual({});
  // A difference needs both of its sides.
  const compared = { ...asked, from: minuteMs, compare: { offset: "1m" } };
  const { intervals } = (await ask(table, compared)).result;
  expect(intervals["count.delta"]).toEqual([null]);
  expect(intervals["count.compare"]).toEqual([null]);
  expect(intervals.count?.[0]).not.toBeNull();
  table.releaseAll();
});
