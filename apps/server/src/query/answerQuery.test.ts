import { HadalError, type Query, type Result } from "@hadal/sdk";
import { expect, test } from "vitest";
import { StopController } from "../base/schedule/stopController.js";
import type { QueriedNode } from "../tree/queriedNode.js";
import { answerQuery, type KnownAnswers } from "./answerQuery.js";
import { AnswerSession } from "./answerSession.js";
import { AnswerCache } from "./cache/answerCache.js";
import { MemoryTier } from "./cache/memoryTier.js";
import { SharedScans } from "./run/sharedScans.js";
import { SharedAnswers } from "./share/sharedAnswers.js";
import { deps, leaf, row } from "./testing/rowLeaves.js";

const rows = [row(1, "checkout", 10n), row(2, "search", 30n)];
const a = leaf("a", rows, [Promise.resolve()]);
const query: Query = {
  ...{ table: "requests", from: 0, to: 60_000, aggregates: [{ fn: "count" }] },
  ...{ freshnessMs: 60_000, timeoutMs: 400 },
};

const createKnown = (now = () => performance.now()): KnownAnswers => ({
  cache: new AnswerCache(new MemoryTier(2 ** 26, now), now),
  shared: new SharedAnswers(),
});

/** Ten people ask the same at once. */
function askAll(other: QueriedNode, onPartial?: (partial: Result) => void): Promise<Result[]> {
  const known = createKnown();
  const asked = deps([a, other]);
  const options = {
    signal: new AbortController().signal,
    ...(onPartial === undefined ? {} : { onPartial }),
  };
  return Promise.all(Array.from({ length: 10 }, () => answerQuery(query, asked, known, options)));
}

test("who has waited with another for a leaf that hangs gets the same part of an answer", async () => {
  const answers = await askAll(leaf("b", rows, [new Promise(() => undefined)]));
  expect(answers.map(({ completeness }) => completeness.fraction)).toEqual(Array(10).fill(0.5));
});

test("all who joined a run that lacks a leaf ask again together, and are shown no less than before", async () => {
  let asked = 0;
  const back: QueriedNode = {
    id: "b",
    async streamQuery(resolved, options) {
      asked++;
      if (asked === 1) throw new HadalError("connection-lost", { url: "b" });
      return leaf("b", rows, [Promise.resolve()]).streamQuery(resolved, options);
    },
  };
  const answers = await askAll(back);
  expect(asked).toBe(2);
  const [first, ...others] = answers.map(({ completeness }) => completeness.fraction);
  expect([first, ...new Set(others)]).toEqual([0.5, 1]);
});

test("a run that is asked again and finds less leaves the first answer as it was", async () => {
  let asked = 0;
  const leaving: QueriedNode = {
    id: "b",
    async streamQuery(resolved, options) {
      asked++;
      if (asked > 1) throw new HadalError("connection-lost", { url: "b" });
      // Half of what it has, and no end.
      const half = leaf("b", rows, [Promise.resolve(), Promise.reject(lost)]);
      return half.streamQuery(resolved, options);
    },
  };
  const lost = new HadalError("connection-lost", { url: "b" });
  const shown: number[] = [];
  const answers = await askAll(leaving, ({ completeness }) => shown.push(completeness.fraction));
  expect(asked).toBe(2);
  expect(answers.map(({ completeness }) => completeness.fraction)).toEqual(Array(10).fill(0.75));
});

test("a known answer is given again to a session that has a newer one only where the floor allows it", async () => {
  const known = createKnown();
  const { signal } = new StopController();
  let wallMs = 1_000;
  const own = { ...deps([a]), wallMs: () => wallMs };
  const kept = await answerQuery(query, own, known, { signal });
  const session = new AnswerSession();
  session.give({ asOf: 2_000 }, 0);
  wallMs = 3_000;
  const round = await answerQuery(query, own, known, { signal, session, floor: 500 });
  expect([kept.asOf, round.asOf, round.stats.cache]).toEqual([1_000, 1_000, "hit"]);
  const later = await answerQuery(query, own, known, { signal, session });
  expect([later.asOf, later.stats.cache]).toEqual([3_000, "miss"]);
});

test("a query that was asked before has a predicted time; an answer that is given again has none", async () => {
  const known = createKnown();
  const { signal } = new StopController();
  const own = deps([a]);
  const ask = (freshnessMs: number | null) =>
    answerQuery({ ...query, freshnessMs }, own, known, { signal });
  expect((await ask(null)).stats).not.toHaveProperty("predictedMs");
  const { stats } = await ask(60_000);
  expect(stats).toMatchObject({ cache: "miss", predictedMs: expect.any(Number) as number });
  const again = await ask(60_000);
  expect(again.stats.cache).toBe("hit");
  expect(again.stats).not.toHaveProperty("predictedMs");
});

test("answers of one round grow too old together, as they would be asked again together", async () => {
  const known = createKnown();
  const { signal } = new StopController();
  const scans = new SharedScans();
  let nowMs = 0;
  const own = { ...deps([a]), now: () => nowMs };
  const [one, other] = [
    { ...query, freshnessMs: 10_000 },
    { ...query, freshnessMs: 10_000, groupBy: ["service"] },
  ];
  await answerQuery(one, own, known, { signal, scans });
  nowMs = 300;
  await answerQuery(other, own, known, { signal, scans });
  const caches = async (): Promise<readonly unknown[]> => {
    const round = { signal, scans: new SharedScans() };
    const answers = [one, other].map((asked) => answerQuery(asked, own, known, round));
    return (await Promise.all(answers)).map(({ stats }) => stats.cache);
  };
  nowMs = 9_900;
  expect(await caches()).toEqual(["hit", "hit"]);
  nowMs = 10_200;
  expect(await caches()).toEqual(["miss", "miss"]);
});

