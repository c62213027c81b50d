import { kernelReservedBytes, logLinearBucket, subBitsMax } from "@hadal/kernel-wasm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kindOfKeys } from "../../aggregate/key/keyWords.js";
import { mergePartials } from "../../aggregate/merge/mergePartials.js";
import type { PartialSide } from "../../aggregate/partial/partialResult.js";
import { distinctOf } from "../../aggregate/state/distinct/distinctState.js";
import { asListed } from "../../aggregate/state/histogram/histogramRuns.js";
import { limbsPerSquare } from "../../aggregate/state/squareState.js";
import { divideMemory, type LeafMemory } from "../../memory/leafMemory.js";
import type { ResolvedFilter, ResolvedQuery, StateSpec } from "../../plan/query/resolvedQuery.js";
import { rescaleBatch } from "../../store/columns/rescaleBatch.js";
import { TableColumns } from "../../store/columns/tableColumns.js";
import { OpenSegment } from "../../store/open/openSegment.js";
import { sealSegment } from "../../store/seal/sealSegment.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import { batchOfRows, type PlainRow, type PlainValue } from "../../store/testing/plainRows.js";
import { decodeSide } from "../answer/decodeAnswer.js";
import { QueryMemory } from "../memory/queryMemory.js";
import { allocateScratch } from "../memory/scratch.js";
import { carriedAnswer, carriedTask } from "../testing/carried.js";
import { lowerNow } from "../testing/lowerNow.js";
import { createScanMemory } from "../testing/scanMemory.js";
import { ScanRun } from "./scanRun.js";

const { memory, kernel } = createScanMemory(512, 328);

interface Segments {
  readonly leaf: LeafMemory;
  readonly views: readonly SegmentView[];
  /** In this many lanes, a step of each in turn. */
  run(query: ResolvedQuery, lanesMax?: number): readonly PartialSide[];
}

/** Segments as a table would hold them; `seal[i]` says which are sealed. */
function createSegments(
  parts: readonly (readonly PlainRow[])[],
  seal: readonly boolean[],
  asText: boolean,
): Segments {
  const leaf = divideMemory(memory, kernelReservedBytes, 328 * 2 ** 20);
  const scratch = allocateScratch(leaf.queries);
  const columns = new TableColumns();
  const views = parts.map((rows, index) => {
    const open = new OpenSegment(leaf, kernel);
    const batch = batchOfRows(rows);
    columns.take(batch);
    if (asText && index === 0 && columns.has("s")) columns.storeAsText("s");
    const layoutOf = (name: string) => columns.layoutOf(name);
    const ready = rescaleBatch(batch, layoutOf);
    open.reserve(ready, layoutOf);
    open.append(ready);
    return seal[index] === true
      ? sealSegment(open.view(), index + 1, { memory: leaf, kernel })
      : open.view();
  });
  return {
    leaf,
    views,
    run(query, lanesMax = 1) {
      const queryMemory = new QueryMemory(leaf);
      const segments = query.sides.map(() => views);
      const lowered = lowerNow(1, query, segments, queryMemory, lanesMax);
      const runs = lowered.lanes.map(
        (task) => new ScanRun({ memory, kernel, scratch }, carriedTask(task)),
      );
      while (runs.some(({ done }) => !done)) for (const run of runs) if (!run.done) run.step();
      const partials = runs.map((run) => ({
        sides: carriedAnswer(run).sides.map((side, i) => decodeSide(side, lowered.components[i]!)),
        sample: null,
      }));
      queryMemory.release();
      return lanesMax === 1 ? partials[0]!.sides : mergePartials(partials, query).sides;
    },
  };
}

const states: readonly StateSpec[] = [
  { kind: "rows" },
  { kind: "weight" },
  { kind: "sum", column: "n", decimals: 0 },
  { kind: "min", column: "n", decimals: 0 },
  { kind: "max", column: "n", decimals: 0 },
  { kind: "present", column: "s", weighted: true },
  { kind: "histogram", column: "n", decimals: 0 },
  { kind: "squares", column: "n", decimals: 0 },
  { kind: "distinct", column: "n", type: "int", decimals: 0 },
  { kind: "distinct", column: "s", type: "string", decimals: 0 },
  { kind: "spread", column: null, values: false, decimals: 0 },
  { kind: "spread", column: "s", values: false, decimals: 0 },
  { kind: "spread", column: "m", values: true, decimals: 0 },
  { kind: "histogram", column: "n", decimals: 0, squared: true },
];

