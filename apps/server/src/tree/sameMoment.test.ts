import { HadalError } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { encodePartialResult } from "../aggregate/merge/partialCodec.js";
import type { PartialResult } from "../aggregate/partial/partialResult.js";
import {
  emptySnapshot,
  isVisible,
  snapshotOfQuery,
  type UnitSnapshot,
} from "../base/row/unitSnapshot.js";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";
import { countRequests } from "../plan/testing/countRequests.js";
import { askLeaves } from "./askLeaves.js";
import type { QueriedNode } from "./queriedNode.js";
import { branchNode } from "./testing/branchNode.js";
import type { TreeAnswers } from "./treeAnswers.js";

const rowsOfPart = 10;

/** A leaf with a part of each of these units. */
class UnitLeaf implements QueriedNode {
  readonly asked: (UnitSnapshot | undefined)[] = [];
  readonly #units: readonly { readonly gateway: string; readonly number: number }[];
  /** Older snapshots of a gateway cannot be shown. */
  floor = 0;

  constructor(
    readonly id: string,
    public known: UnitSnapshot,
    units: readonly (readonly [gateway: string, number: number])[],
  ) {
    this.#units = units.map(([gateway, number]) => ({ gateway, number }));
  }

  async streamQuery(
    resolved: ResolvedQuery,
    { snapshot = emptySnapshot, onPartial }: Parameters<QueriedNode["streamQuery"]>[1],
  ): Promise<void> {
    this.asked.push(snapshot);
    await Promise.resolve();
    if (Object.values(snapshot).some(({ upTo }) => upTo < this.floor))
      throw new HadalError("snapshot-too-old", { leaf: this.id, table: "t" });
    const stood = snapshotOfQuery(snapshot, this.known);
    const rows = rowsOfPart * this.#units.filter((unit) => isVisible(unit, stood)).length;
    const says = this.#units.some(({ gateway }) => !Object.hasOwn(snapshot, gateway));
    const scanned = { rowsHeld: rows, share: 1, rowsScanned: rows, rowsMatched: rows };
    const none = { bytesScanned: 0, segments: 0, segmentsSkipped: 0, scanMs: 0 };
    const stats = { ...scanned, ...none, ...(says && { snapshot: stood }) };
    onPartial({ done: true, workMs: 0, stats, body: countOf(rows, resolved) });
  }
}

function countOf(rows: number, resolved: ResolvedQuery): Uint8Array {
  const count = { kind: "count" as const, values: Float64Array.of(rows) };
  const side = { groupCount: 1, keys: [], states: [count, count], groupsCut: 0 };
  const partial: PartialResult = { sides: resolved.sides.map(() => side), sample: null };
  return encodePartialResult(partial, resolved);
}

const upTo = (number: number): UnitSnapshot[string] => ({ upTo: number, except: [] });

function ask(
  leaves: readonly QueriedNode[],
  own: () => UnitSnapshot,
  options: {
    readonly snapshot?: UnitSnapshot;
    readonly onAnswers?: (all: TreeAnswers) => void;
  } = {},
): Promise<TreeAnswers> {
  const now = (): number => performance.now();
  const { onAnswers = () => undefined } = options;
  return askLeaves({
    ...{ resolved: countRequests, leaves, exact: false, onAnswers, onError: () => {}, now },
    expectedRows: { expected: () => new Map(), doubt: () => null, snapshot: own },
    deadline: now() + 5_000,
    signal: new AbortController().signal,
    ...(options.snapshot && { snapshot: options.snapshot }),
  });
}

const rowsOf = ({ answers }: TreeAnswers): number =>
  answers.reduce((sum, { stats }) => sum + stats.rowsMatched, 0);

describe("an answer", () => {
  test("shows the units whose rows are expected, and is asked for once", async () => {
    const units = [
      ["", 1],
      ["", 2],
    ] as const;
    const leaves = ["a", "b"].map((id) => new UnitLeaf(id, { "": upTo(2) }, units));
    const answered = await ask(leaves, () => ({ "": { upTo: 2, except: [1] } }));
    expect(rowsOf(answered)).toBe(2 * rowsOfPart);
    expect(answered.snapshot).toEqual({ "": { upTo: 2, except: [1] } });
    expect(leaves.map(({ asked }) => asked.length)).toEqual([1, 1]);
    expect(answered.completeness).toMatchObject({ fraction: 1 });
  });

  test.each([
    ["leaves", false],
    ["aggregators", true],
  ] as const)(
    "is of one moment where %s know of different units of another gateway",
    async (_, isTree) => {
      const parts: UnitLeaf[] = [
        new UnitLeaf("a", { x: upTo(2) }, [
          ["x", 1],
          ["x", 2],
        ]),
        new UnitLeaf("b", { x: upTo(1) }, [
          ["x", 1],
          ["x", 2],
        ]),
        // It has not heard of the gateway, and has a part of its units nevertheless.
        new UnitLeaf("c", {}, [["x", 2]]),
      ];
      const fractions: number[] = [];
      const answered = await ask(
        isTree ? [branchNode(parts.slice(0, 2)), branchNode(parts.slice(2))] : parts,
        () => ({}),
        { onAnswers: ({ completeness }) => fractions.push(completeness.fraction) },
      );
      expect(rowsOf(answered)).toBe(5 * rowsOfPart);
      expect(answered.completeness).toMatchObject({ fraction: 1 });
      expect(answered.completeness.known).toBeUndefined();
      expect(parts.map(({ asked }) => asked.at(-1))).toEqual(
        Array.from({ length: 3 }, () => ({ x: upTo(2) })),
      );
    },
  );

  test("says that it is of no one moment where leaves go on knowing of more", async () => {
    let newest = 0;
    // It hears of another gateway before each answer.
    const hearing: QueriedNode = {
      id: "a",
      streamQuery: (query, options) => {
        const gateway = `x${++newest}`;
        return new UnitLeaf("a", { [gateway]: upTo(1) }, [[gateway, 1]]).streamQuery(
          query,
          options,
        );
      },
    };
    const leaf = new UnitLeaf("b", {}, [["x1", 1]]);
    const { completeness } = await ask([hearing, leaf], () => ({}));
    expect(completeness).toMatchObject({ fraction: 0, known: false });
    expect(completeness.reason).toContain("different moments");
    expect(leaf.asked).toHaveLength(3);
  });

  test("is asked for again where a leaf has sealed newer units", async () => {
    const leaf = new UnitLeaf("a", {}, [
      ["", 1],
      ["", 2],
    ]);
    leaf.floor = 2;
    let reads = 0;
    const answered = await ask([leaf], () => ({ "": upTo(++reads) }));
    expect([rowsOf(answered), leaf.asked.length]).toEqual([2 * rowsOfPart, 2]);
  });

  test("to a further question is of the moment of the first", async () => {
    const leaf = new UnitLeaf("a", {}, [
      ["", 1],
      ["", 2],
    ]);
    const answered = await ask([leaf], () => ({ "": upTo(2) }), { snapshot: { "": upTo(1) } });
    expect(rowsOf(answered)).toBe(rowsOfPart);
    expect(answered.snapshot).toEqual({ "": upTo(1) });
  });
});