/** One leaf whose rows have a version, and that counts how often it is asked. */
function counted() {
  const state = {
    ...{ version: "a" as string | null, changes: 0, scans: 0, rowsHeld: 2 },
    whileScanned: () => undefined as unknown,
  };
  const node: QueriedNode = {
    id: "a",
    streamQuery(resolved, options) {
      state.scans++;
      state.whileScanned();
      const held = rows.slice(0, state.rowsHeld);
      return leaf("a", held, [Promise.resolve()]).streamQuery(resolved, options);
    },
  };
  const own = deps([node]);
  const expectedRows = {
    ...own.expectedRows,
    version: () => state.version,
    changes: () => state.changes,
  };
  const known = createKnown();
  const { signal } = new StopController();
  const ask = async (change: Partial<Query> = {}) => {
    const asked: Query = { ...query, freshnessMs: null, ...change };
    const { stats, rows, asOf } = await answerQuery(asked, { ...own, expectedRows }, known, {
      signal,
    });
    return { cache: stats.cache, rows, asOf, rowsScanned: stats.rowsScanned };
  };
  return { state, ask, known };
}

test("M1, M2: the answer about the same rows is given again, and scanned when these have changed", async () => {
  const { state, ask, known } = counted();
  const first = await ask();
  expect(first).toMatchObject({ cache: "miss", rows: [[2, 2]], rowsScanned: 2 });
  // Other rows of the table, which the question is not about.
  state.changes++;
  expect(await ask()).toEqual({ ...first, cache: "hit", rowsScanned: 0 });
  expect((await ask({ groupBy: ["service"] })).cache).toBe("miss");
  state.version = "b";
  expect((await ask()).cache).toBe("miss");
  expect((await ask()).cache).toBe("hit");
  await known.cache.forget("requests");
  expect((await ask()).cache).toBe("miss");
  expect(known.cache.info.pools["ad-hoc"]).toMatchObject({ hits: 2, misses: 4 });
});

test("M3: an answer whose rows changed meanwhile, or were not those that count, is not kept", async () => {
  const { state, ask } = counted();
  state.version = null;
  expect([(await ask()).cache, (await ask()).cache]).toEqual(["miss", "miss"]);
  state.version = "a";
  state.rowsHeld = 1;
  await ask();
  state.rowsHeld = 2;
  expect(await ask()).toMatchObject({ cache: "miss", rows: [[2, 2]] });
  for (const version of ["b", "c"]) {
    state.version = version;
    state.whileScanned = () => {
      state.version = "d";
    };
    await ask();
    state.whileScanned = () => undefined;
    state.version = version;
    expect((await ask()).cache).toBe("miss");
  }
  expect((await ask()).cache).toBe("hit");
});

test("`off` and `refresh` read the rows; `refresh` keeps what it finds", async () => {
  const { state, ask } = counted();
  expect((await ask({ cache: "off" })).cache).toBe("miss");
  expect((await ask()).cache).toBe("miss");
  expect((await ask({ cache: "off" })).cache).toBe("miss");
  expect((await ask({ cache: "refresh" })).cache).toBe("miss");
  expect(state.scans).toBe(4);
  expect((await ask()).cache).toBe("hit");
  state.version = "b";
  await ask({ cache: "refresh" });
  expect((await ask()).cache).toBe("hit");
});

test("M4: a thousand who ask the same in a second cost one scan, while rows of other times come", async () => {
  const { state, ask } = counted();
  const all = Array.from({ length: 1_000 }, () => {
    state.changes++;
    return ask();
  });
  const caches = (await Promise.all(all)).map(({ cache }) => cache);
  expect(state.scans).toBe(1);
  expect(caches.filter((cache) => cache === "miss")).toHaveLength(1);
});

test("M5: an older answer is given as stale, and one run refreshes it when it is half as old as it may be", async () => {
  let nowMs = 0;
  const { signal } = new StopController();
  let scans = 0;
  const node: QueriedNode = {
    id: "a",
    streamQuery(resolved, options) {
      scans++;
      return a.streamQuery(resolved, options);
    },
  };
  const base = deps([node]);
  let changes = 0;
  const own = {
    ...base,
    now: () => nowMs,
    wallMs: () => 1_000_000 + nowMs,
    expectedRows: { ...base.expectedRows, changes: () => changes },
  };
  const known = createKnown(() => nowMs);
  const ask = async () => {
    const { stats, asOf } = await answerQuery({ ...query, freshnessMs: 10_000 }, own, known, {
      signal,
    });
    return [stats.cache, stats.cacheAgeMs, asOf - 1_000_000];
  };
  expect(await ask()).toEqual(["miss", undefined, 0]);
  nowMs = 2_000;
  expect(await ask()).toEqual(["hit", 2_000, 0]);
  changes++;
  expect(await ask()).toEqual(["stale", 2_000, 0]);
  expect(scans).toBe(1);
  nowMs = 6_000;
  expect(await Promise.all([ask(), ask(), ask()])).toEqual(Array(3).fill(["stale", 6_000, 0]));
  await expect.poll(ask).toEqual(["hit", 0, 6_000]);
  expect(scans).toBe(2);
});
