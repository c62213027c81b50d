import { HadalError, type Query, type Result } from "@hadal/sdk";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { OracleRow } from "../../../test/oracle/table/oracleTable.js";
import { cutGroups } from "../../aggregate/cut/cutGroups.js";
import { encodePartialResult } from "../../aggregate/merge/partialCodec.js";
import { partialOfRows } from "../../aggregate/testing/partialOfRows.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { QueriedNode } from "../../tree/queriedNode.js";
import { branchNode } from "../../tree/testing/branchNode.js";
import { deps, inOneMinute, row } from "../testing/rowLeaves.js";
import { runQuery } from "./runQuery.js";

/** A leaf that cuts its answer as leaves do. */
function cuttingLeaf(id: string, rows: readonly OracleRow[]): QueriedNode {
  return {
    id,
    async streamQuery(resolved, { onPartial }) {
      const rowsHeld = rows.length;
      const body = encodePartialResult(answerOf(rows, resolved), resolved);
      const stats = {
        ...{ rowsHeld, share: 1, rowsScanned: rowsHeld, rowsMatched: rowsHeld },
        ...{ bytesScanned: 8 * rowsHeld, segments: 1, segmentsSkipped: 0, scanMs: 1 },
      };
      onPartial({ done: true, workMs: 1, stats, body });
    },
  };
}

const answerOf = (rows: readonly OracleRow[], resolved: ResolvedQuery) => ({
  ...cutGroups(partialOfRows(rows, resolved), resolved),
  grows: true,
});

type Shape = number | readonly Shape[];

/** A tree of leaves by number, up to three levels deep, each with up to five children. */
const { tree: shape } = fc.letrec<{ tree: readonly Shape[]; node: Shape }>((tie) => ({
  tree: fc.array(tie("node"), { minLength: 1, maxLength: 5 }),
  node: fc.oneof({ maxDepth: 3 }, fc.nat(8), tie("tree")),
}));

/** Each leaf once: where it comes first. Leaves that are nowhere are the root's own. */
function nodesOf(tree: readonly Shape[], leaves: readonly QueriedNode[]): readonly QueriedNode[] {
  const left = new Set(leaves.keys());
  const build = (node: Shape): readonly QueriedNode[] => {
    if (typeof node === "number") {
      return left.delete(node) ? [leaves[node]!] : [];
    }
    const nodes = node.flatMap(build);
    return nodes.length === 0 ? [] : [branchNode(nodes)];
  };
  const nodes = tree.flatMap(build);
  return [...nodes, ...[...left].map((leaf) => leaves[leaf]!)];
}

/** Levels of aggregators, the root's included. */
function depthOf(tree: readonly Shape[], leafCount: number): number {
  const left = new Set(Array.from({ length: leafCount }, (_, i) => i));
  // -1: there is no such node, since none of its leaves is left.
  const depth = (node: Shape): number => {
    if (typeof node === "number") return left.delete(node) ? 0 : -1;
    const deepest = Math.max(-1, ...node.map(depth));
    return deepest < 0 ? -1 : deepest + 1;
  };
  return 1 + Math.max(0, ...tree.map(depth));
}

const services = fc.nat(300).map((n) => `service ${Math.floor((n * n) / 300)}`);
const rowOfLeaf = fc.tuple(fc.nat(299_999), services, fc.nat(1_000));
const rowsOfLeaves = fc.array(
  fc.oneof(
    fc.array(rowOfLeaf, { minLength: 200, maxLength: 250 }),
    fc.array(rowOfLeaf, { maxLength: 60 }),
  ),
  { minLength: 2, maxLength: 9 },
);

const range = { table: "requests", from: 0, to: 300_000 } as const;
const count = { fn: "count" } as const;
const sum = { fn: "sum", column: "bytes" } as const;

async function ask(query: Query, nodes: readonly QueriedNode[], rows: ReadonlyMap<string, number>) {
  const asked = { ...deps(nodes), expectedRows: inOneMinute(rows) };
  return runQuery(query, asked, { signal: new AbortController().signal });
}

const withoutTimes = ({ stats, ...result }: Result) => ({
  ...result,
  stats: { ...stats, elapsedMs: 0, scanMs: 0, mergeMs: 0, levels: [] },
});

