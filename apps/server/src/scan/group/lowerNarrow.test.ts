import { expect, test } from "vitest";
import type { ResolvedQuery, StateSpec } from "../../plan/query/resolvedQuery.js";
import { countRequests } from "../../plan/testing/countRequests.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import type { PlainValue } from "../../store/testing/plainRows.js";
import { sealRows } from "../../store/testing/sealRows.js";
import { QueryMemory } from "../memory/queryMemory.js";
import { createScanMemory } from "../testing/scanMemory.js";
import { type GroupLoad, groupLoadOf, lowerNarrow } from "./lowerNarrow.js";

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
  groupLoadOf(queryOf(...states), segments).kind;

test("a complete column is added up beside counts, from its least value on", () => {
  expect(groupLoadOf(queryOf(), plain)).toEqual({ kind: "counts" } satisfies GroupLoad);
  expect(groupLoadOf(queryOf(sumOf("b")), plain)).toEqual({
    kind: "sum",
    sum: { stateIndex: 2, least: -7n },
  } satisfies GroupLoad);
});

test("states beyond counts and a sum use another table", () => {
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
  expect(kindOf(plain, sumOf("a"), sumOf("b"))).toBe("states");
});

test("keys are of 32 bits, and the table fits the query's share, with room for the rest of it", () => {
  const lower = (cardinality: bigint, groupsMax: number, hasSum: boolean, takenBytes = 0) => {
    const memory = new QueryMemory(leaf);
    if (takenBytes > 0) memory.allocate(takenBytes);
    const table = lowerNarrow(
      [{ kind: "ints", cardinality, base: 0n }],
      { groupsMax, rowCount: 200_000 },
      memory,
      hasSum ? { kind: "sum", sum: { stateIndex: 2, least: 0n } } : { kind: "counts" },
    );
    const isLeft = table === null || memory.fits(2 ** 21);
    memory.release();
    return { isThere: table !== null, isLeft };
  };
  // The largest u32 is no key.
  expect(lower(2n ** 32n - 1n, 1_000, false)).toEqual({ isThere: true, isLeft: true });
  expect(lower(2n ** 32n, 1_000, false).isThere).toBe(false);
  // The most that may be taken for there to be a table.
  for (const hasSum of [false, true]) {
    let [most, tooMuch] = [0, 128 * 2 ** 20];
    while (tooMuch - most > 4_096) {
      const between = Math.floor((most + tooMuch) / 2);
      if (lower(2n ** 31n, 200_000, hasSum, between).isThere) most = between;
      else tooMuch = between;
    }
    expect(most).toBeGreaterThan(0);
    expect(tooMuch).toBeLessThan(128 * 2 ** 20);
    expect(lower(2n ** 31n, 200_000, hasSum, most).isLeft).toBe(true);
  }
});
