import { HadalError, type Query, type Result } from "@hadal/sdk";
import { expect, test } from "vitest";
import type { QueriedLeaf } from "../tree/askLeaves.js";
import { answerQuery } from "./answerQuery.js";
import { RecentAnswers } from "./cache/recentAnswers.js";
import { SharedAnswers } from "./cache/sharedAnswers.js";
import { deps, leaf, row } from "./testing/rowLeaves.js";

const rows = [row(1, "checkout", 10n), row(2, "search", 30n)];
const a = leaf("a", rows, [Promise.resolve()]);
const query: Query = {
  ...{ table: "requests", from: 0, to: 60_000, aggregates: [{ fn: "count" }] },
  ...{ freshnessMs: 60_000, timeoutMs: 400 },
};

/** Ten people ask the same at once. */
function askAll(other: QueriedLeaf, onPartial?: (partial: Result) => void): Promise<Result[]> {
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

test("all who joined a run that lacks a leaf ask anew together, and are shown no less than before", async () => {
  let asked = 0;
  const back: QueriedLeaf = {
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

test("a run that is asked anew and finds less leaves the first answer as it was", async () => {
  let asked = 0;
  const leaving: QueriedLeaf = {
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
