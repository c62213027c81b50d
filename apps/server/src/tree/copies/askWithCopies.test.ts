import { HadalError } from "@hadal/sdk";
import { expect, test } from "vitest";
import { encodePartialResult } from "../../aggregate/merge/partialCodec.js";
import type { PartialResult } from "../../aggregate/partial/partialResult.js";
import { countRequests } from "../../plan/testing/countRequests.js";
import { type AskOptions, askLeaves } from "../askLeaves.js";
import type { NodeAnswer, PartitionCopies, QueriedNode } from "../queriedNode.js";
import type { TreeAnswers } from "../treeAnswers.js";
import { HedgeShare } from "./hedgeShare.js";

const lost = new HadalError("connection-lost", { url: "x" });
const fault = new HadalError("internal", { id: "i7" });

/** Leaves of a part with the share of their scan that is over; 1: done. */
type Part = Readonly<Record<string, number>>;
type Said = readonly Part[] | Error | "hang" | "until a copy is asked";

/** What nodes hear and are asked. */
interface Log {
  readonly asked: string[];
  readonly cancelled: string[];
}

const none = { bytesScanned: 0, segments: 0, segmentsSkipped: 0, scanMs: 0 };

/** Each leaf has 100 rows, all of them counted. */
function answerOf(parts: readonly Part[], done: boolean, rowsEach = 100): NodeAnswer {
  return {
    ...{ done, workMs: 0, failures: new Map() },
    parts: parts.map((part) => {
      const leaves = Object.entries(part);
      const rows = leaves.reduce((sum, [, share]) => sum + rowsEach * share, 0);
      const count = { kind: "count" as const, values: Float64Array.of(rows) };
      const side = { groupCount: 1, keys: [], states: [count, count], groupsCut: 0 };
      const partial: PartialResult = { sides: [side], sample: null };
      const isDone = leaves.every(([, share]) => share === 1);
      return {
        leaves: leaves.map(([leafId, share]) => ({
          ...{ leafId, done: isDone },
          stats: { rowsHeld: rowsEach, share, rowsScanned: 100, rowsMatched: 100, ...none },
        })),
        body: encodePartialResult(partial, countRequests),
      };
    }),
  };
}

function node(
  name: string,
  leafIds: readonly string[],
  said: readonly Said[],
  log: Log,
  copies?: PartitionCopies,
): QueriedNode {
  return {
    ...{ id: leafIds.join(), leafIds, ...(copies && { copies }) },
    async streamQuery(_, { signal, onPartial }) {
      log.asked.push(name);
      for (const [i, one] of said.entries()) {
        await new Promise((resolve) => setImmediate(resolve));
        if (one === "hang") {
          return new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => {
              log.cancelled.push(name);
              reject(new HadalError("cancelled"));
            });
          });
        }
        while (one === "until a copy is asked" && log.asked.length === 1) {
          await new Promise((resolve) => setImmediate(resolve));
        }
        if (typeof one === "string") continue;
        if (one instanceof Error) throw one;
        if (signal.aborted) return;
        onPartial(answerOf(one, i === said.length - 1));
      }
    },
  };
}

interface Asked {
  readonly said: readonly Said[];
  /** What the copy of each partition says; left out: there is none. */
  readonly copies?: Readonly<Record<string, readonly Said[]>>;
  readonly share?: number;
  readonly ask?: Partial<AskOptions>;
}

/** Asks one aggregator for leaves a and b, and copies of them. */
async function ask({ said, copies = {}, share = 10, ask: given = {} }: Asked) {
  const log: Log = { asked: [], cancelled: [] };
  const budget = new HedgeShare(share);
  const asked = node("home", ["a", "b"], said, log, {
    budget,
    of(leafId) {
      const own = copies[leafId];
      return own === undefined ? null : node(`copy of ${leafId}`, [leafId], own, log);
    },
  });
  const now = (): number => performance.now();
  const fractions: number[] = [];
  const answered = await askLeaves({
    ...{ resolved: countRequests, leaves: [asked], exact: false, now },
    expectedRows: { expected: () => new Map(["a", "b"].map((id) => [id, 100])), doubt: () => null },
    deadline: now() + 200,
    signal: new AbortController().signal,
    onAnswers: ({ completeness }) => fractions.push(completeness.fraction),
    onError: () => undefined,
    ...given,
  });
  expect(fractions).toEqual([...fractions].sort((x, y) => x - y));
  return { ...log, answered, counts: budget.counts, rows: rowsOf(answered) };
}

