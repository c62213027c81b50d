import * as fc from "fast-check";
import { expect, test } from "vitest";
import { int64Max, int64Min, rescale } from "../../column/decimal.js";
import { SegmentTotals } from "./segmentTotals.js";
import type { SegmentView, Spread } from "./segmentView.js";

/** What of a segment the totals read. */
interface Known {
  readonly minMs: number;
  readonly sum: bigint;
  readonly least: bigint;
  readonly decimals: number;
  readonly kind: "int" | "coded" | "absent" | "open" | "no value";
  /** Null: of an old file. Undefined: the rows have no weights. */
  readonly spread: Spread | null | undefined;
}

function viewOf({ minMs, sum, least, decimals, kind, spread }: Known): SegmentView {
  const max = kind === "no value" ? least - 1n : least;
  const column = { kind: kind === "coded" ? "coded" : "int", decimals, min: least, max };
  const own = { presentRows: 3, presentWeight: 5, weightedSum: sum, spread: spread ?? null };
  return {
    ...{ minMs, maxMs: minMs + 1, rowCount: 7, weightTotal: 11 },
    ...{ histograms: new Map(), weights: spread === undefined ? null : weights },
    columns: new Map(kind === "absent" ? [] : [["x", column]]),
    sums:
      kind === "open" ? null : new Map(kind === "int" || kind === "no value" ? [["x", own]] : []),
  } as unknown as SegmentView;
}

const weights = { address: 8, width: 1 };

const known: fc.Arbitrary<Known> = fc.record({
  minMs: fc.integer(),
  sum: fc.oneof(fc.bigInt({ min: int64Min, max: int64Max }), fc.bigInt(-(2n ** 100n), 2n ** 100n)),
  least: fc.bigInt({ min: int64Min, max: int64Max }),
  decimals: fc.integer({ min: 0, max: 6 }),
  kind: fc.constantFrom("int", "int", "coded", "absent", "open", "no value"),
  spread: fc.constantFrom<Spread | null | undefined>([2, 3, 5, 7], null, undefined),
});

/** Segments come at the end, and go anywhere. */
const changes = fc.array(
  fc.oneof(
    fc.record({ add: fc.array(known, { maxLength: 90 }) }),
    fc.record({ removeAt: fc.nat({ max: 200 }), count: fc.nat({ max: 9 }) }),
  ),
  { maxLength: 8 },
);

test("totals have the exact aggregates of each segment, however the table changes (A5)", () => {
  fc.assert(
    fc.property(changes, fc.integer({ min: 0, max: 6 }), (steps, decimals) => {
      const totals = new SegmentTotals();
      let list: { readonly known: Known; readonly view: SegmentView }[] = [];
      for (const step of steps) {
        if ("add" in step) {
          list = [...list, ...step.add.map((each) => ({ known: each, view: viewOf(each) }))];
        } else {
          list = list.toSpliced(step.removeAt, step.count);
        }
        totals.follow(list.map(({ view }) => view));
        list.forEach((each, place) => {
          expectTotals(totals, place, each.known, decimals);
        });
      }
    }),
    { numRuns: 60 },
  );
});

function expectTotals(totals: SegmentTotals, place: number, of: Known, decimals: number): void {
  const column = totals.column("x", decimals);
  expect(totals.minMs[place]).toBe(of.minMs);
  expect(totals.weightTotals[place]).toBe(11);
  const isInt = of.kind === "int" || of.kind === "no value";
  const sum = rescale(of.sum, of.decimals, decimals);
  const least = rescale(of.least, of.decimals, decimals);
  const fits = (value: bigint): boolean => BigInt.asIntN(64, value) === value;
  const fitsAll = fits(sum) && (of.kind === "no value" || fits(least));
  const isKnown = of.kind === "absent" || (isInt && fitsAll);
  expectSpread(column, place, of, decimals);
  expect(column.known[place]).toBe(isKnown ? 1 : 0);
  if (!isKnown) return;
  const stored = BigInt(column.hi[place]!) * 2n ** 32n + BigInt(column.lo[place]!);
  expect(stored).toBe(isInt ? sum : 0n);
  expect(column.presentWeight[place]).toBe(isInt ? 5 : 0);
  expect(column.hasValue[place]).toBe(of.kind === "int" ? 1 : 0);
  if (of.kind === "int") expect([column.min[place], column.max[place]]).toEqual([least, least]);
}

/** Values with more decimals are larger numbers. */
function expectSpread(
  { spreadKnown, spreads }: ReturnType<SegmentTotals["column"]>,
  place: number,
  { kind, spread, ...of }: Known,
  decimals: number,
): void {
  const stored = Array.from(spreads.subarray(4 * place, 4 * place + 4));
  if (spread === undefined || kind === "absent") {
    expect([spreadKnown[place], ...stored]).toEqual([1, 0, 0, 0, 0]);
  } else if (spread === null || kind === "coded" || kind === "open") {
    expect(spreadKnown[place]).toBe(0);
  } else {
    const scale = 10 ** (decimals - of.decimals);
    expect([spreadKnown[place], ...stored]).toEqual([
      1,
      2,
      3 * scale,
      5 * scale ** 2,
      7 * scale ** 3,
    ]);
  }
}
