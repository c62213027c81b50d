import fc from "fast-check";
import { expect, test } from "vitest";
import { mergePartials } from "../../aggregate/merge/mergePartials.js";
import type { StateColumn } from "../../aggregate/partial/partialResult.js";
import { spreadOf } from "../../aggregate/state/spreadState.js";
import type {
  ResolvedFilter,
  ResolvedQuery,
  ResolvedSide,
  StateSpec,
} from "../../plan/query/resolvedQuery.js";
import { passesFilter } from "../../plan/testing/passesFilter.js";
import { rescaleBatch } from "../../store/columns/rescaleBatch.js";
import { TableColumns } from "../../store/columns/tableColumns.js";
import { OpenSegment } from "../../store/open/openSegment.js";
import { sealSegment } from "../../store/seal/sealSegment.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import { batchOfRows, type PlainRow, type PlainValue } from "../../store/testing/plainRows.js";
import { decodeSide } from "../answer/decodeAnswer.js";
import { QueryMemory } from "../memory/queryMemory.js";
import { ScanRun } from "../run/scanRun.js";
import { lowerNow } from "../testing/lowerNow.js";
import { createScanMemory } from "../testing/scanMemory.js";

const { memory, kernel, leaf, scratch } = createScanMemory(256, 100);
const columns = new TableColumns();
const segmentCount = 40;
const rowsPerSegment = 301;

const mix = (at: number): number => (Math.imul(at ^ (at >>> 15), 0x9e3779b1) ^ 0x5bd1e995) >>> 0;

/**
 * Every segment stores its columns in another way: in other widths, with other gaps, as codes,
 * weighted or not, or not at all.
 */
function rowOf(segment: number, i: number): PlainRow {
  const at = segment * rowsPerSegment + i;
  const random = BigInt(mix(at));
  const values = new Map<string, PlainValue>();
  const span = [1n, 200n, 60_000n, 2n ** 23n, 2n ** 31n, 2n ** 42n][segment % 6]!;
  const base = [0n, -5_000n, 2n ** 43n, -(2n ** 42n)][segment % 4]!;
  if (segment % 7 !== 3 && (segment % 5 !== 1 || i % 3 !== 0)) {
    values.set("n", base + ((random * 2_654_435_761n) % span));
  }
  if (segment % 9 !== 5) values.set("status", [200n, 404n, 500n, -70_000n, 99_999n][i % 5]!);
  if (segment % 2 === 0) values.set("small", BigInt(i % 7) - 3n);
  if (segment % 4 === 1) values.set("sample_rate", BigInt(1 + (mix(at) % 200)));
  if (segment === 13) values.set("sample_rate", BigInt(1 + (mix(at) % 90_000)));
  if (segment % 11 !== 4) values.set("s", `text ${i % 3}`);
  return { time: segment * 100 + (mix(at + 1) % 100), values };
}

const rows: PlainRow[][] = [];
const views: SegmentView[] = [];
for (let segment = 0; segment < segmentCount; segment++) {
  const own = Array.from({ length: rowsPerSegment }, (_, i) => rowOf(segment, i));
  const batch = batchOfRows(own);
  columns.take(batch);
  const layoutOf = (name: string) => columns.layoutOf(name);
  const ready = rescaleBatch(batch, layoutOf);
  const open = new OpenSegment(leaf, kernel);
  open.reserve(ready, layoutOf);
  open.append(ready);
  rows.push(own);
  // The last one stays open, and unsorted.
  views.push(
    segment === segmentCount - 1
      ? open.view()
      : sealSegment(open.view(), segment, { memory: leaf, kernel }),
  );
}

const names = fc.constantFrom("n", "status", "small");
const bound = fc
  .record({ row: fc.nat(segmentCount * rowsPerSegment - 1), by: fc.constantFrom(-1n, 0n, 0n, 1n) })
  .map(({ row, by }) => (name: string): bigint => {
    const { values } = rows[Math.floor(row / rowsPerSegment)]![row % rowsPerSegment]!;
    return ((values.get(name) as bigint | undefined) ?? 0n) + by;
  });
const condition = fc
  .record({
    name: names,
    bounds: fc.array(bound, { minLength: 1, maxLength: 4 }),
    kind: fc.constantFrom("range", "range", "from", "ints"),
    negated: fc.boolean(),
  })
  .map(({ name, bounds, kind, negated }): ResolvedFilter => {
    const own = { column: name, decimals: 0, negated };
    const values = bounds.map((of) => of(name));
    if (kind === "ints") return { ...own, kind, values: values.map(String) };
    const high = kind === "from" ? 2n ** 63n - 1n : values.at(-1)!;
    return { ...own, kind: "range", low: `${values[0]}`, high: `${high}` };
  });
