import { HadalError } from "@hadal/sdk";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodePartialResult, encodePartialResult } from "../aggregate/merge/partialCodec.js";
import { joinBytes } from "../base/bytes/byteView.js";
import type { UnitSnapshot } from "../base/row/unitSnapshot.js";
import { StopController } from "../base/schedule/stopController.js";
import type { TreeStreamOptions } from "../cluster/leafConnection.js";
import {
  type PartsReply,
  printParts,
  readParts,
  type TreeMachine,
} from "../cluster/treeProtocol.js";
import type { AnswerTrace, TracedNode } from "../cluster/treeTrace.js";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";
import { countRequests } from "../plan/testing/countRequests.js";
import { answerTree } from "./answerTree.js";
import { askedFor } from "./completeGroups.js";
import { nodesOfMachines, type TreeOptions } from "./machineNodes.js";
import type { NodeAnswer, QueriedNode } from "./queriedNode.js";
import { rotated, splitEvenly } from "./splitMachines.js";
import { TreeWindows } from "./window/treeWindows.js";

type Snapshots = Map<string, UnitSnapshot>;

/** A leaf with one row. Where it is asked for units, it knows of others. */
function leaf(id: string, asked: string[], snapshots: Snapshots): QueriedNode {
  return {
    id,
    async streamQuery(query, { snapshot, onPartial }) {
      asked.push(id);
      if (snapshot !== undefined) snapshots.set(id, snapshot);
      const shown = snapshot && { snapshot: { ...snapshot, [id]: { upTo: 1, except: [] } } };
      const count = { kind: "count" as const, values: Float64Array.of(1) };
      const side = { groupCount: 1, keys: [], states: [count, count], groupsCut: 0 };
      const none = { bytesScanned: 0, segments: 0, segmentsSkipped: 0, scanMs: 0 };
      onPartial({
        ...{ done: true, workMs: 0 },
        stats: { rowsHeld: 1, share: 1, rowsScanned: 1, rowsMatched: 1, ...none, ...shown },
        body: encodePartialResult({ sides: query.sides.map(() => side), sample: null }, query),
      });
    },
  };
}

type Fault = "none" | "dead" | "silent";

/** A cluster in this process: `faults[i]` is what is wrong with the aggregator of machine i. */
function cluster(
  faults: readonly Fault[],
  leavesEach: number,
  windowsOf: (machine: number) => TreeWindows | undefined = () => undefined,
) {
  const asked: string[] = [];
  const snapshots: Snapshots = new Map();
  const machines = faults.map(
    (_, i): TreeMachine => ({
      ...{ name: `machine-${i}`, address: `${i}` },
      leafIds: Array.from({ length: leavesEach }, (_unused, k) => `m${i}-leaf-${k}`),
    }),
  );
  const linkTo = ({ address }: TreeMachine): ReturnType<TreeOptions["linkTo"]> => ({
    cancelTree: () => undefined,
    async streamTree(query: ResolvedQuery, options: TreeStreamOptions) {
      const { budgetMs, signal = new StopController().signal, onParts } = options;
      const fault = faults[Number(address)];
      if (fault === "dead") throw new HadalError("connection-lost", { url: address });
      if (fault === "silent") return new Promise(() => undefined);
      const windows = windowsOf(Number(address));
      const machine = {
        ...{ leafOf: (id: string) => leaf(id, asked, snapshots), linkTo, onError: () => undefined },
        ...(windows && { windows }),
      };
      const { snapshot } = options;
      const deadline = performance.now() + budgetMs;
      const context = { signal, deadline, ...(snapshot && { snapshot }) };
      const last = await answerTree({ query, ...options }, context, machine, async (answer) =>
        onParts({ ...answer, done: false, workMs: 0 }),
      );
      const { header, body } = printParts(1, { ...last, done: true, workMs: 0 });
      onParts(readParts(JSON.parse(JSON.stringify(header)) as PartsReply, joinBytes(body)));
    },
  });
  return { machines, linkTo, asked, snapshots };
}

interface LastAnswers {
  readonly leaves: readonly string[];
  readonly rows: number;
  readonly traces: readonly AnswerTrace[];
}