/** The same numbers, row by row in plain JavaScript. */
function naive(rows: readonly PlainRow[], query: ResolvedQuery): Map<string, string> {
  const side = query.sides[0]!;
  const groups = new Map<string, PlainRow[]>();
  if (query.groupBy.length === 0) groups.set("[]", []);
  for (const row of rows) {
    if (row.time < side.fromMs || row.time >= side.toMs || passes(row, side.filter) !== true)
      continue;
    const key = query.groupBy.map((group) => {
      if (group.kind === "time") return Math.floor((row.time - 0) / 1000);
      const value = row.values.get(group.column);
      return value === undefined ? null : String(value);
    });
    const text = JSON.stringify(key);
    groups.set(text, [...(groups.get(text) ?? []), row]);
  }
  return new Map([...groups].map(([key, members]) => [key, numbersOf(members)]));
}

function numbersOf(rows: readonly PlainRow[]): string {
  const weight = (row: PlainRow): bigint => (row.values.get("sample_rate") as bigint) ?? 1n;
  const withN = rows.filter(({ values }) => values.has("n"));
  const ns = withN.map(({ values }) => values.get("n") as bigint);
  const total = (list: readonly bigint[]): bigint => list.reduce((sum, one) => sum + one, 0n);
  const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
  const most = (a: bigint, b: bigint): bigint => (a < b ? b : a);
  return [
    rows.length,
    total(rows.map(weight)),
    withN.length === 0
      ? null
      : printSum(total(withN.map((row) => (row.values.get("n") as bigint) * weight(row)))),
    ns.length === 0 ? null : ns.reduce(least),
    ns.length === 0 ? null : ns.reduce(most),
    total(rows.filter(({ values }) => values.has("s")).map(weight)),
    printBuckets(withN.map((row) => [bucketOf(row.values.get("n") as bigint), weight(row)])),
    total(withN.map((row) => (row.values.get("n") as bigint) ** 2n * weight(row))),
    new Set(ns).size,
    new Set(rows.flatMap(({ values }) => values.get("s") ?? [])).size,
    spreadOfRows(rows, weight, (row) => Number(weight(row))),
    spreadOfRows(
      rows.filter(({ values }) => values.has("s")),
      weight,
      () => 1,
    ),
    spreadOfRows(
      rows.filter(({ values }) => values.has("m")),
      weight,
      ({ values }) => Number(values.get("m")),
    ),
    printBuckets(
      withN.map((row) => [bucketOf(row.values.get("n") as bigint, 3), squareOf(weight(row))]),
    ),
  ].join(" ");
}

/** What a leaf's 32 bits hold of it. */
function squareOf(weight: bigint): bigint {
  const square = weight * weight;
  return square > 0xffff_ffffn ? 0xffff_ffffn : square;
}

function spreadOfRows(
  rows: readonly PlainRow[],
  weightOf: (row: PlainRow) => bigint,
  numberOf: (row: PlainRow) => number,
): string {
  const sums = [0, 0, 0, 0];
  for (const row of rows) {
    const weight = Number(weightOf(row));
    for (let power = 0; power < 4; power++) {
      sums[power]! += weight * (weight - 1) * numberOf(row) ** power;
    }
  }
  return printSpread(sums);
}

/**
 * Doubles that were added up in another order; those of odd powers may be what is left of two large
 * ones.
 */
function printSpread([ones = 0, linear = 0, square = 0, cube = 0]: readonly number[]): string {
  const share = (part: number, of: number): string =>
    ((of === 0 ? 0 : part / of) + 0).toFixed(6).replace("-0.000000", "0.000000");
  const odd = [share(linear, Math.sqrt(ones * square)), share(cube, square * Math.sqrt(square))];
  return [ones.toPrecision(9), square.toPrecision(9), ...odd].join("/");
}

const bucketOf = (value: bigint, subBits = subBitsMax): number => logLinearBucket(value, subBits);