const filter = fc.oneof(
  condition,
  fc.record({
    kind: fc.constant("all" as const),
    filters: fc.array(condition, { maxLength: 3 }),
  }),
);
const states = fc.subarray<StateSpec>([
  { kind: "sum", column: "n", decimals: 0 },
  { kind: "sum", column: "small", decimals: 0 },
  { kind: "sum", column: "status", decimals: 0 },
  { kind: "present", column: "n", weighted: true },
  { kind: "present", column: "small", weighted: false },
  { kind: "present", column: "s", weighted: true },
  { kind: "sum", column: "lacking", decimals: 0 },
  { kind: "spread", column: null, values: false, decimals: 0 },
  { kind: "spread", column: "s", values: false, decimals: 0 },
  { kind: "spread", column: "n", values: true, decimals: 0 },
  { kind: "spread", column: "small", values: true, decimals: 0 },
]);

/** Of every query. */
const always: readonly StateSpec[] = [{ kind: "rows" }, { kind: "weight" }];

function queryOf(
  range: readonly [number, number],
  asked: ResolvedFilter,
  own: readonly StateSpec[],
): ResolvedQuery {
  const [fromMs, toMs] = range;
  return {
    ...{ table: "events", groupBy: [], states: [...always, ...own], sample: null },
    // Each side has states of its own.
    sides: [
      { fromMs, toMs, filter: asked, buckets: null },
      { fromMs: 0, toMs: fromMs + 500, filter: asked, buckets: null },
    ],
    cut: { max: 100, bySeries: false, ranks: [] },
  };
}

/** What each side's states come to, and how many segments were scanned in which way. */
function scan(query: ResolvedQuery, lanesMax: number) {
  const queryMemory = new QueryMemory(leaf);
  const segments = query.sides.map(({ fromMs, toMs }) =>
    views.filter(({ minMs, maxMs }) => maxMs >= fromMs && minMs < toMs),
  );
  const lowered = lowerNow(1, query, segments, queryMemory, lanesMax);
  const runs = lowered.lanes.map((task) => new ScanRun({ memory, kernel, scratch }, task));
  while (runs.some(({ done }) => !done)) for (const run of runs) if (!run.done) run.step();
  const answers = runs.map((run) => run.answer());
  const partials = answers.map(({ sides }) => ({
    sides: sides.map((side, i) => decodeSide(side, lowered.components[i]!)),
    sample: null,
  }));
  const total = (of: (answer: (typeof answers)[number]) => number): number =>
    answers.reduce((sum, answer) => sum + of(answer), 0);
  const { sides } = mergePartials(partials, query);
  queryMemory.release();
  const { programs, units } = lowered.task;
  return {
    states: sides.map((side) => side.states.map(print)),
    spreads: sides.flatMap((side) =>
      side.states.flatMap((state) => (state.kind === "spread" ? [...spreadOf(state, 0)] : [])),
    ),
    matched: total(({ rowsMatched }) => rowsMatched),
    scanned: total(({ unitsScanned }) => unitsScanned),
    bytes: total(({ bytesScanned }) => bytesScanned),
    inPrograms: programs.reduce((sum, { unitCount }) => sum + unitCount, 0),
    inUnits: units.length,
  };
}

function print(state: StateColumn): string {
  if (state.kind === "spread") return "a spread";
  if (state.kind === "count") return `${state.values[0] ?? 0}`;
  if (state.kind !== "sum") throw new Error(`${state.kind} is not asked for`);
  if ((state.weights[0] ?? 0) === 0) return "missing";
  return `${BigInt(state.hi[0]!) * 2n ** 32n + BigInt(state.lo[0]!)} of ${state.weights[0]}`;
}

function naive(query: ResolvedQuery): string[][] {
  return query.sides.map((side) => {
    const found = rowsOf(side);
    return query.states.map((spec) => naiveState(spec, found));
  });
}

const rowsOf = ({ fromMs, toMs, filter: asked }: ResolvedSide): PlainRow[] =>
  rows.flat().filter(({ time, values }) => {
    const row = { timeMs: time, values: values as never };
    return time >= fromMs && time < toMs && passesFilter(asked, row);
  });

const weightOf = ({ values }: PlainRow): bigint => (values.get("sample_rate") as bigint) ?? 1n;

