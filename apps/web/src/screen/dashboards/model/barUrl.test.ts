import fc from "fast-check";
import { expect, test } from "vitest";
import type { BarState } from "./barState.js";
import { parseBar, printBar } from "./barUrl.js";

const value = fc.oneof(fc.string({ unit: "grapheme" }), fc.integer(), fc.boolean());
const column = fc.constantFrom("service", "__proto__", "a:b", "länge");
const filter = fc.record({ column, op: fc.constantFrom("=" as const, "!=" as const), value });
const variables = fc.uniqueArray(
  fc.record({ name: column, values: fc.option(fc.array(value, { maxLength: 3 })) }),
  { selector: ({ name }) => name },
);
const bar: fc.Arbitrary<BarState> = fc.record({
  from: fc.constantFrom("-3h", "2026-11-21T09:00:00+01:00", "half past +3"),
  to: fc.constantFrom("now", "1750500000000"),
  live: fc.boolean(),
  timeZone: fc.constantFrom(null, "UTC", "Europe/Berlin"),
  compare: fc.option(
    fc.oneof(
      fc.record({ offset: fc.constantFrom("7d", "previous"), filter: fc.constant(null) }),
      fc.record({ offset: fc.constantFrom(null, "1h"), filter: fc.array(filter) }),
    ),
  ),
  filters: fc.array(fc.record({ filter, off: fc.boolean() }), { maxLength: 4 }),
  variables,
});

/** A board with the same variables, and another bar. */
const boardOf = ({ variables: own }: BarState): BarState => ({
  ...{ from: "-1h", to: "-1m", live: false, timeZone: "Asia/Tokyo" },
  compare: { offset: "1d", filter: null },
  filters: [{ filter: { column: "x", op: "is missing" }, off: false }],
  variables: own.map(({ name }) => ({ name, values: ["other"] })),
});

test("the address has the whole bar, whatever the board's own is", () => {
  fc.assert(
    fc.property(bar, (one) => {
      expect(parseBar(`?${printBar(one)}`, boardOf(one))).toEqual({ bar: one, faults: [] });
    }),
  );
});

const board = boardOf({ variables: [{ name: "service", values: null }] } as unknown as BarState);

test("an address without a bar shows the board's own; parts that cannot be read are reported", () => {
  expect(parseBar("?tile=a", board)).toEqual({ bar: board, faults: [] });
  const { bar: read, faults } = parseBar("?from=-2h&filter=%3F&var=service:eq:1&tz=Mars", board);
  expect(read).toMatchObject({ from: "-2h", filters: [], timeZone: null });
  expect(read.variables).toEqual(board.variables);
  expect(faults).toHaveLength(3);
});

test("a link may choose a variable alone", () => {
  const { bar: read } = parseBar("?var=service:in:cart", board);
  expect(read).toEqual({ ...board, variables: [{ name: "service", values: ["cart"] }] });
});
