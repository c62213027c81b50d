import { HadalError } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { encodePartialResult } from "../aggregate/merge/partialCodec.js";
import type { PartialResult } from "../aggregate/partial/partialResult.js";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";
import { countRequests } from "../plan/testing/countRequests.js";
import { askLeaves } from "./askLeaves.js";
import type { ExpectedRows as AllExpectedRows } from "./expectedRows.js";
import type { QueriedNode } from "./queriedNode.js";
import type { TreeAnswers } from "./treeAnswers.js";

type ExpectedRows = Pick<AllExpectedRows, "expected" | "unseen" | "doubt">;

/** What a leaf says, one after another: shares of its scan, the end, or an error. "hang": nothing more. */
type Said = number | "done" | "hang" | Error;

function leaf(id: string, rowsHeld: number, ...rounds: readonly (readonly Said[])[]): QueriedNode {
  let round = 0;
  return {
    id,
    async streamQuery(resolved, { signal, onPartial }) {
      const said = rounds[Math.min(round++, rounds.length - 1)] ?? [];
      for (const one of said) {
        await Promise.resolve();
        if (one instanceof Error) throw one;
        if (one === "hang") return new Promise(() => signal.addEventListener("abort", () => {}));
        const done = one === "done";
        const stats = statsOf(rowsHeld, done ? 1 : one);
        onPartial({ done, workMs: 0, stats, body: countOf(rowsHeld, resolved) });
      }
    },
  };
}

function statsOf(rowsHeld: number, share: number) {
  const none = { bytesScanned: 0, segments: 0, segmentsSkipped: 0, scanMs: 0 };
  return { rowsHeld, share, rowsScanned: rowsHeld, rowsMatched: rowsHeld, ...none };
}

function countOf(rows: number, resolved: ResolvedQuery): Uint8Array {
  const count = { kind: "count" as const, values: Float64Array.of(rows) };
  const side = { groupCount: 1, keys: [], states: [count, count], groupsCut: 0 };
  const partial: PartialResult = { sides: resolved.sides.map(() => side), sample: null };
  return encodePartialResult(partial, resolved);
}

function expecting(rows: Readonly<Record<string, number>>): ExpectedRows {
  return { expected: () => new Map(Object.entries(rows)), doubt: () => null };
}

const lost = new HadalError("connection-lost", { url: "leaf" });
const evenRows = expecting({ a: 100, b: 100 });

function ask(
  leaves: readonly QueriedNode[],
  expectedRows: ExpectedRows,
  options: {
    exact?: boolean;
    budgetMs?: number;
    signal?: AbortSignal;
    resolved?: ResolvedQuery;
  } = {},
  onAnswers: (answers: TreeAnswers) => void = () => {},
): Promise<TreeAnswers> {
  const now = (): number => performance.now();
  return askLeaves({
    resolved: options.resolved ?? countRequests,
    leaves,
    expectedRows,
    deadline: now() + (options.budgetMs ?? 5_000),
    exact: options.exact ?? false,
    signal: options.signal ?? new AbortController().signal,
    onAnswers,
    onError: () => {},
    now,
  });
}

