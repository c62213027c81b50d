import fc from "fast-check";
import { expect, test } from "vitest";
import { trials } from "../../../test/oracle/seed/seed.js";
import {
  covers,
  isSameSnapshot,
  isVisible,
  mergeSnapshots,
  snapshotOfQuery,
  type UnitSnapshot,
  unitsOf,
} from "./unitSnapshot.js";

const gateways = ["", "a", "__proto__", "constructor"] as const;
const numberMax = 8;

const snapshot: fc.Arbitrary<UnitSnapshot> = fc
  .uniqueArray(
    fc.tuple(
      fc.constantFrom(...gateways),
      fc.record({
        upTo: fc.integer({ min: 0, max: numberMax }),
        // Numbers beyond `upTo` are hidden anyway.
        except: fc.uniqueArray(fc.integer({ min: 1, max: numberMax })),
      }),
    ),
    { selector: ([gateway]) => gateway },
  )
  .map((units) => Object.fromEntries(units));

/** The plain twin: the visible units, one by one. */
function shownIn(of: UnitSnapshot): ReadonlySet<string> {
  const shown = gateways.flatMap((gateway) => {
    const units = Object.entries(of).find(([name]) => name === gateway)?.[1];
    const { upTo, except } = units ?? { upTo: 0, except: [] };
    return Array.from({ length: upTo }, (_, i) => i + 1)
      .filter((number) => !except.includes(number))
      .map((number) => `${gateway}/${number}`);
  });
  return new Set(shown);
}

const both = [snapshot, snapshot] as const;
const numRuns = trials(500, 20_000);

test("a unit is visible up to the number, but for the exceptions", () => {
  fc.assert(
    fc.property(snapshot, (of) => {
      const shown = gateways.flatMap((gateway) =>
        Array.from({ length: numberMax + 1 }, (_, i) => i + 1)
          .filter((number) => isVisible({ gateway, number }, of))
          .map((number) => `${gateway}/${number}`),
      );
      expect(new Set(shown)).toEqual(shownIn(of));
    }),
    { numRuns },
  );
});

test("a merged snapshot shows what is visible in either, in any order", () => {
  fc.assert(
    fc.property(...both, (a, b) => {
      const union = new Set([...shownIn(a), ...shownIn(b)]);
      expect(shownIn(mergeSnapshots(a, b))).toEqual(union);
      expect(mergeSnapshots(a, a)).toEqual(mergeSnapshots(mergeSnapshots(a, a), a));
      expect(isSameSnapshot(mergeSnapshots(a, b), mergeSnapshots(b, a))).toBe(true);
    }),
    { numRuns },
  );
});

test("a snapshot covers another exactly where it shows all of it", () => {
  fc.assert(
    fc.property(...both, (a, b) => {
      const isIn = [...shownIn(b)].every((unit) => shownIn(a).has(unit));
      expect(covers(a, b)).toBe(isIn);
      expect(covers(mergeSnapshots(a, b), b)).toBe(true);
      expect(isSameSnapshot(a, b)).toBe(isIn && shownIn(a).size === shownIn(b).size);
    }),
    { numRuns },
  );
});

test("a query stands on what it says, and on what is known of gateways that it leaves out", () => {
  fc.assert(
    fc.property(...both, (asked, known) => {
      const stood = snapshotOfQuery(asked, known);
      for (const gateway of gateways)
        expect(unitsOf(stood, gateway)).toEqual(unitsOf(asked, gateway) ?? unitsOf(known, gateway));
    }),
    { numRuns },
  );
});

test("numbers as large as times are compared without counting up to them", () => {
  const wide = { a: { upTo: 1.8e12, except: [] } };
  expect(covers(wide, { a: { upTo: 1.8e12 + 1, except: [] } })).toBe(false);
  expect(covers(wide, { a: { upTo: 1.8e12 + 1, except: [1.8e12 + 1] } })).toBe(true);
  expect(covers(wide, { a: { upTo: 1.7e12, except: [] } })).toBe(true);
});
