import { HadalError, type Query, type Result } from "@hadal/sdk";
import { expect, test } from "vitest";
import { StopController } from "../base/schedule/stopController.js";
import type { QueriedNode } from "../tree/queriedNode.js";
import { answerQuery } from "./answerQuery.js";
import { AnswerSession } from "./answerSession.js";
import { RecentAnswers } from "./cache/recentAnswers.js";
import { SharedAnswers } from "./cache/sharedAnswers.js";
import { SharedScans } from "./run/sharedScans.js";
import { deps, leaf, row } from "./testing/rowLeaves.js";

const rows = [row(1, "checkout", 10n), row(2, "search", 30n)];
const a = leaf("a", rows, [Promise.resolve()]);
const query: Query = {
  ...{ table: "requests", from: 0, to: 60_000, aggregates: [{ fn: "count" }] },
  ...{ freshnessMs: 60_000, timeoutMs: 400 },
};

/** Ten people ask the same at once. */
function askAll(other: QueriedNode, onPartial?: (partial: Result) => void): Promise<Result[]> {
  const known = { recent: new RecentAnswers(), shared: new SharedAnswers() };
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
  const known = { recent: new RecentAnswers(), shared: new SharedAnswers() };
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
  const known = { recent: new RecentAnswers(), shared: new SharedAnswers() };
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
  const known = { recent: new RecentAnswers(), shared: new SharedAnswers() };
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
