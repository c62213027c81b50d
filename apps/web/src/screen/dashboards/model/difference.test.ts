import fc from "fast-check";
import { expect, test } from "vitest";
import { initialState } from "../../../query/state/exploreState.js";
import {
  type Difference,
  parseDifference,
  printDifference,
  stateOfDifference,
} from "./difference.js";

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 });
const filter = fc.record({ column: text, op: fc.constant("=" as const), value: text });
const span = fc
  .tuple(fc.integer({ min: 0, max: 4e12 }), fc.integer({ min: 1, max: 1e9 }))
  .map(([fromMs, long]) => ({ fromMs, toMs: fromMs + long }));
const against = fc.constantFrom("rest" as const, "before" as const);
const difference: fc.Arbitrary<Difference> = fc.oneof(
  fc.record({
    ...{ tile: text, against },
    selection: fc.record({ filters: fc.array(filter, { maxLength: 3 }), range: span, of: span }),
  }),
  fc.record({
    ...{ tile: text, against },
    selection: fc.record({
      filters: fc.array(filter, { minLength: 1, maxLength: 3 }),
      range: fc.constant(null),
    }),
  }),
);

test("the address has all of what is compared", () => {
  fc.assert(
    fc.property(difference, (one) => {
      expect(parseDifference(`?from=-1h&to=now&${printDifference(one)}`)).toEqual(one);
    }),
  );
});

test("an address that cannot be read asks for nothing", () => {
  for (const search of [
    ...["", "?from=-1h", "?different=", "?different=a", "?different=a&part=x/y&of=x/y"],
    ...["?different=a&here=%3F", "?different=a&part=2026-01-01/2026-01-02"],
  ])
    expect(parseDifference(search), search).toBeNull();
});

const range = { fromMs: 60_000, toMs: 180_000 };
const of = { fromMs: 0, toMs: 600_000 };
const selection = { filters: [], range, of };

test("times are compared with the rest of their range, or with the time just before", () => {
  const tile = initialState("requests");
  const rest = stateOfDifference(tile, { tile: "a", selection, against: "rest" });
  expect(rest).toMatchObject({ view: "changes", part: range, compare: null });
  expect([rest.from, rest.to]).toEqual(
    [of.fromMs, of.toMs].map((ms) => new Date(ms).toISOString()),
  );
  const before = stateOfDifference(tile, { tile: "a", selection, against: "before" });
  expect(before).toMatchObject({ view: "changes", part: null, compare: { offset: "120s" } });
  expect(Date.parse(before.from)).toBe(range.fromMs);
});