function printBuckets(entries: readonly (readonly [bucket: number, weight: bigint])[]): string {
  const weights = new Map<number, bigint>();
  for (const [bucket, weight] of entries) {
    weights.set(bucket, (weights.get(bucket) ?? 0n) + weight);
  }
  return [...weights].sort(([a], [b]) => a - b).join(";");
}

/** Beyond 64 bits a sum is refused in the end; until then only that it is beyond must be kept. */
function printSum(sum: bigint): string {
  return sum >= -(2n ** 63n) && sum < 2n ** 63n ? String(sum) : "overflow";
}

/**
 * A lane's own sum may leave what it holds exactly where the sum of all lanes would not: it is
 * refused, never wrong.
 */
function withOverflowsOf(
  found: ReadonlyMap<string, string>,
  expected: ReadonlyMap<string, string>,
): Map<string, string> {
  const sumAt = states.findIndex(({ kind }) => kind === "sum");
  return new Map(
    [...expected].map(([key, text]) => {
      const numbers = text.split(" ");
      if (found.get(key)?.split(" ")[sumAt] === "overflow") numbers[sumAt] = "overflow";
      return [key, numbers.join(" ")];
    }),
  );
}

/** True, false, or null where SQL says unknown. */
function passes(row: PlainRow, filter: ResolvedFilter): boolean | null {
  if (filter.kind === "all" || filter.kind === "any") {
    const stop = filter.kind === "any";
    const parts = filter.filters.map((part) => passes(row, part));
    if (parts.includes(stop)) return stop;
    return parts.includes(null) ? null : !stop;
  }
  if (filter.kind === "otherwise") return passes(row, filter.filter) !== true;
  const value = row.values.get(filter.column);
  if (filter.kind === "present") return (value !== undefined) !== filter.negated;
  if (value === undefined) return null;
  const holds = (): boolean => {
    switch (filter.kind) {
      case "range":
        return (value as bigint) >= BigInt(filter.low) && (value as bigint) <= BigInt(filter.high);
      case "ints":
        return filter.values.includes(String(value));
      case "strings":
        return filter.values.includes(value as string);
      case "contains":
        return (value as string).includes(filter.needle);
      default:
        throw new Error(`not generated: ${filter.kind}`);
    }
  };
  return holds() !== filter.negated;
}

function readSide(side: PartialSide, query: ResolvedQuery): Map<string, string> {
  query.groupBy.forEach((group, index) => {
    expect(side.keys[index]!.kind).toBe(kindOfKeys(group));
  });
  const found = new Map<string, string>();
  for (let g = 0; g < side.groupCount; g++) {
    const key = side.keys.map((column) => {
      if (column.kind === "bucket") return column.indexes[g]!;
      if (column.kind === "int") return column.present[g] === 1 ? String(column.values[g]) : null;
      return column.codes[g]! < 0 ? null : column.dictionary[column.codes[g]!]!;
    });
    const numbers = side.states.map((state) => {
      if (state.kind === "count") return String(state.values[g]);
      if (state.kind === "extreme") return state.present[g] === 1 ? String(state.values[g]) : "";
      if (state.kind === "histogram") {
        const { offsets, buckets, weights } = asListed(state);
        const own = Array.from(
          { length: offsets[g + 1]! - offsets[g]! },
          (_, i) => offsets[g]! + i,
        );
        return own.map((i) => [buckets[i]!, BigInt(weights[i]!)]).join(";");
      }
      if (state.kind === "distinct") return String(distinctOf(state, g));
      if (state.kind === "squares") {
        const limbs = state.limbs.subarray(g * limbsPerSquare, (g + 1) * limbsPerSquare);
        return String(limbs.reduceRight<bigint>((sum, limb) => (sum << 32n) + BigInt(limb), 0n));
      }
      if (state.kind === "spread") return printSpread([...state.sums.subarray(g * 4, g * 4 + 4)]);
      if (state.kind !== "sum") throw new Error(`${state.kind} states are not among these`);
      if (state.weights[g] === 0) return "";
      // A merge says so where the sum left what it can hold exactly.
      if (!Number.isFinite(state.hi[g]!)) return "overflow";
      return printSum(BigInt(state.hi[g]!) * 2n ** 32n + BigInt(state.lo[g]!));
    });
    const text = JSON.stringify(key);
    expect(found.has(text)).toBe(false);
    found.set(text, numbers.join(" "));
  }
  return found;
}

