import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { OracleRow } from "../../../test/oracle/table/oracleTable.js";
import { rescale } from "../../column/decimal.js";
import type { ResolvedFilter } from "../../plan/query/resolvedQuery.js";
import { passesFilter } from "../../plan/testing/passesFilter.js";
import { SegmentTotals } from "../../store/segment/segmentTotals.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import { decideFilter, verdicts } from "./decideFilter.js";

const int64 = fc.oneof(
  fc.bigInt({ min: -4n, max: 4n }),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
  fc.bigInt({ min: -(2n ** 53n) - 3n, max: -(2n ** 53n) + 3n }),
  fc.constantFrom(-(2n ** 63n), -(2n ** 63n) + 1n, 2n ** 63n - 2n, 2n ** 63n - 1n),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
);

/**
 * Values of the columns n and m in each row of a segment; a column may be stored with more or fewer
 * digits than it is asked with.
 */
interface Rows {
  readonly times: readonly number[];
  readonly n: readonly (bigint | null)[];
  readonly m: readonly (bigint | null)[];
  readonly decimals: number;
  readonly text: "absent" | "all" | "some";
}

const segment: fc.Arbitrary<Rows> = fc.integer({ min: 1, max: 4 }).chain((rowCount) => {
  const length = { minLength: rowCount, maxLength: rowCount };
  const values = fc.oneof(
    fc.array(int64, length),
    fc.array(fc.option(int64), length),
    int64.map((value) => Array.from({ length: rowCount }, () => value)),
    fc.constant(Array.from({ length: rowCount }, () => null)),
  );
  return fc.record({
    times: fc.array(fc.integer({ min: -5, max: 5 }), length),
    ...{ n: values, m: values },
    decimals: fc.integer({ min: 0, max: 2 }),
    text: fc.constantFrom("absent", "all", "some"),
  });
});

function viewOf({ times, n, m, decimals, text }: Rows): SegmentView {
  const columns = new Map<string, unknown>();
  for (const [name, values] of Object.entries({ n, m })) {
    const held = values.filter((value) => value !== null).sort((a, b) => (a < b ? -1 : 1));
    const present = held.length === values.length ? 0 : 64;
    const [min, max] = held.length === 0 ? [1n, 0n] : [held[0], held.at(-1)];
    columns.set(name, { kind: "int", decimals: name === "n" ? 0 : decimals, present, min, max });
  }
  if (text !== "absent") columns.set("s", { kind: "text", present: text === "all" ? 0 : 64 });
  return {
    ...{ minMs: Math.min(...times), maxMs: Math.max(...times), rowCount: times.length },
    ...{ columns, sums: null, histograms: new Map(), weightTotal: times.length },
  } as unknown as SegmentView;
}

const askedDecimals = 1;

/** As conditions see them: m at one decimal, the rest dropped. */
function rowsOf({ times, n, m, decimals, text }: Rows): OracleRow[] {
  return times.map((timeMs, i) => {
    const values = new Map<string, bigint | string>();
    const [own, other] = [n[i] ?? null, m[i] ?? null];
    if (own !== null) values.set("n", own);
    if (other !== null) values.set("m", rescale(other, decimals, askedDecimals));
    if (text === "all" || (text === "some" && i === 0)) values.set("s", "text");
    return { timeMs, values };
  });
}

const target = fc.constantFrom(
  { column: "n", decimals: 0 },
  { column: "m", decimals: askedDecimals },
  { column: "time", decimals: 0 },
  { column: "absent", decimals: 0 },
);

const { filter } = fc.letrec<{ filter: ResolvedFilter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: "small" },
    fc.record({ target, low: int64, high: int64, negated: fc.boolean() }).map(
      ({ target, low, high, negated }): ResolvedFilter => ({
        ...{ kind: "range", ...target, negated },
        ...{ low: low.toString(), high: high.toString() },
      }),
    ),
    fc
      .record({
        target,
        values: fc.array(int64.map(String), { maxLength: 3 }),
        negated: fc.boolean(),
      })
      .map(
        ({ target, values, negated }): ResolvedFilter => ({
          ...{ kind: "ints", ...target, values, negated },
        }),
      ),
    fc.record({
      kind: fc.constant("present" as const),
      column: fc.constantFrom("n", "m", "s", "time", "absent"),
      negated: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant("contains" as const),
      column: fc.constantFrom("s", "absent"),
      needle: fc.constantFrom("ex", "nowhere"),
      negated: fc.boolean(),
    }),
    fc.record({ kind: fc.constant("otherwise" as const), filter: tie("filter") }),
    fc.record({
      kind: fc.constantFrom("all" as const, "any" as const),
      filters: fc.array(tie("filter") as fc.Arbitrary<ResolvedFilter>, { maxLength: 3 }),
    }),
  ) as fc.Arbitrary<ResolvedFilter>,
}));

