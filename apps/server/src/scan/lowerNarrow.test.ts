import { expect, test } from "vitest";
import type { ResolvedQuery, StateSpec } from "../plan/resolvedQuery.js";
import { countRequests } from "../plan/testing/countRequests.js";
import type { SegmentView } from "../store/segmentView.js";
import type { PlainValue } from "../store/testing/plainRows.js";
import { sealRows } from "../store/testing/sealRows.js";
import { type Gathers, gathersOf, lowerNarrow } from "./lowerNarrow.js";
import { QueryMemory } from "./queryMemory.js";
import { createScanMemory } from "./testing/scanMemory.js";

const { kernel, leaf } = createScanMemory(320, 256);

type Values = Readonly<Record<string, PlainValue>>;

/** A segment of each list of rows. */
const segmentsOf = (...parts: readonly (readonly Values[])[]): SegmentView[] =>
  parts.map((part) =>
    sealRows(
      part.map((values, time) => ({ time, values: new Map(Object.entries(values)) })),
      ...([leaf, kernel] as const),
    ),
  );

const sumOf = (column: string, decimals = 0): StateSpec => ({ kind: "sum", column, decimals });

const queryOf = (...states: readonly StateSpec[]): ResolvedQuery => ({
  ...countRequests,
  groupBy: [{ kind: "column", column: "n", type: "int", decimals: 0 }],
  states: [...countRequests.states, ...states],
});

const plain = segmentsOf(
  [
    { n: 1n, a: 5n, b: -7n },
    { n: 2n, a: 3n, b: 9n },
  ],
  [{ n: 1n, a: 4n, b: 1n }],
);
const kindOf = (segments: readonly SegmentView[], ...states: readonly StateSpec[]): string =>
  gathersOf(queryOf(...states), segments, 1).kind;

test("complete columns are added up beside counts, each from its least value on", () => {
  expect(gathersOf(queryOf(), plain, 1)).toEqual({ kind: "counts" } satisfies Gathers);
  expect(gathersOf(queryOf(sumOf("a"), sumOf("b")), plain, 1)).toEqual({
    kind: "sums",
    sums: [
      { stateIndex: 2, least: 3n },
      { stateIndex: 3, least: -7n },
    ],
  } satisfies Gathers);
});

test("what counts and sums alone cannot tell is gathered otherwise", () => {
  const lacking: readonly (readonly [string, SegmentView[]])[] = [
    ["a row without a value", segmentsOf([{ n: 1n, a: 5n }, { n: 2n }])],
    ["a segment without the column", segmentsOf([{ n: 1n, a: 5n }], [{ n: 2n }])],
    ["sample rates", segmentsOf([{ n: 1n, a: 5n, sample_rate: 3n }])],
    [
      "values further apart than 32 bits",
      segmentsOf([{ n: 1n, a: -(2n ** 31n) + 1n }], [{ n: 2n, a: 2n ** 32n }]),
    ],
    ["sums beyond 64 bits", segmentsOf([{ n: 1n, a: 2n ** 31n }])],
    ["text", segmentsOf([{ n: 1n, a: "five" }])],
  ];
  for (const [what, segments] of lacking) {
    expect([what, kindOf(segments, sumOf("a"))]).toEqual([what, "states"]);
  }
  expect(kindOf(plain, sumOf("a", 2))).toBe("states");
  expect(kindOf(plain, sumOf("time"))).toBe("states");
  expect(kindOf(plain, { kind: "present", column: "a", weighted: true })).toBe("states");
});

test("so many sums, and one where others need the room", () => {
  const sums = ["a", "b", "a", "b"].map((name) => sumOf(name));
  expect(kindOf(plain, ...sums.slice(0, 3))).toBe("sums");
  expect(kindOf(plain, ...sums)).toBe("states");
  const two = queryOf(...sums.slice(0, 2));
  const one = queryOf(...sums.slice(0, 1));
  expect(gathersOf(two, plain, 2).kind).toBe("states");
  expect(gathersOf(one, plain, 2).kind).toBe("sums");
  const compared = { ...two, sides: [two.sides[0]!, two.sides[0]!] };
  expect(gathersOf(compared, plain, 1).kind).toBe("states");
});

test("keys are of 32 bits, and tables fit the query's share, with room for the rest of it", () => {
  const lower = (cardinality: bigint, groupsMax: number, sumCount: number, takenBytes = 0) => {
    const memory = new QueryMemory(leaf);
    if (takenBytes > 0) memory.allocate(takenBytes);
    const sums = Array.from({ length: sumCount }, (_, i) => ({ stateIndex: 2 + i, least: 0n }));
    const table = lowerNarrow(
      [{ kind: "ints", cardinality, base: 0n }],
      groupsMax,
      200_000,
      memory,
      sumCount === 0 ? { kind: "counts" } : { kind: "sums", sums },
    );
    const isLeft = table === null || memory.fits(2 ** 21);
    memory.release();
    return { tables: table?.tables.length ?? 0, isLeft };
  };
  // The largest u32 is no key.
  expect(lower(2n ** 32n - 1n, 1_000, 0)).toEqual({ tables: 1, isLeft: true });
  expect(lower(2n ** 32n, 1_000, 0).tables).toBe(0);
  expect(lower(2n ** 31n, 1_000, 3)).toEqual({ tables: 3, isLeft: true });
  // The most that may be taken for there to be tables.
  for (const sumCount of [0, 1, 3]) {
    let [most, tooMuch] = [0, 128 * 2 ** 20];
    while (tooMuch - most > 4_096) {
      const between = Math.floor((most + tooMuch) / 2);
      if (lower(2n ** 31n, 200_000, sumCount, between).tables > 0) most = between;
      else tooMuch = between;
    }
    expect(most).toBeGreaterThan(0);
    expect(tooMuch).toBeLessThan(128 * 2 ** 20);
    expect(lower(2n ** 31n, 200_000, sumCount, most).isLeft).toBe(true);
  }
});