test.each<[string, object]>([
  ["numbers of all rows", { aggregates: [count, sum, { fn: "avg", column: "bytes" }] }],
  ["the largest groups", { groupBy: ["service"], aggregates: [count], limit: 20 }],
  ["groups by a sum", { groupBy: ["service"], aggregates: [sum, count], limit: 7 }],
  [
    "groups by name",
    {
      groupBy: ["service"],
      aggregates: [count],
      orderBy: [{ by: "service" }],
      limit: 9,
    },
  ],
  [
    "groups of two columns by one of them",
    {
      groupBy: ["service", "bytes"],
      aggregates: [count],
      orderBy: [{ by: "service", desc: true }],
      limit: 9,
    },
  ],
  ["each minute", { groupBy: [{ time: "1m" }, "service"], aggregates: [count], limit: 5 }],
  ["series", { groupBy: [{ time: "1m" }, "service"], aggregates: [count], series: 4 }],
])("S70-S75: the answer is the same for every tree of leaves: %s", async (_, asked) => {
  const query = { ...range, ...asked } as Query;
  let cutTrials = 0;
  await fc.assert(
    fc.asyncProperty(rowsOfLeaves, shape, async (values, tree) => {
      const own = values.map((rows) =>
        rows.map(([timeMs, service, bytes]) => row(timeMs, service, BigInt(bytes))),
      );
      const leaves = own.map((rows, i) => cuttingLeaf(`leaf-${i}`, rows));
      const held = new Map(own.map((rows, i) => [`leaf-${i}`, rows.length]));
      const whole = await ask(
        query,
        [wholeLeaf(own.flat())],
        new Map([["all", own.flat().length]]),
      );
      const [flat, deep] = await Promise.all([
        ask(query, leaves, held),
        ask(query, nodesOf(tree, leaves), held),
      ]);
      expect(deep.rows).toEqual(whole.rows);
      expect(deep.completeness).toEqual({ ...flat.completeness });
      expect(deep.notes).toEqual(flat.notes);
      expect(withoutTimes(deep).stats).toEqual(withoutTimes(flat).stats);
      const { levels = [] } = deep.stats;
      expect(levels.map(({ level }) => level)).toEqual([...levels.keys()]);
      expect(levels).toHaveLength(depthOf(tree, own.length));
      expect(flat.stats.levels).toMatchObject([{ level: 0, children: own.length }]);
      expect(deep.truncated === null).toBe(flat.truncated === null);
      cutTrials += flat.truncated?.atLeast === true ? 1 : 0;
    }),
    { numRuns: 25, endOnFailure: true },
  );
  // Leaves cut what they answer, so that they are asked again.
  if (query.groupBy !== undefined) expect(cutTrials).toBeGreaterThan(4);
});

test("S79, S84: leaves that fail are missing in every tree, and no number is of other rows", async () => {
  const query: Query = { ...range, groupBy: ["service"], aggregates: [count, sum], limit: 20 };
  await fc.assert(
    fc.asyncProperty(rowsOfLeaves, shape, fc.nat(8), async (values, tree, dead) => {
      const own = values.map((rows) =>
        rows.map(([timeMs, service, bytes]) => row(timeMs, service, BigInt(bytes))),
      );
      const held = new Map(own.map((rows, i) => [`leaf-${i}`, rows.length]));
      const isDead = (leaf: number): boolean => leaf === dead % own.length;
      const leaves = own.map((rows, i) =>
        isDead(i) ? deadLeaf(`leaf-${i}`) : cuttingLeaf(`leaf-${i}`, rows),
      );
      const left = own.flatMap((rows, i) => (isDead(i) ? [] : rows));
      fc.pre(left.length > 0);
      const whole = await ask(query, [wholeLeaf(left)], new Map([["all", left.length]]));
      const [flat, deep] = await Promise.all([
        ask(query, leaves, held),
        ask(query, nodesOf(tree, leaves), held),
      ]);
      expect(deep.rows).toEqual(whole.rows);
      expect(deep.completeness).toEqual(flat.completeness);
      for (const bars of Object.values(deep.intervals)) {
        bars.forEach((bar, i) => {
          if (bar === null) return;
          expect(bar[0]).toBeLessThanOrEqual(Number(deep.rows[i]![1]) * 1e3);
          expect(bar[1]).toBeGreaterThan(0);
        });
      }
    }),
    { numRuns: 25, endOnFailure: true },
  );
});

test("S73: no group that is not shown exceeds the bound that every tree gives", async () => {
  const query: Query = { ...range, groupBy: ["service"], aggregates: [count], limit: 3 };
  let bounded = 0;
  await fc.assert(
    fc.asyncProperty(rowsOfLeaves, shape, async (values, tree) => {
      const own = values.map((rows) =>
        rows.map(([timeMs, service, bytes]) => row(timeMs, service, BigInt(bytes))),
      );
      const leaves = own.map((rows, i) => cuttingLeaf(`leaf-${i}`, rows));
      const held = new Map(own.map((rows, i) => [`leaf-${i}`, rows.length]));
      const { truncated } = await ask(query, nodesOf(tree, leaves), held);
      const all = { ...query, limit: 1_000 };
      const whole = await ask(all, [wholeLeaf(own.flat())], new Map([["all", own.flat().length]]));
      const unseen = whole.rows.slice(3).map((cells) => Number(cells[1]));
      if (truncated?.unseenMax === undefined || unseen.length === 0) return;
      bounded++;
      expect(truncated.unseenMax).toBeGreaterThanOrEqual(unseen[0]!);
    }),
    { numRuns: 25, endOnFailure: true },
  );
  expect(bounded).toBeGreaterThan(8);
});

const deadLeaf = (id: string): QueriedNode => ({
  id,
  streamQuery: () => Promise.reject(new HadalError("connection-lost", { url: id })),
});

/** A leaf that cuts nothing. */
function wholeLeaf(rows: readonly OracleRow[]): QueriedNode {
  const uncut = cuttingLeaf("all", rows);
  return {
    id: "all",
    streamQuery: (resolved, options) =>
      uncut.streamQuery({ ...resolved, cut: { ...resolved.cut, max: 1e6 } }, options),
  };
}
