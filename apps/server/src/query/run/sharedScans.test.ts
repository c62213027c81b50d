import { HadalError, type Query, type Result } from "@hadal/sdk";
import { expect, test } from "vitest";
import { decodePartialResult, encodePartialResult } from "../../aggregate/merge/partialCodec.js";
import { StopController } from "../../base/schedule/stopController.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { QueriedNode } from "../../tree/queriedNode.js";
import { deps, leaf, row } from "../testing/rowLeaves.js";
import { runQuery } from "./runQuery.js";
import { SharedScans } from "./sharedScans.js";

const rows = [row(1, "a", 1n), row(2, "b", 2n)];
const range = { table: "requests", from: 0, to: 60_000 } as const;
const count: Query = range;
const services: Query = { ...range, groupBy: ["service"] };
const bytes: Query = { ...range, aggregates: [{ fn: "sum", column: "bytes" }] };

/** A leaf, and what it was asked. `refuses`: queries that it does not answer. */
function recordingLeaf(refuses: (query: ResolvedQuery) => boolean = () => false) {
  const asked: ResolvedQuery[] = [];
  const own = leaf("leaf-1", rows, [Promise.resolve()]);
  const recording: QueriedNode = {
    id: own.id,
    async streamQuery(resolved, options) {
      asked.push(resolved);
      if (refuses(resolved)) throw new Error("refused");
      return own.streamQuery(resolved, options);
    },
  };
  return { asked, of: deps([recording]) };
}

const lost = new HadalError("connection-lost", { url: "leaf-2" });

/** The answer as of a leaf that had too little memory for one of the questions. */
function withoutBranch(body: Uint8Array, resolved: ResolvedQuery, index: number): Uint8Array {
  const partial = decodePartialResult(body, resolved);
  const branches = partial.branches?.map((branch, i) => (i === index ? null : branch)) ?? [];
  return encodePartialResult({ ...partial, branches }, resolved);
}

const runAll = (queries: readonly Query[], of: ReturnType<typeof deps>): Promise<Result[]> => {
  const scans = new SharedScans();
  const { signal } = new StopController();
  return Promise.all(queries.map((query) => runQuery(query, of, { signal, scans })));
};

test("queries about the same rows are one scan, and each has its own answer", async () => {
  const { asked, of } = recordingLeaf();
  const found = await runAll([count, services, bytes], of);
  expect(asked.map(({ branches = [] }) => branches.length)).toEqual([3]);
  expect(found.map((result) => result.rows)).toEqual([
    [[2, 2]],
    [
      ["a", 1, 1],
      ["b", 1, 1],
    ],
    [[3]],
  ]);
});

test.each<[string, Query]>([
  ["other rows", { ...services, filter: [{ column: "service", op: "=", value: "a" }] }],
  ["another range", { ...services, to: 50_000 }],
  ["another time to answer", { ...services, timeoutMs: 5_000 }],
])("a query of %s has a scan of its own", async (_, other) => {
  const { asked, of } = recordingLeaf();
  await runAll([count, bytes, other], of);
  expect(asked.map(({ branches = [] }) => branches.length).sort()).toEqual([0, 2]);
});

test("queries with other time buckets have a scan of their own; those without share one", async () => {
  const { asked, of } = recordingLeaf();
  const by = (time: string): Query => ({ ...range, groupBy: [{ time }] });
  const found = await runAll([by("1s"), by("10s"), count, by("1s")], of);
  expect(asked.map(({ branches = [] }) => branches.length).sort()).toEqual([0, 3]);
  const totals = found.map((result) =>
    result.rows.reduce((sum, cells) => sum + Number(cells.at(-1)), 0),
  );
  expect(totals).toEqual([2, 2, 2, 2]);
});

test("where the scan of all fails each is asked alone", async () => {
  const { asked, of } = recordingLeaf(({ branches }) => branches !== undefined);
  const found = await runAll([count, bytes], of);
  expect(asked.map(({ branches = [] }) => branches.length)).toEqual([2, 0, 0]);
  expect(found.map((result) => result.rows)).toEqual([[[2, 2]], [[3]]]);
});

test("where a leaf is missing each of them says so, and has the error of it", async () => {
  const silent: QueriedNode = { id: "leaf-2", streamQuery: () => Promise.reject(lost) };
  const { asked, of } = recordingLeaf();
  const found = await runAll([count, services], deps([...of.leaves(), silent]));
  expect(asked).toHaveLength(1);
  for (const { completeness } of found) {
    expect(completeness).toMatchObject({ fraction: 0.5, leaves: { missing: ["leaf-2"] } });
  }
  // The ledger knows how many rows the minute has; each of the two that are missing may be of any group.
  const services95 = [
    [1, 3],
    [1, 3],
  ];
  expect(found.map(({ intervals }) => intervals.count)).toEqual([[[4, 4]], services95]);
});

test("a question that a leaf leaves out of its answer is asked alone", async () => {
  const whole = leaf("leaf-1", rows, [Promise.resolve()]);
  const asked: number[] = [];
  const leavesOut: QueriedNode = {
    id: "leaf-1",
    streamQuery(resolved, options) {
      const { branches } = resolved;
      asked.push(branches?.length ?? 0);
      if (branches === undefined) return whole.streamQuery(resolved, options);
      return whole.streamQuery(resolved, {
        ...options,
        onPartial: (answer) => {
          if ("parts" in answer) throw new Error("a leaf has no parts");
          options.onPartial({ ...answer, body: withoutBranch(answer.body, resolved, 1) });
        },
      });
    },
  };
  const found = await runAll([count, services], deps([leavesOut]));
  expect(asked).toEqual([2, 0]);
  expect(found[1]?.rows).toEqual([
    ["a", 1, 1],
    ["b", 1, 1],
  ]);
});

test("one that is cancelled leaves the others their scan", async () => {
  const { asked, of } = recordingLeaf();
  const scans = new SharedScans();
  const [stopped, going] = [new StopController(), new StopController()];
  const cancelled = runQuery(count, of, { signal: stopped.signal, scans });
  const answered = runQuery(bytes, of, { signal: going.signal, scans });
  stopped.abort();
  await expect(cancelled).rejects.toMatchObject({ code: "cancelled" });
  expect((await answered).rows).toEqual([[3]]);
  expect(asked).toHaveLength(1);
});

test("queries of later turns do not wait for earlier ones", async () => {
  const { asked, of } = recordingLeaf();
  const scans = new SharedScans();
  const { signal } = new StopController();
  await runQuery(count, of, { signal, scans });
  await runQuery(bytes, of, { signal, scans });
  expect(asked.map(({ branches }) => branches)).toEqual([undefined, undefined]);
});

test("of relative times all queries of a turn mean the same moment", () => {
  const scans = new SharedScans();
  let nowMs = 0;
  const wallMs = (): number => ++nowMs;
  expect([scans.momentMs(wallMs), scans.momentMs(wallMs)]).toEqual([1, 1]);
});