/** A condition about a value that the segments hold, so that bounds meet zone maps. */
const meeting = fc
  .tuple(
    fc.array(segment, { minLength: 1, maxLength: 5 }),
    filter,
    fc.nat(),
    fc.nat(),
    fc.boolean(),
  )
  .map(([segments, other, at, by, ofM]): [Rows[], ResolvedFilter] => {
    const rows = segments.flatMap(rowsOf);
    const column = ofM ? "m" : "n";
    const held = rows.flatMap(({ values }) => values.get(column) ?? []) as bigint[];
    const value = held[at % Math.max(1, held.length)];
    if (value === undefined) return [segments, other];
    const near = value + BigInt((by % 3) - 1);
    const [low, high] = by % 2 === 0 ? [near, 2n ** 63n - 1n] : [-(2n ** 63n), near];
    const condition: ResolvedFilter = {
      ...{ kind: "range", column, decimals: ofM ? askedDecimals : 0, negated: by % 5 === 0 },
      ...{ low: low.toString(), high: high.toString() },
    };
    return [segments, by % 7 < 4 ? condition : { kind: "all", filters: [condition, other] }];
  });

function verdictsOf(segments: readonly Rows[], condition: ResolvedFilter): number[] {
  const totals = new SegmentTotals();
  totals.follow(segments.map(viewOf));
  return [...decideFilter(condition, totals, segments.length)];
}

test("a verdict without reading rows is right for every row", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.tuple(fc.array(segment, { minLength: 1, maxLength: 5 }), filter), meeting),
      ([segments, condition]) => {
        verdictsOf(segments, condition).forEach((verdict, i) => {
          const passed = rowsOf(segments[i]!).map((row) => passesFilter(condition, row));
          if (verdict === verdicts.none) expect(passed).not.toContain(true);
          if (verdict === verdicts.all) expect(passed).not.toContain(false);
        });
      },
    ),
    { numRuns: 3_000 },
  );
});

const rows = (...n: (bigint | null)[]): Rows => ({
  ...{ times: n.map(() => 0), n, m: n, decimals: askedDecimals, text: "absent" },
});
const range = (low: bigint, high: bigint, negated = false): ResolvedFilter => ({
  ...{ kind: "range", column: "n", decimals: 0, negated },
  ...{ low: low.toString(), high: high.toString() },
});
const ints = (values: readonly bigint[], negated = false): ResolvedFilter => ({
  ...{ kind: "ints", column: "n", decimals: 0, values: values.map(String), negated },
});
const { none, some, all } = verdicts;
const [least, most] = [-(2n ** 63n), 2n ** 63n - 1n];

test.each<[string, Rows, ResolvedFilter, number]>([
  ["above the largest", rows(1n, 9n), range(10n, most), none],
  ["the largest", rows(1n, 9n), range(9n, most), some],
  ["from the smallest on", rows(1n, 9n), range(1n, most), all],
  ["from the smallest on, one missing", rows(1n, null, 9n), range(1n, most), some],
  ["not from the smallest on, one missing", rows(1n, null, 9n), range(1n, most, true), none],
  ["not above the largest", rows(1n, 9n), range(10n, most, true), all],
  ["an empty range", rows(1n, 9n), range(1n, 0n), none],
  ["all of int64", rows(least, most), range(least, most), all],
  ["below the largest of int64", rows(most), range(least, most - 1n), some],
  ["in none", rows(1n), ints([]), none],
  ["not in none", rows(1n), ints([], true), all],
  ["in, outside", rows(4n, 6n), ints([3n, 7n]), none],
  ["in, within", rows(4n, 6n), ints([3n, 5n]), some],
  ["in, the only value", rows(5n, 5n), ints([3n, 5n]), all],
  ["not in, the only value", rows(5n, 5n), ints([3n, 5n], true), none],
  ["and", rows(4n, 6n), { kind: "all", filters: [range(4n, 6n), range(7n, 8n)] }, none],
  ["or", rows(4n, 6n), { kind: "any", filters: [range(7n, 8n), range(4n, 6n)] }, all],
  ["all of nothing", rows(null), { kind: "all", filters: [] }, all],
  ["any of nothing", rows(null), { kind: "any", filters: [] }, none],
  ["no value", rows(null), range(least, most), none],
  ["no value, negated", rows(null), range(1n, 0n, true), none],
  ["is missing", rows(null), { kind: "present", column: "n", negated: true }, all],
  ["is present", rows(1n), { kind: "present", column: "n", negated: false }, all],
])("%s", (_, segments, condition, verdict) => {
  expect(verdictsOf([segments], condition)).toEqual([verdict]);
});