/** The leaves that are in the last answer of each node, and the rows that they counted. */
async function ask(
  { machines, linkTo }: Pick<TreeOptions, "linkTo"> & { readonly machines: readonly TreeMachine[] },
  fanOut: number,
  budgetMs: number,
): Promise<LastAnswers> {
  const controller = new StopController();
  const timer = setTimeout(() => controller.abort(), budgetMs);
  const nodes = nodesOfMachines(machines, fanOut, { fanOut, linkTo });
  const last = await Promise.all(
    nodes.map(async (node) => {
      let latest: NodeAnswer | null = null;
      const onPartial = (answer: NodeAnswer): void => {
        latest = answer;
      };
      const { signal } = controller;
      const streaming = node.streamQuery(countRequests, { budgetMs, signal, onPartial });
      const stopped = new Promise<void>((resolve) =>
        signal.addEventListener("abort", () => resolve()),
      );
      await Promise.race([streaming.catch(() => undefined), stopped]);
      return latest as NodeAnswer | null;
    }),
  );
  clearTimeout(timer);
  const parts = last.flatMap((answer) =>
    answer !== null && "parts" in answer ? answer.parts : [],
  );
  const rows = parts.reduce((sum, { body }) => {
    const [side] = decodePartialResult(body, countRequests).sides;
    const [count] = side!.states;
    return sum + (count?.kind === "count" ? count.values[0]! : 0);
  }, 0);
  const traces = last.flatMap((answer) =>
    answer !== null && "parts" in answer && answer.trace !== undefined ? [answer.trace] : [],
  );
  return { leaves: parts.flatMap((part) => part.leaves.map(({ leafId }) => leafId)), rows, traces };
}

/** Every node below, the asked one first. */
const flattened = ({ children, ...node }: TracedNode): readonly Omit<TracedNode, "children">[] => [
  node,
  ...children.flatMap(flattened),
];

test("S71: all leaves of all machines are asked once, for every fan-out", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: 2, max: 8 }),
      async (machineCount, leavesEach, fanOut) => {
        const asked = cluster(
          Array.from({ length: machineCount }, () => "none"),
          leavesEach,
        );
        const { leaves, rows } = await ask(asked, fanOut, 5_000);
        expect(new Set(leaves).size).toBe(machineCount * leavesEach);
        expect([leaves.length, rows]).toEqual([
          machineCount * leavesEach,
          machineCount * leavesEach,
        ]);
        expect(asked.asked.length).toBe(machineCount * leavesEach);
      },
    ),
    { numRuns: 40 },
  );
});

test("S74: the trace of an answer has every machine and leaf once, each with its time", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 2, max: 6 }),
      async (machineCount, fanOut) => {
        const none = Array.from({ length: machineCount }, (): Fault => "none");
        const { traces } = await ask(cluster(none, 2), fanOut, 5_000);
        const below = traces.flatMap(({ children }) => children.flatMap(flattened));
        const machines = below.filter(({ role }) => role === "aggregator");
        const names = [...traces, ...machines].map(({ name }) => name);
        expect(names.sort()).toEqual(none.map((_, i) => `machine-${i}`).sort());
        const leaves = below.filter(({ role }) => role === "leaf");
        expect(new Set(leaves.map(({ name }) => name)).size).toBe(2 * machineCount);
        for (const { waitMs } of below) expect(waitMs).toBeGreaterThan(0);
        for (const { mergeMs } of [...traces, ...machines]) expect(mergeMs).toBeGreaterThan(0);
      },
    ),
    { numRuns: 20 },
  );
});

test("the trace names a machine that said nothing, above those that were asked past it", async () => {
  const { traces } = await ask(cluster(["dead", "none", "none", "none"], 1), 2, 5_000);
  expect(traces[0]).toMatchObject({ name: "machine-0", mergeMs: 0, isSilent: true });
  const [next] = traces[0]!.children;
  expect(next).toMatchObject({ name: "machine-1", role: "aggregator" });
  expect(next!.waitMs).toBeGreaterThan(0);
});

test("a dead aggregator is passed by: only its own leaves are missing, and none counts twice (I7)", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom<Fault>("none", "none", "dead"), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 2, max: 6 }),
      async (faults, fanOut) => {
        const { leaves, rows } = await ask(cluster(faults, 2), fanOut, 5_000);
        const alive = faults.flatMap((fault, i) =>
          fault === "none" ? [`m${i}-leaf-0`, `m${i}-leaf-1`] : [],
        );
        expect([...leaves].sort()).toEqual(alive.sort());
        expect(rows).toBe(alive.length);
      },
    ),
    { numRuns: 60 },
  );
});