function rowsOf({ answers }: TreeAnswers): number {
  return answers.reduce((sum, { partial }) => {
    const [count] = partial.sides[0]!.states;
    return sum + (count?.kind === "count" ? count.values[0]! : 0);
  }, 0);
}

const whole = { fraction: 1, leaves: { answered: 2, total: 2, missing: [] } };

test("C9: a partition that failed is read from its copy at once, whatever else was asked twice", async () => {
  const { answered, rows, counts, asked } = await ask({
    ...{ said: [[{ b: 1 }]], share: 0 },
    copies: { a: [[{ a: 1 }]], b: [[{ b: 1 }]] },
    ask: { deadline: performance.now() + 60_000 },
  });
  expect(answered.completeness).toMatchObject(whole);
  expect(rows).toBe(200);
  expect(asked).toEqual(["home", "copy of a"]);
  expect(counts).toEqual({ asked: 2, hedged: 0, refused: 0, replaced: 1 });
});

test.each([
  ["cannot be reached", [lost]],
  ["fails", [fault]],
  ["fails after a part of its answer", [[{ a: 0.5, b: 0.5 }], lost]],
  ["says less at its end", [[{ a: 1, b: 1 }], [{ a: 0.5 }]]],
] as const)("copies stand for a machine that %s, and its problem is not shown", async (_, said) => {
  const { answered, rows } = await ask({
    said,
    copies: { a: [[{ a: 1 }]], b: [[{ b: 1 }]] },
  });
  expect(answered.completeness).toMatchObject(whole);
  expect(rows).toBe(200);
  expect(answered.failures.size).toBe(0);
});

test("C9: a partition that is late by half of the time is asked of its copy; the loser is cancelled", async () => {
  const { answered, rows, counts, cancelled } = await ask({
    said: [[{ b: 1 }], "hang"],
    copies: { a: [[{ a: 1 }]], b: [[{ b: 1 }]] },
    ask: { deadline: performance.now() + 400 },
  });
  expect(answered.completeness).toMatchObject(whole);
  expect(rows).toBe(200);
  expect(counts).toMatchObject({ hedged: 1, refused: 0, replaced: 0 });
  expect(cancelled).toEqual(["home"]);
});

test("the answer is there as soon as copies have said what is late", async () => {
  const deadline = performance.now() + 2_000;
  const copies = { a: [[{ a: 1 }]], b: [[{ b: 1 }]] };
  await ask({ said: ["hang"], copies, ask: { deadline } });
  expect(performance.now()).toBeLessThan(deadline - 300);
});

test("a late partition is not asked twice when too many were", async () => {
  const { answered, asked, counts } = await ask({
    ...{ said: [[{ b: 1 }], "hang"], share: 0.1 },
    copies: { a: [[{ a: 1 }]] },
  });
  expect(answered.completeness.leaves.missing).toEqual(["a"]);
  expect(asked).toEqual(["home"]);
  expect(counts).toEqual({ asked: 2, hedged: 0, refused: 1, replaced: 0 });
});

test("I7: where both answer, one of them counts", async () => {
  const both: readonly Part[] = [{ a: 1 }, { b: 1 }];
  for (const end of [[both], [[{ a: 0.5, b: 1 }], both], [[{ a: 0.5 }, { b: 1 }]]]) {
    const { answered, rows, asked } = await ask({
      said: [[{ b: 1 }], "until a copy is asked", ...end],
      copies: { a: [[{ a: 1 }]] },
    });
    expect(asked).toEqual(["home", "copy of a"]);
    expect(answered.completeness).toMatchObject(whole);
    expect(rows).toBe(200);
  }
});