/** Of each of its sums what it comes to, and how much is added up, whatever its sign. */
function naiveSpreads({ sides, states: specs }: ResolvedQuery): (readonly [number, number])[] {
  return sides.flatMap((side) => {
    const found = rowsOf(side);
    return specs.flatMap((spec) => {
      if (spec.kind !== "spread") return [];
      const { column } = spec;
      const having = column === null ? found : found.filter(({ values }) => values.has(column));
      return [0, 1, 2, 3].map((power) => {
        const parts = having.map((row) => {
          const weight = Number(weightOf(row));
          const value = column === null ? weight : spec.values ? Number(row.values.get(column)) : 1;
          return weight * (weight - 1) * value ** power;
        });
        const added = parts.reduce((sum, part) => sum + Math.abs(part), 0);
        return [parts.reduce((sum, part) => sum + part, 0), added] as const;
      });
    });
  });
}

function naiveState(spec: StateSpec, found: readonly PlainRow[]): string {
  const total = (list: readonly bigint[]): bigint => list.reduce((sum, one) => sum + one, 0n);
  if (spec.kind === "rows") return `${found.length}`;
  if (spec.kind === "weight") return `${total(found.map(weightOf))}`;
  if (spec.kind === "spread") return "a spread";
  if (spec.kind === "function") throw new Error("not among these states");
  const having = found.filter(({ values }) => values.has(spec.column));
  const weight = total(having.map(weightOf));
  if (spec.kind === "present") return `${spec.weighted ? weight : having.length}`;
  if (having.length === 0) return "missing";
  const own = ({ values }: PlainRow): bigint => values.get(spec.column) as bigint;
  return `${total(having.map((row) => own(row) * weightOf(row)))} of ${weight}`;
}

test("S6, S39: programs and units together find, count and sum the same as row by row", () => {
  const seen = { inPrograms: 0, inUnits: 0, both: 0 };
  const ranges = fc
    .tuple(fc.nat(4_000), fc.nat(4_200))
    .map(([from, length]) => [from, from + length] as const);
  fc.assert(
    fc.property(filter, states, ranges, fc.constantFrom(1, 2, 3), (asked, own, range, lanes) => {
      const query = queryOf(range, asked, own);
      const found = scan(query, lanes);
      expect(found.states).toEqual(naive(query));
      const spreads = naiveSpreads(query);
      expect(found.spreads.length).toBe(spreads.length);
      spreads.forEach(([sum, added], i) => {
        expect(Math.abs(found.spreads[i]! - sum)).toBeLessThanOrEqual(1e-9 * added);
      });
      const counts = found.states.map(([rowCount]) => Number(rowCount));
      expect(found.matched).toBe(counts[0]! + counts[1]!);
      expect(found.scanned).toBe(found.inPrograms + found.inUnits);
      seen.inPrograms += found.inPrograms;
      seen.inUnits += found.inUnits;
      if (found.inPrograms > 0 && found.inUnits > 0) seen.both++;
    }),
    { numRuns: 90 },
  );
  expect(seen.inPrograms).toBeGreaterThan(380);
  expect(seen.inUnits).toBeGreaterThan(80);
  expect(seen.both).toBeGreaterThan(15);
});

test("a condition whose decimals are not the column's is left to the units", () => {
  const asked: ResolvedFilter = {
    ...{ kind: "range", column: "small", decimals: 1, negated: false },
    ...{ low: "5", high: "25" },
  };
  const own: StateSpec[] = [{ kind: "sum", column: "small", decimals: 1 }];
  const found = scan(queryOf([0, 100], asked, own), 1);
  const expected = rows[0]!.map(({ values }) => values.get("small") as bigint);
  const sums = expected.filter((value) => value * 10n >= 5n && value * 10n <= 25n);
  const sum = sums.reduce((all, value) => all + value * 10n, 0n);
  // Two segments lack the column, whatever its decimals.
  expect([found.inPrograms, found.inUnits]).toEqual([2, 4]);
  expect(found.states[0]).toEqual([`${sums.length}`, `${sums.length}`, `${sum} of ${sums.length}`]);
});

test("segments with another scale than the query's are not in a program, except where they lack the column", () => {
  const lacking = views.filter(({ columns: own }) => own.get("status") === undefined).length;
  expect(lacking).toBeGreaterThan(0);
  const is200 = { kind: "range", column: "status", decimals: 2, negated: false } as const;
  const every: ResolvedFilter = { kind: "all", filters: [] };
  const filtered = queryOf([0, 10_000], { ...is200, low: "20000", high: "20000" }, []);
  const added = queryOf([0, 10_000], every, [{ kind: "sum", column: "status", decimals: 2 }]);
  for (const query of [filtered, added]) expect(scan(query, 1).inPrograms).toBe(lacking);
  const matching = rows
    .flat()
    .filter(({ values }) => values.get("status") === 200n)
    .flatMap(({ time }) => (time < 500 ? [time, time] : [time]));
  expect(scan(filtered, 1).matched).toBe(matching.length);
});
