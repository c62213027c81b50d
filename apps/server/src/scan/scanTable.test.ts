import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { logLinearBucket, subBitsMax } from "@hadal/kernel-wasm";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { StateColumn } from "../aggregate/partial/partialResult.js";
import { asListed } from "../aggregate/state/histogram/histogramRuns.js";
import type { ResolvedFilter, ResolvedQuery, StateSpec } from "../plan/query/resolvedQuery.js";
import { passesFilter } from "../plan/testing/passesFilter.js";
import { LeafStore } from "../store/leaf/leafStore.js";
import type { Table } from "../store/table/table.js";
import { batchOfRows, type PlainRow, type PlainValue } from "../store/testing/plainRows.js";
import { createScanMemory } from "./testing/scanMemory.js";
import { scanOnMainThread } from "./testing/scanOnMainThread.js";

const context = createScanMemory(512, 200);
const { kernel, leaf } = context;

const scan = (query: ResolvedQuery, table: Table, threadCount: number) =>
  scanOnMainThread(context, query, table, threadCount);

const segmentCount = 11;
/** Enough for a histogram of two buckets to pay. */
const rowsPerSegment = 500;

/**
 * Each segment has values of its own neighbourhood, so that conditions decide some of them; times
 * overlap, and repeat.
 */
function rowOf(segment: number, i: number): PlainRow {
  const at = segment * rowsPerSegment + i;
  const mixed = Math.imul(at, 0x9e3779b1) >>> 0;
  const values = new Map<string, PlainValue>();
  if (segment % 3 !== 1 || i % 4 !== 0) values.set("n", BigInt(segment * 100 + (mixed % 100)));
  if (segment % 4 !== 2) values.set("flat", BigInt(segment));
  if (segment === 5) values.set("n", i === 0 ? 2n ** 63n - 1n : -(2n ** 63n));
  if (segment > 8 || segment === 3) values.set("sample_rate", BigInt(1 + (mixed % 7)));
  if (mixed % 9 !== 0) values.set("level", mixed % 5 === 0 ? -(2n ** 62n) : 2n ** 62n);
  values.set("s", `text ${mixed % 3}`);
  return { time: segment * 50 + (mixed % 70), values };
}

/** Segments before this one are read from their files. */
const reopenedAt = 5;

let folder: string;
let table: Table;
const rows: PlainRow[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-scan-table-"));
  const warn = (text: string): void => expect.fail(text);
  const open = () => LeafStore.open(folder, { memory: leaf, kernel, warn });
  let store = await open();
  for (let segment = 0; segment < segmentCount; segment++) {
    if (segment === reopenedAt) {
      await store.close();
      store = await open();
    }
    table = await store.findOrCreate("events");
    const own = Array.from({ length: rowsPerSegment }, (_, i) => rowOf(segment, i));
    rows.push(...own);
    const batch = batchOfRows(own);
    await table.append({ batch, batchId: `${segment}`, contentHash: "", bytes: new Uint8Array() });
    // The writer is at rest in the next turn.
    await setImmediate();
    if (segment < segmentCount - 1) table.sealOpen();
  }
  expect(table.snapshot().map(({ sorted }) => sorted)).toEqual(
    Array.from({ length: segmentCount }, (_, i) => i < segmentCount - 1),
  );
});
afterAll(async () => {
  await table.close();
  await rm(folder, { recursive: true });
});

/** At, below and above what zone maps end with. */
const threshold = fc
  .record({
    row: fc.nat({ max: segmentCount * rowsPerSegment - 1 }),
    by: fc.constantFrom(-1, 0, 1),
  })
  .map(({ row, by }) => ({ segment: Math.floor(row / rowsPerSegment), row, by }));

function boundOf(
  column: "n" | "flat",
  { segment, row, by }: { segment: number; row: number; by: number },
): bigint {
  const value = rows[row]!.values.get(column) as bigint | undefined;
  const held = rows
    .slice(segment * rowsPerSegment, (segment + 1) * rowsPerSegment)
    .flatMap(({ values }) => (values.get(column) as bigint | undefined) ?? []);
  const extremes = held.sort((a, b) => (a < b ? -1 : 1));
  const chosen = row % 3 === 0 ? extremes[0] : row % 3 === 1 ? extremes.at(-1) : value;
  return BigInt.asIntN(64, (chosen ?? 0n) + BigInt(by));
}