test("a copy that has not finished stands for nothing", async () => {
  const { answered, rows } = await ask({
    said: [lost],
    copies: { a: [[{ a: 0.5 }]], b: [[{ b: 1 }]] },
  });
  expect(answered.completeness).toMatchObject({ fraction: 0.5, leaves: { missing: ["a"] } });
  expect(rows).toBe(100);
});

test("an aggregator that answers for a leaf twice, or for another's, is not believed (I7)", async () => {
  for (const said of [[[{ a: 1 }, { a: 1, b: 1 }]], [[{ a: 1, b: 1, c: 1 }]]]) {
    const { answered, rows } = await ask({ said, copies: { a: [[{ a: 1 }]], b: [[{ b: 1 }]] } });
    expect(answered.completeness).toMatchObject(whole);
    expect(rows).toBe(200);
  }
});

test("an exact question is answered by copies, without waiting for the machine", async () => {
  const { answered, asked } = await ask({
    said: [lost],
    copies: { a: [[{ a: 1 }]], b: [[{ b: 1 }]] },
    ask: { exact: true, deadline: performance.now() + 60_000 },
  });
  expect(answered.completeness).toMatchObject(whole);
  expect(asked).toEqual(["home", "copy of a", "copy of b"]);
});

test("a problem of the question that a copy finds ends it, and everything else", async () => {
  const asking = ask({
    said: [[{ b: 1 }], "hang"],
    copies: { a: [new HadalError("query-memory")] },
    ask: { deadline: performance.now() + 60 },
  });
  await expect(asking).rejects.toMatchObject({ code: "query-memory" });
});

/** Asks the copy of leaf a first, and a itself where the copy has fewer rows. */
async function askCopyFirst(copyRows: number, leafSaid: readonly Said[] = [[{ a: 1 }]]) {
  const log: Log = { asked: [], cancelled: [] };
  const short: string[] = [];
  const copy = node("copy", ["a"], [[{ a: 1 }]], log, {
    budget: new HedgeShare(10),
    of: () => node("leaf", ["a"], leafSaid, log),
    onShort: (leafId) => short.push(leafId),
  });
  const asked: QueriedNode = {
    ...copy,
    streamQuery: (query, options) =>
      copy.streamQuery(query, {
        ...options,
        onPartial: () => options.onPartial(answerOf([{ a: 1 }], true, copyRows)),
      }),
  };
  const now = (): number => performance.now();
  const answered = await askLeaves({
    ...{ resolved: countRequests, leaves: [asked], exact: false, now, deadline: now() + 60_000 },
    expectedRows: {
      expected: () => new Map([["a", 100]]),
      doubt: () => null,
      doubtOfLeaves: (leafIds) => (leafIds.length > 0 && copyRows === 101 ? "others sent" : null),
    },
    signal: new AbortController().signal,
    onAnswers: () => undefined,
    onError: () => undefined,
  });
  return { ...log, short, answered, rows: rowsOf(answered) };
}

test("C9: a copy that is asked first, because its leaf is busy, answers alone where it has all rows", async () => {
  const { asked, short, answered, rows } = await askCopyFirst(100);
  expect([asked, short, rows]).toEqual([["copy"], [], 100]);
  expect(answered.completeness).toMatchObject({
    fraction: 1,
    leaves: { answered: 1, missing: [] },
  });
});

test.each([
  ["lacks rows", 99],
  ["may lack rows that others have sent", 101],
])(
  "I7: where a copy that is asked first %s, its leaf is asked, and counts alone",
  async (_, rowsOfCopy) => {
    const { asked, short, answered, rows } = await askCopyFirst(rowsOfCopy);
    expect([asked, short, rows]).toEqual([["copy", "leaf"], ["a"], 100]);
    // The leaf has said itself what it has: nothing is in doubt.
    expect(answered.completeness).toMatchObject({
      fraction: 1,
      leaves: { answered: 1, missing: [] },
    });
  },
);

test("the answer of a copy that lacks rows stays where its leaf fails", async () => {
  const { rows, answered } = await askCopyFirst(99, [lost]);
  expect(rows).toBe(99);
  expect(answered.completeness).toMatchObject({ fraction: 0.99, leaves: { missing: [] } });
});
