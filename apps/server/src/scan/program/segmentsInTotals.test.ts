import fc from "fast-check";
import { expect, test } from "vitest";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import { SegmentTotals } from "../../store/segment/segmentTotals.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import { splitSegments } from "../segment/splitSegments.js";
import { programColumns, traits } from "./programColumn.js";
import {
  areWeighted,
  noteSegmentsInTotals,
  rowsOf,
  segmentsInTotals,
  segmentWeights,
} from "./segmentsInTotals.js";

/** What of a segment is looked at here. */
const segment = fc
  .record({
    rowCount: fc.nat(100),
    minMs: fc.nat(1_000),
    weights: fc.option(
      fc.record({ address: fc.nat(2 ** 32 - 1), width: fc.constantFrom(0, 1, 4) }),
    ),
    present: fc.option(fc.nat(2 ** 32 - 1)),
  })
  .map(({ present, ...rest }): SegmentView => {
    const column = { kind: "int", decimals: 2, base: 0n, min: 1n, max: 9n, encoded: null };
    const values = { address: 64, width: 1 };
    const columns = new Map(present === null ? [] : [["x", { ...column, values, present }]]);
    return { ...rest, maxMs: rest.minMs, weightTotal: rest.rowCount, columns } as never;
  });

test("each segment of a list has its own numbers, also when the table has changed since it was noted", () => {
  fc.assert(
    fc.property(
      fc.array(segment, { maxLength: 90 }),
      fc.array(segment, { maxLength: 90 }),
      fc.func(fc.boolean()),
      fc.boolean(),
      (before, after, isScanned, changes) => {
        const totals = new SegmentTotals();
        totals.follow(before);
        const places = before.flatMap((each, i) => (isScanned(i, each.rowCount) ? [i] : []));
        const scanned = places.map((place) => before[place]!);
        noteSegmentsInTotals(scanned, totals, Uint32Array.from(places));
        if (changes) totals.follow(after);

        const known = segmentsInTotals(scanned);
        // Else nothing would be gained.
        if (!changes) expect(known.totals).toBe(totals);
        const { address, width } = segmentWeights(known.totals);
        const columns = programColumns(known.totals, "x");
        scanned.forEach(({ rowCount, minMs, weights, columns: own }, i) => {
          const at = known.places[i]!;
          expect(known.totals.rowCounts[at]).toBe(rowCount);
          expect(known.totals.minMs[at]).toBe(minMs);
          expect([address[at], width[at]]).toEqual([weights?.address ?? 0, weights?.width ?? -1]);
          const column = own.get("x");
          const trait = columns.traits[at]!;
          expect((trait & traits.missing) !== 0).toBe(column === undefined);
          const present = column?.kind === "int" ? column.present : 0;
          expect(columns.present[at]).toBe(present);
          expect((trait & traits.complete) !== 0).toBe(column !== undefined && present === 0);
        });
        expect(rowsOf(scanned)).toBe(scanned.reduce((sum, { rowCount }) => sum + rowCount, 0));
        expect(areWeighted(scanned)).toBe(scanned.some(({ weights }) => weights !== null));
      },
    ),
  );
});

test("the facts about segments to scan are found by their places in the table", () => {
  const at = (minMs: number): SegmentView =>
    ({ minMs, maxMs: minMs, rowCount: minMs, columns: new Map(), sums: null }) as never;
  const snapshot = [7, 1, 8, 2, 9].map(at);
  const totals = new SegmentTotals();
  totals.follow(snapshot);
  const side = { fromMs: 5, toMs: 10, filter: { kind: "all", filters: [] }, buckets: null };
  const query = { sides: [side], states: [], groupBy: [], sample: null } as unknown;
  const memory = new WebAssembly.Memory({ initial: 1 });
  const [split] = splitSegments(query as ResolvedQuery, snapshot, totals, memory);
  const known = segmentsInTotals(split!.scanned);
  expect(known.totals).toBe(totals);
  expect([...known.places.subarray(0, 3)]).toEqual([0, 2, 4]);
});
