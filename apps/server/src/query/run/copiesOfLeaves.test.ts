import { HadalError, type Query, type Result } from "@hadal/sdk";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { OracleRow } from "../../../test/oracle/table/oracleTable.js";
import { encodePartialResult } from "../../aggregate/merge/partialCodec.js";
import { partialOfRows } from "../../aggregate/testing/partialOfRows.js";
import { HedgeShare } from "../../tree/copies/hedgeShare.js";
import type { PartitionCopies, QueriedNode } from "../../tree/queriedNode.js";
import { branchNode } from "../../tree/testing/branchNode.js";
import { deps, inOneMinute, row } from "../testing/rowLeaves.js";
import { runQuery } from "./runQuery.js";

/** How a leaf answers. late: after half of its rows it says nothing more; slow: all of it, after `slowMs`. */
type Fault = "none" | "dead" | "broken" | "late" | "slow";

const slowMs = 40;

/** A leaf that counts its rows one by one. */
function leafOf(id: string, rows: readonly OracleRow[], fault: Fault): QueriedNode {
  return {
    id,
    async streamQuery(resolved, { signal, onPartial }) {
      const answer = (share: number): void => {
        const seen = rows.slice(0, Math.floor(rows.length * share));
        const stats = {
          ...{ rowsHeld: rows.length, share, rowsScanned: seen.length, rowsMatched: seen.length },
          ...{ bytesScanned: 8, segments: 1, segmentsSkipped: 0, scanMs: 1 },
        };
        const body = encodePartialResult(partialOfRows(seen, resolved), resolved);
        onPartial({ done: share === 1, workMs: 1, stats, body });
      };
      if (fault === "dead") throw new HadalError("connection-lost", { url: id });
      if (fault === "broken") throw new HadalError("internal", { id });
      if (fault === "late") {
        answer(0.5);
        return new Promise((_, reject) =>
          signal.addEventListener("abort", () => reject(new HadalError("cancelled"))),
        );
      }
      if (fault === "slow") await new Promise((resolve) => setTimeout(resolve, slowMs));
      if (!signal.aborted) answer(1);
    },
  };
}

interface Partition {
  readonly rows: readonly OracleRow[];
  readonly home: Fault;
  /** null: there is no copy. */
  readonly copy: Fault | null;
}

/** Machines of two leaves each; every second one is asked through the machine before it. */
function nodesOf(partitions: readonly Partition[], copies: PartitionCopies) {
  const leaves = partitions.map(({ rows, home }, i) => leafOf(`leaf-${i}`, rows, home));
  const machines: QueriedNode[][] = [];
  for (let i = 0; i < leaves.length; i += 2) machines.push(leaves.slice(i, i + 2));
  const nodes: QueriedNode[] = [];
  for (let i = 0; i < machines.length; i += 2) {
    const below = machines[i + 1] === undefined ? [] : [branchNode(machines[i + 1]!)];
    nodes.push(withCopies(branchNode([...machines[i]!, ...below]), copies));
  }
  return nodes;
}

const withCopies = (node: QueriedNode, copies: PartitionCopies): QueriedNode => ({
  ...node,
  copies,
  restrictedTo: (some) => withCopies(node.restrictedTo!(some), copies),
});

const range = { table: "requests", from: 0, to: 300_000 } as const;
const aggregates = [{ fn: "count" }, { fn: "sum", column: "bytes" }] as const;
const query: Query = { ...range, groupBy: ["service"], aggregates, limit: 500 };

async function ask(partitions: readonly Partition[], timeoutMs: number) {
  const hedges = new HedgeShare(10);
  const held = new Map(partitions.map(({ rows }, i) => [`leaf-${i}`, rows.length]));
  const nodes = nodesOf(partitions, {
    budget: hedges,
    of(leafId) {
      const { rows, copy } = partitions[Number(leafId.slice(5))]!;
      return copy === null ? null : leafOf(leafId, rows, copy);
    },
  });
  const partials: Result[] = [];
  const asked = { ...deps(nodes), expectedRows: inOneMinute(held) };
  const { signal } = new AbortController();
  const onPartial = (partial: Result): void => void partials.push(partial);
  const result = await runQuery({ ...query, timeoutMs }, asked, { signal, onPartial });
  return { result, partials, counts: hedges.counts };
}