describe("completeness", () => {
  test("rows that no leaf shows are missing, also where a leaf has as many that are not counted yet", async () => {
    const expectedRows = { ...evenRows, unseen: () => 4 };
    const { completeness } = await ask(
      [leaf("a", 100, ["done"]), leaf("b", 130, ["done"])],
      expectedRows,
    );
    expect(completeness).toMatchObject({ fraction: 196 / 200, rowsAnswered: 196 });
  });

  test("is exactly 1 when every leaf has answered whole", async () => {
    const { completeness } = await ask(
      [leaf("a", 100, ["done"]), leaf("b", 130, ["done"])],
      evenRows,
    );
    expect(completeness).toEqual({
      fraction: 1,
      rowsExpected: 200,
      rowsAnswered: 200,
      leaves: { answered: 2, total: 2, missing: [] },
    });
  });

  test("a dead leaf is left out and named", async () => {
    const rows = expecting({ a: 300, b: 100 });
    const { completeness, answers } = await ask(
      [leaf("a", 300, ["done"]), leaf("b", 0, [lost])],
      rows,
    );
    expect(completeness.fraction).toBe(0.75);
    expect(completeness.leaves).toEqual({ answered: 1, total: 2, missing: ["b"] });
    expect(answers.map(({ partId }) => partId)).toEqual(["a"]);
  });

  test("the deadline holds; what a late leaf had said until then stays with its share", async () => {
    const startedAt = performance.now();
    const late = leaf("b", 100, [0.5, "hang"]);
    const { completeness } = await ask([leaf("a", 100, ["done"]), late], evenRows, {
      budgetMs: 40,
    });
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(completeness.fraction).toBe(0.75);
    expect(completeness.leaves.missing).toEqual(["b"]);
  });

  test("a question for all rows does not wait for rows that a leaf has lost", async () => {
    let asked = 0;
    const { streamQuery } = leaf("a", 60, ["done"]);
    const lacking: QueriedNode = {
      id: "a",
      streamQuery: (...given) => {
        asked++;
        return streamQuery(...given);
      },
    };
    const leaves = [lacking, leaf("b", 100, ["done"])];
    await expect(ask(leaves, evenRows, { exact: true })).rejects.toMatchObject({
      code: "incomplete",
    });
    expect(asked).toBe(3);
  });

  test("a question for all rows does not wait for rows that have been let go meanwhile", async () => {
    let expectedOfA = 100;
    const fewer: ExpectedRows = {
      expected: () => new Map(Object.entries({ a: expectedOfA, b: 100 })),
      doubt: () => null,
    };
    const leaves = [leaf("a", 60, [lost], ["done"]), leaf("b", 100, ["done"])];
    const asking = ask(leaves, fewer, { exact: true });
    expectedOfA = 60;
    expect((await asking).completeness).toMatchObject({ fraction: 1, rowsExpected: 160 });
  });

  test("a leaf that lost rows is found out", async () => {
    const { completeness } = await ask(
      [leaf("a", 60, ["done"]), leaf("b", 100, ["done"])],
      evenRows,
    );
    expect(completeness.fraction).toBe(0.8);
    expect(completeness.leaves.missing).toEqual([]);
  });

  test("is unknown, and no share is told, while counts of rows are lost", async () => {
    const lostCounts = { ...evenRows, doubt: () => "the row-count ledger is new" };
    const leaves = [leaf("a", 100, ["done"]), leaf("b", 100, ["done"])];
    expect((await ask(leaves, lostCounts)).completeness).toEqual({
      ...{ fraction: 0, known: false, reason: "the row-count ledger is new" },
      ...{ rowsExpected: 200, rowsAnswered: 200 },
      leaves: { answered: 2, total: 2, missing: [] },
    });
    await expect(ask(leaves, lostCounts, { exact: true })).rejects.toMatchObject({
      code: "incomplete",
      message: expect.stringContaining("the row-count ledger is new"),
    });
  });

  test("rows of a leaf that is no longer listed are missing", async () => {
    const { completeness } = await ask([leaf("a", 100, ["done"])], evenRows);
    expect(completeness.fraction).toBe(0.5);
    expect(completeness.leaves).toEqual({ answered: 1, total: 2, missing: ["b"] });
  });

  test("without expected rows the leaves themselves are counted", async () => {
    const leaves = [leaf("a", 0, ["done"]), leaf("b", 0, [lost])];
    expect((await ask(leaves, expecting({}))).completeness.fraction).toBe(0.5);
    const whole = [leaf("a", 0, ["done"]), leaf("b", 0, ["done"])];
    expect((await ask(whole, expecting({}))).completeness.fraction).toBe(1);
  });

  test("is read before the leaves are asked: rows that come later are no one's loss", async () => {
    let asked = false;
    const eager: QueriedNode = {
      id: "a",
      streamQuery(query, options) {
        asked = true;
        return leaf("a", 100, ["done"]).streamQuery(query, options);
      },
    };
    const growing: ExpectedRows = {
      expected: () => new Map([["a", asked ? 200 : 100]]),
      doubt: () => null,
    };
    expect((await ask([eager], growing)).completeness.fraction).toBe(1);
  });

  test("never goes down within a query", async () => {
    const fractions: number[] = [];
    const leaves = [
      leaf("a", 100, [0.2, 0.6, lost], [0.1, 0.3, "done"]),
      leaf("b", 100, [0.5, "done"]),
    ];
    const { completeness } = await ask(leaves, evenRows, { exact: true }, (answers) =>
      fractions.push(answers.completeness.fraction),
    );
    expect(completeness.fraction).toBe(1);
    expect(fractions).toEqual([...fractions].sort((x, y) => x - y));
    expect(fractions.length).toBeGreaterThan(2);
  });
});

