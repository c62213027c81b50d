import fc from "fast-check";
import { expect, test } from "vitest";
import { OpenFacts } from "./openFacts.js";
import { TableSummary } from "./tableSummary.js";

const minuteMs = 60_000;
/** Edges of minutes, before 1970 too, and what is beside them. */
const timeMs = fc
  .tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -1, max: 1 }))
  .map(([minute, beside]) => minute * minuteMs + beside);

test("rows are booked on the minutes that their times are of, in whichever order they come", () => {
  fc.assert(
    fc.property(fc.array(fc.array(timeMs, { maxLength: 30 }), { maxLength: 3 }), (batches) => {
      const books = new TableSummary();
      const facts = new OpenFacts();
      const expected = new Map<number, number>();
      for (const [index, times] of batches.entries()) {
        const batch = { rowCount: times.length, times: Float64Array.from(times), columns: [] };
        books.append({ batch, batchId: `${index}`, contentHash: "" }, facts);
        for (const time of times) {
          const minute = Math.floor(time / minuteMs);
          expected.set(minute, (expected.get(minute) ?? 0) + 1);
        }
      }
      expect(new Map(books.minuteRows.minutes)).toEqual(expected);
      expect(new Map(facts.origin.minutes)).toEqual(expected);
    }),
  );
});