/** By a loop over rows. */
function naive(rows: readonly OracleRow[]): ReadonlyMap<string, readonly [number, number]> {
  const groups = new Map<string, [number, number]>();
  for (const { values } of rows) {
    const service = String(values.get("service"));
    const group = groups.get(service) ?? [0, 0];
    groups.set(service, [group[0] + 1, group[1] + Number(values.get("bytes"))]);
  }
  return groups;
}

/** The numbers are those of the partitions that answered, each counted once (I4, I7). */
function expectOnceEach({ rows, completeness }: Result, partitions: readonly Partition[]): void {
  const missing = new Set(completeness.leaves.missing);
  const answered = partitions.flatMap((one, i) => (missing.has(`leaf-${i}`) ? [] : one.rows));
  const found = rows.map((cells) => [String(cells[0]), [Number(cells[2]), Number(cells[3])]]);
  expect(new Map(found as [string, [number, number]][])).toEqual(naive(answered));
  expect(completeness.rowsAnswered).toBe(answered.length);
}

const services = fc.nat(30).map((n) => `service ${n}`);
const rowsOfLeaf = fc.array(
  fc
    .tuple(fc.nat(299_999), services, fc.nat(1_000))
    .map(([timeMs, service, bytes]) => row(timeMs, service, BigInt(bytes))),
  { minLength: 1, maxLength: 25 },
);

const partitionsWith = (home: readonly Fault[], copy: readonly (Fault | null)[]) =>
  fc.array(
    fc.record({
      rows: rowsOfLeaf,
      home: fc.constantFrom(...home),
      copy: fc.constantFrom(...copy),
    }),
    { minLength: 1, maxLength: 10 },
  );

const isFine = (fault: Fault | null): boolean => fault === "none" || fault === "slow";

test("C9, I7: partitions whose machine fails are read from copies, each once, in every tree", async () => {
  const partitions = partitionsWith(
    ["none", "none", "slow", "dead", "broken"],
    ["none", "none", "dead", null],
  );
  await fc.assert(
    fc.asyncProperty(partitions, async (given) => {
      const missing = given.flatMap(({ home, copy }, i) =>
        isFine(home) || isFine(copy) ? [] : [`leaf-${i}`],
      );
      fc.pre(missing.length < given.length);
      const { result } = await ask(given, 20_000);
      expect([...result.completeness.leaves.missing].sort()).toEqual(missing);
      expectOnceEach(result, given);
    }),
    { numRuns: 60 },
  );
});

test("C9, I7: partitions that are late are read from copies, and none counts twice when both answer", async () => {
  // Both answer at about the same time: half of the time that leaves have is up.
  const timeoutMs = 2 * slowMs + 20;
  let [covered, hedged] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      partitionsWith(["none", "none", "slow", "late"], ["none", "none", "slow"]),
      async (given) => {
        const { result, partials, counts } = await ask(given, timeoutMs);
        hedged += counts.hedged;
        covered += result.completeness.fraction === 1 && counts.hedged > 0 ? 1 : 0;
        // A late partition whose copy came too late is there in part, and said to be missing.
        if (result.completeness.fraction === 1) expectOnceEach(result, given);
        const all = given.reduce((sum, { rows }) => sum + rows.length, 0);
        for (const { completeness } of [...partials, result]) {
          expect(completeness.rowsAnswered).toBeLessThanOrEqual(all);
        }
        const fractions = [...partials, result].map(({ completeness }) => completeness.fraction);
        expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
      },
    ),
    { numRuns: 40 },
  );
  expect([covered > 0, hedged > 0]).toEqual([true, true]);
});