test("a node that is asked for groups asks for them of some of its leaves, too", async () => {
  const { machines, linkTo, asked } = cluster(["none", "none"], 2);
  const [node] = nodesOfMachines(machines, 1, { fanOut: 2, linkTo });
  const only = { groupCount: 0, keys: [] };
  const some = askedFor(only, node!).restrictedTo!(["m1-leaf-0"]);
  const { signal } = new StopController();
  await some.streamQuery(countRequests, { budgetMs: 1_000, signal, onPartial: () => undefined });
  expect(some.id).toBe("m1-leaf-0");
  expect(asked).toEqual(["m1-leaf-0"]);
});

test("S79: an aggregator that says nothing is passed by while time is left", async () => {
  const faults: readonly Fault[] = ["silent", "none", "none", "none", "none", "none", "silent"];
  const { leaves, rows } = await ask(cluster(faults, 1), 2, 1_000);
  expect([...leaves].sort()).toEqual([
    "m1-leaf-0",
    "m2-leaf-0",
    "m3-leaf-0",
    "m4-leaf-0",
    "m5-leaf-0",
  ]);
  expect(rows).toBe(5);
});

test("M14: machines that ask one another for many queries at once do not wait in a circle", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 9 }),
      fc.integer({ min: 2, max: 4 }),
      async (machineCount, fanOut) => {
        const none = Array.from({ length: machineCount }, (): Fault => "none");
        // Room for one request of a kind on each machine.
        const windows = none.map(() => new TreeWindows({ floor: 1, max: 1 }));
        const asked = cluster(none, 2, (machine) => windows[machine]);
        const queries = Array.from({ length: 2 * machineCount }, (_, query) =>
          ask({ ...asked, machines: rotated(asked.machines, query) }, fanOut, 5_000),
        );
        for (const { leaves, rows } of await Promise.all(queries)) {
          expect([new Set(leaves).size, rows]).toEqual([2 * machineCount, 2 * machineCount]);
        }
        for (const { counts } of windows) expect(counts).toEqual({ size: 1, waiting: 0, lost: 0 });
      },
    ),
    { numRuns: 25 },
  );
});

test("a list is split into parts of nearly the same length, in order, from any start", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat()),
      fc.integer({ min: 1, max: 9 }),
      fc.nat(),
      (items, count, by) => {
        const parts = splitEvenly(items, count);
        expect(parts.flat()).toEqual(items);
        expect(parts.length).toBe(Math.min(count, items.length));
        const lengths = parts.map(({ length }) => length);
        if (parts.length > 0) expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThan(2);
        expect([...rotated(items, by)].sort()).toEqual([...items].sort());
      },
    ),
  );
});

test("every leaf is asked for the units of the root, and what it showed comes back, past a dead machine too", async () => {
  const { machines, linkTo, snapshots } = cluster(["none", "none", "dead", "none"], 2);
  const snapshot = { "": { upTo: 7, except: [3] } };
  const [node] = nodesOfMachines(machines.slice(0, 3), 1, { fanOut: 2, linkTo });
  const [last] = nodesOfMachines(machines.slice(2), 1, { fanOut: 2, linkTo });
  const shown = new Map<string, UnitSnapshot | undefined>();
  for (const one of [node!, last!]) {
    const onPartial = (answer: NodeAnswer): void => {
      if (!("parts" in answer)) return;
      for (const { leafId, stats } of answer.parts.flatMap(({ leaves }) => leaves))
        shown.set(leafId, stats.snapshot);
    };
    const { signal } = new StopController();
    await one.streamQuery(countRequests, { budgetMs: 2_000, signal, snapshot, onPartial });
  }
  const living = [0, 1, 3].flatMap((machine) => machines[machine]!.leafIds);
  expect([...snapshots].sort()).toEqual(living.map((id) => [id, snapshot]));
  expect([...shown].sort()).toEqual(
    living.map((id) => [id, { ...snapshot, [id]: { upTo: 1, except: [] } }]),
  );
});