describe("problems", () => {
  test("no answer at all is a problem, never zero rows", async () => {
    const dead = [leaf("a", 0, [lost]), leaf("b", 0, ["hang"])];
    await expect(ask(dead, evenRows, { budgetMs: 30 })).rejects.toMatchObject({
      code: "no-leaves",
    });
    await expect(ask([], evenRows)).rejects.toMatchObject({ code: "no-leaves" });
  });

  test("no leaf answered that holds rows: a problem that names them, and no partial answer of zero rows", async () => {
    const partials: TreeAnswers[] = [];
    const leaves = [leaf("a", 0, ["done"]), leaf("b", 0, [lost]), leaf("c", 0, ["done"])];
    const asked = ask(leaves, expecting({ b: 100 }), {}, (answers) => partials.push(answers));
    await expect(asked).rejects.toMatchObject({
      code: "no-leaves",
      message: expect.stringContaining("should hold them: b.") as string,
    });
    expect(partials).toEqual([]);
    // A leaf that answers, and has lost all of them, is the same.
    const empty = [leaf("a", 0, ["done"]), leaf("b", 0, ["done"])];
    await expect(ask(empty, expecting({ b: 100 }))).rejects.toMatchObject({ code: "no-leaves" });
  });

  test("no row answered of one side of a comparison", async () => {
    const [side] = countRequests.sides;
    const resolved = { ...countRequests, sides: [side!, { ...side!, fromMs: -60_000, toMs: 0 }] };
    const ofSides: ExpectedRows = {
      expected: (_, fromMs) => new Map(fromMs < 0 ? [["b", 100]] : [["a", 100]]),
      doubt: () => null,
    };
    const leaves = [leaf("a", 100, ["done"]), leaf("b", 0, [lost])];
    const asked = ask(leaves, ofSides, { resolved });
    await expect(asked).rejects.toMatchObject({
      code: "no-leaves",
      message: expect.stringContaining("should hold them: b.") as string,
    });
  });

  test("rows that retention lets go while the leaves are asked leave zero rows, and no problem", async () => {
    let expectedOfA = 100;
    const fewer: ExpectedRows = {
      expected: () => new Map([["a", expectedOfA]]),
      doubt: () => null,
    };
    const leaving: QueriedNode = {
      id: "a",
      streamQuery(query, options) {
        expectedOfA = 0;
        return leaf("a", 0, ["done"]).streamQuery(query, options);
      },
    };
    expect((await ask([leaving], fewer)).answers).toHaveLength(1);
  });

  test("a range without rows has none, whichever leaf is missing", async () => {
    const leaves = [leaf("a", 0, ["done"]), leaf("b", 0, [lost])];
    expect((await ask(leaves, expecting({}))).answers).toHaveLength(1);
  });

  test.each(["too-many-groups", "query-memory", "sum-overflow"] as const)(
    "%s is the query's own: it fails, at once",
    async (code) => {
      const leaves = [leaf("a", 0, [new HadalError(code)]), leaf("b", 0, ["hang"])];
      await expect(ask(leaves, evenRows)).rejects.toMatchObject({ code });
    },
  );

  test.each(["internal", "overloaded"] as const)(
    "%s is one leaf's: it is missing",
    async (code) => {
      const leaves = [leaf("a", 0, [new HadalError(code)]), leaf("b", 100, ["done"])];
      const { completeness, failures } = await ask(leaves, evenRows);
      expect(completeness.leaves.missing).toEqual(["a"]);
      expect([...failures].map(([id, error]) => [id, error.code])).toEqual([["a", code]]);
    },
  );

  const fault = new HadalError("internal", { id: "i7" });

  test("a fault of every leaf is told as one, at once, with where its reason is", async () => {
    const leaves = [leaf("a", 0, [fault]), leaf("b", 0, [lost])];
    const asked = ask(leaves, evenRows, { budgetMs: 60_000 });
    await expect(asked).rejects.toMatchObject({
      code: "leaf-failed",
      message: expect.stringMatching(/query: a\. .*a: Hadal failed.* under i7/),
      errors: [{ code: "internal" }],
    });
  });

  test("exact does not wait for a fault to pass for long", async () => {
    const leaves = [leaf("a", 0, [fault]), leaf("b", 100, ["done"])];
    const asked = ask(leaves, evenRows, { exact: true, budgetMs: 60_000 });
    await expect(asked).rejects.toMatchObject({ code: "leaf-failed" });
  });

  test("a fault that passes leaves no trace in an exact answer", async () => {
    const leaves = [leaf("a", 100, [fault], ["done"]), leaf("b", 100, ["done"])];
    const { completeness, failures } = await ask(leaves, evenRows, { exact: true });
    expect([completeness.fraction, failures.size]).toEqual([1, 0]);
  });

  test("what all leaves say instead of an answer is said", async () => {
    const busy = (): HadalError => new HadalError("overloaded", { detail: "busy" });
    const leaves = [leaf("a", 0, [busy()]), leaf("b", 0, [busy()])];
    await expect(ask(leaves, evenRows)).rejects.toMatchObject({ code: "overloaded" });
    const others = [leaf("a", 0, [busy()]), leaf("b", 0, [lost])];
    await expect(ask(others, evenRows)).rejects.toMatchObject({ code: "no-leaves" });
  });

  test("bytes that are no partial result count as no answer", async () => {
    const broken: QueriedNode = {
      id: "a",
      async streamQuery(_, { onPartial }) {
        onPartial({ done: true, workMs: 0, stats: statsOf(1, 1), body: new Uint8Array(16) });
      },
    };
    const { completeness } = await ask([broken, leaf("b", 100, ["done"])], evenRows);
    expect(completeness.leaves.missing).toEqual(["a"]);
  });

  test("a cancelled query says so, and its leaves hear of it", async () => {
    const controller = new AbortController();
    let heard = false;
    const listening: QueriedNode = {
      id: "a",
      streamQuery: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            heard = true;
            reject(new HadalError("cancelled"));
          });
        }),
    };
    const asked = ask([listening], evenRows, { signal: controller.signal });
    controller.abort();
    await expect(asked).rejects.toMatchObject({ code: "cancelled" });
    expect(heard).toBe(true);
  });
});

describe("exact", () => {
  test("asks a missing leaf again until it answers", async () => {
    const leaves = [leaf("a", 100, [lost], [lost], ["done"]), leaf("b", 100, ["done"])];
    expect((await ask(leaves, evenRows, { exact: true })).completeness.fraction).toBe(1);
  });

  test("refuses at the deadline, and says how much there was", async () => {
    const leaves = [leaf("a", 100, [lost]), leaf("b", 100, ["done"])];
    const asked = ask(leaves, evenRows, { exact: true, budgetMs: 50 });
    await expect(asked).rejects.toMatchObject({
      code: "incomplete",
      message: expect.stringContaining("50 %"),
    });
  });
});