const int64 = fc.oneof(
  fc.bigInt({ min: -5n, max: 5n }),
  fc.bigInt({ min: -100_000n, max: 100_000n }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n),
);
const word = fc.constantFrom("", "a", "ab", "b", "é", "🙂", "\u{ffff}");
const plainRow = fc
  .record({
    time: fc.integer({ min: 0, max: 20_000 }),
    n: fc.option(int64, { nil: undefined }),
    m: fc.option(int64, { nil: undefined }),
    s: fc.option(word, { nil: undefined }),
    sample_rate: fc.option(fc.bigInt({ min: 1n, max: 2_147_483_647n }), { nil: undefined }),
  })
  .map(({ time, ...rest }): PlainRow => {
    const cells = Object.entries(rest).filter(([, value]) => value !== undefined);
    return { time, values: new Map(cells as [string, PlainValue][]) };
  });
const bounds = fc
  .tuple(int64, int64)
  .map(([a, b]) => (a < b ? [a, b] : [b, a]) as [bigint, bigint]);
const { filter } = fc.letrec<{ filter: ResolvedFilter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: "small" },
    fc
      .record({
        kind: fc.constant("range" as const),
        column: fc.constantFrom("n", "m"),
        decimals: fc.constant(0),
        bounds,
        negated: fc.boolean(),
      })
      .map(({ bounds: [low, high], ...rest }) => ({
        ...rest,
        low: String(low),
        high: String(high),
      })),
    fc.record({
      kind: fc.constant("ints" as const),
      column: fc.constantFrom("n", "m"),
      decimals: fc.constant(0),
      values: fc.array(int64.map(String)),
      negated: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant("strings" as const),
      column: fc.constant("s"),
      values: fc.array(word),
      negated: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant("contains" as const),
      column: fc.constant("s"),
      needle: word,
      negated: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant("present" as const),
      column: fc.constantFrom("n", "s"),
      negated: fc.boolean(),
    }),
    fc.record({ kind: fc.constant("otherwise" as const), filter: tie("filter") }),
    fc.record({
      kind: fc.constantFrom("all" as const, "any" as const),
      filters: fc.array(tie("filter") as fc.Arbitrary<ResolvedFilter>, { maxLength: 3 }),
    }),
  ) as fc.Arbitrary<ResolvedFilter>,
}));
const groupBy = fc.subarray([
  { kind: "time" as const },
  { kind: "column" as const, column: "s", type: "string" as const, decimals: 0 },
  { kind: "column" as const, column: "m", type: "int" as const, decimals: 0 },
  { kind: "column" as const, column: "n", type: "int" as const, decimals: 0 },
]);

describe("a scan", () => {
  test("gives the same as plain JavaScript, over open and sealed segments, with any grouping and filter", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(plainRow, { minLength: 1, maxLength: 40 }), {
          minLength: 1,
          maxLength: 4,
        }),
        fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
        fc.boolean(),
        groupBy,
        filter,
        fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 1, max: 21_000 })),
        (parts, seal, asText, groups, condition, [a, b]) => {
          const [fromMs, toMs] = a < b ? [a, b] : [b, a + 1];
          const query: ResolvedQuery = {
            table: "events",
            sides: [
              {
                fromMs,
                toMs,
                filter: condition,
                buckets: { kind: "even", startMs: 0, stepMs: 1000, count: 22 },
              },
            ],
            groupBy: groups,
            states,
            sample: null,
            cut: { max: 100, bySeries: false, ranks: [] },
          };
          const segments = createSegments(parts, seal, asText);
          const expected = new Map([...naive(parts.flat(), query)].sort());
          const alone = readSide(segments.run(query)[0]!, query);
          expect(new Map([...alone].sort())).toEqual(expected);
          const shared = readSide(segments.run(query, 2)[0]!, query);
          expect(new Map([...shared].sort())).toEqual(withOverflowsOf(shared, expected));
        },
      ),
      { numRuns: 200 },
    );
  });
});