const condition: fc.Arbitrary<ResolvedFilter> = fc
  .record({
    column: fc.constantFrom("n" as const, "flat" as const),
    low: threshold,
    high: threshold,
    shape: fc.constantFrom("from", "to", "between", "in", "in many", "present"),
    negated: fc.boolean(),
  })
  .map(({ column, low, high, shape, negated }): ResolvedFilter => {
    const [a, b] = [boundOf(column, low), boundOf(column, high)];
    const own = { column, decimals: 0, negated };
    if (shape === "present") return { kind: "present", column, negated };
    if (shape === "in") return { kind: "ints", ...own, values: [`${a}`, `${b}`] };
    if (shape === "in many") {
      // Two of three in a segment's neighbourhood: more than are looked for one by one.
      const near = Array.from({ length: 450 }, (_, i) => BigInt.asIntN(64, a + BigInt(i - 225)));
      const values = [b, ...near.filter((_, i) => i % 3 !== 0)].map(String);
      return { kind: "ints", ...own, values };
    }
    const from = shape === "to" ? -(2n ** 63n) : a;
    const to = shape === "from" ? 2n ** 63n - 1n : shape === "to" ? a : b;
    return { kind: "range", ...own, low: `${from}`, high: `${to}` };
  });
const filter = fc.oneof(
  condition,
  fc.record({
    kind: fc.constantFrom("all" as const, "any" as const),
    filters: fc.array(condition, { maxLength: 3 }),
  }),
);
/** Often all of the time: only segments that are wholly within it are answered by their aggregates. */
const bounds = fc.oneof(
  fc
    .tuple(fc.integer({ min: -10, max: 800 }), fc.integer({ min: 1, max: 900 }))
    .map(([from, length]) => [from, from + length] as const),
  fc.constant([-10, 2_000] as const),
);

const plainStates: readonly StateSpec[] = [
  { kind: "weight" },
  { kind: "present", column: "n", weighted: true },
  { kind: "present", column: "n", weighted: false },
  { kind: "sum", column: "flat", decimals: 0 },
  { kind: "min", column: "n", decimals: 0 },
  { kind: "max", column: "n", decimals: 0 },
  { kind: "histogram", column: "level", decimals: 0 },
  { kind: "histogram", column: "flat", decimals: 0 },
  { kind: "spread", column: null, values: false, decimals: 0 },
  { kind: "spread", column: "n", values: false, decimals: 0 },
  { kind: "spread", column: "flat", values: true, decimals: 0 },
];
/** Segments with sample rates do not keep these: they are scanned. */
const sampledStates: readonly StateSpec[] = [
  { kind: "histogram", column: "flat", decimals: 0, squared: true },
  { kind: "spread", column: "s", values: false, decimals: 0 },
];
const states = fc.oneof(
  { weight: 3, arbitrary: fc.subarray([...plainStates], { minLength: 1 }) },
  { weight: 1, arbitrary: fc.subarray([...plainStates, ...sampledStates], { minLength: 1 }) },
);

function queryOf(
  [fromMs, toMs]: readonly [number, number],
  condition: ResolvedFilter,
  rest: Pick<ResolvedQuery, "states" | "sample">,
): ResolvedQuery {
  return {
    ...{ table: "events", groupBy: [], ...rest },
    sides: [{ fromMs, toMs, filter: condition, buckets: null }],
    cut: { max: 100, bySeries: false, ranks: [] },
  };
}

const passing = (query: ResolvedQuery): PlainRow[] => {
  const { fromMs, toMs, filter: condition } = query.sides[0]!;
  return rows.filter(
    ({ time, values }) =>
      time >= fromMs &&
      time < toMs &&
      passesFilter(condition, { timeMs: time, values: values as never }),
  );
};

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const most = (a: bigint, b: bigint): bigint => (a < b ? b : a);

const weightOf = ({ values }: PlainRow): bigint => (values.get("sample_rate") as bigint) ?? 1n;
const total = (list: readonly bigint[]): bigint => list.reduce((sum, one) => sum + one, 0n);

/** What the state holds in the end, as text. */
function naiveState(spec: StateSpec, found: readonly PlainRow[]): string {
  if (spec.kind === "rows") return `${found.length}`;
  if (spec.kind === "weight") return `${total(found.map(weightOf))}`;
  if (spec.kind === "function") throw new Error("no function is among these states");
  const { column } = spec;
  const having = column === null ? found : found.filter(({ values }) => values.has(column));
  const own = ({ values }: PlainRow): bigint => values.get(column ?? "") as bigint;
  switch (spec.kind) {
    case "spread":
      return [0n, 1n, 2n, 3n]
        .map((power) =>
          total(
            having.map((row) => {
              const weight = weightOf(row);
              const value = spec.column === null ? weight : spec.values ? own(row) : 1n;
              return weight * (weight - 1n) * value ** power;
            }),
          ),
        )
        .join("/");
    case "present":
      return `${spec.weighted ? total(having.map(weightOf)) : having.length}`;
    case "sum":
      return having.length === 0
        ? "missing"
        : `${total(having.map((row) => own(row) * weightOf(row)))}`;
    case "min":
    case "max":
      if (having.length === 0) return "missing";
      return `${having.map(own).reduce(spec.kind === "min" ? least : most)}`;
    case "histogram": {
      const weights = new Map<number, bigint>();
      for (const row of having) {
        const subBits = spec.squared === true ? 3 : subBitsMax;
        const bucket = logLinearBucket(own(row), subBits);
        const weight = weightOf(row) ** (spec.squared === true ? 2n : 1n);
        weights.set(bucket, (weights.get(bucket) ?? 0n) + weight);
      }
      return [...weights].sort(([a], [b]) => a - b).join(";");
    }
    default:
      throw new Error(`${spec.kind} is not asked for`);
  }
}

function printState(state: StateColumn): string {
  switch (state.kind) {
    case "count":
      return `${state.values[0]}`;
    // Whole numbers below 2^53, which doubles add up exactly.
    case "spread":
      return state.sums.subarray(0, 4).join("/");
    case "extreme":
      return state.present[0] === 1 ? `${state.values[0]}` : "missing";
    case "sum":
      if (state.weights[0] === 0) return "missing";
      return `${BigInt(state.hi[0]!) * 2n ** 32n + BigInt(state.lo[0]!)}`;
    case "histogram": {
      const { buckets, weights } = asListed(state);
      return Array.from(buckets, (bucket, i) => [bucket, weights[i]]).join(";");
    }
    default:
      throw new Error(`${state.kind} is not asked for`);
  }
}

const threadCounts = fc.constantFrom(1, 2, 4);

test("a filter that zone maps decide gives the same as row by row (A5)", async () => {
  const unscanned = { all: 0, histograms: 0, spreads: 0 };
  await fc.assert(
    fc.asyncProperty(
      filter,
      bounds,
      states,
      threadCounts,
      async (asked, range, own, threadCount) => {
        const specs: StateSpec[] = [{ kind: "rows" }, ...own];
        const query = queryOf(range, asked, { states: specs, sample: null });
        const { partial, stats } = await scan(query, table, threadCount);
        const found = passing(query);
        const [side] = partial.sides;
        expect(side!.groupCount).toBe(1);
        expect(side!.states.map(printState)).toEqual(specs.map((spec) => naiveState(spec, found)));
        expect(stats.share).toBe(1);
        expect(stats.rowsMatched).toBe(found.length);
        if (stats.rowsScanned > 0 || found.length === 0) return;
        unscanned.all++;
        if (own.some(({ kind }) => kind === "histogram")) unscanned.histograms++;
        const spreads = side!.states.filter(({ kind }) => kind === "spread");
        if (spreads.some((state) => !/^0\//.test(printState(state)))) unscanned.spreads++;
      },
    ),
    { numRuns: 600 },
  );
  // Some are answered by aggregates alone, or the test would say nothing of them.
  expect(unscanned.all).toBeGreaterThan(0);
  expect(unscanned.histograms).toBeGreaterThan(0);
  expect(unscanned.spreads).toBeGreaterThan(0);
});

test("raw rows of a filter that zone maps decide are the newest, or oldest, that pass (A6)", async () => {
  const limits = fc.constantFrom(1, 2, 10, 100, 2_000);
  let skipped = 0;
  await fc.assert(
    fc.asyncProperty(
      ...([filter, bounds, threadCounts, limits, fc.boolean()] as const),
      async (asked, range, threadCount, limit, newestFirst) => {
        const columns = [
          { name: "n", type: "int", decimals: 0 },
          { name: "s", type: "string", decimals: 0 },
        ] as const;
        const query = queryOf(range, asked, {
          states: [],
          sample: { columns, limit, newestFirst },
        });
        const { partial, stats } = await scan(query, table, threadCount);
        const all = passing(query);
        const sample = partial.sample!;
        const times = all.map(({ time }) => time).sort((a, b) => (newestFirst ? b - a : a - b));
        expect([...sample.times]).toEqual(times.slice(0, limit));
        expect(stats.rowsMatched).toBeGreaterThanOrEqual(sample.rowCount);
        expect(stats.rowsMatched).toBeLessThanOrEqual(all.length);
        if (stats.rowsMatched < all.length) skipped++;
        const [n, s] = sample.columns;
        if (n?.kind !== "int" || s?.kind !== "coded")
          throw new Error("other columns were asked for");
        const print = (time: number, own: unknown, text: unknown): string =>
          `${time} ${own} ${text}`;
        const left = new Map<string, number>();
        for (const { time, values } of all) {
          const text = print(time, values.get("n"), values.get("s"));
          left.set(text, (left.get(text) ?? 0) + 1);
        }
        for (let k = 0; k < sample.rowCount; k++) {
          const own = n.present[k] === 1 ? n.values[k] : undefined;
          const text = print(sample.times[k]!, own, s.dictionary[s.codes[k]!]);
          const count = left.get(text) ?? 0;
          expect(count, `${text} passes so often`).toBeGreaterThan(0);
          left.set(text, count - 1);
        }
      },
    ),
    { numRuns: 250 },
  );
  expect(skipped).toBeGreaterThan(0);
});
