import fc from "fast-check";
import { expect, test } from "vitest";
import type { DecidedUnits } from "../../base/copy/copySource.js";
import { isVisible } from "../../base/row/unitSnapshot.js";
import { joinDecisions, snapshotOf, stateOfUnit, type UnitState } from "./unitDecisions.js";
import { UnitFloor } from "./unitFloor.js";

const numbersMax = 12;
const numbers = Array.from({ length: numbersMax }, (_, i) => i + 1);
const states = fc.array(fc.constantFrom<UnitState>("undecided", "committed", "aborted"), {
  minLength: numbersMax,
  maxLength: numbersMax,
});

/** What a gateway reports when only these units are decided. */
function reportOf(states: readonly UnitState[], upTo: number): DecidedUnits {
  const below = numbers.filter((number) => number <= upTo);
  const except = below.filter((number) => states[number - 1] !== "committed");
  return { upTo, except, aborted: except.filter((one) => states[one - 1] === "aborted") };
}

const stamp = (number: number) => ({ gateway: "g", number, parts: 2 });

/** A later report of the same gateway: some more are decided, and its numbers reach further. */
const twoReports = fc
  .tuple(states, fc.array(fc.boolean(), { minLength: numbersMax, maxLength: numbersMax }))
  .chain(([last, isLate]) =>
    fc.record({
      last: fc.constant(last),
      first: fc.constant(last.map((state, i): UnitState => (isLate[i] ? "undecided" : state))),
      upTo: fc.tuple(fc.nat(numbersMax), fc.nat(numbersMax)),
    }),
  );

test("decisions of reports in any order are those of the last report", () => {
  fc.assert(
    fc.property(twoReports, fc.boolean(), ({ first, last, upTo: [some, more] }, isSwapped) => {
      const early = reportOf(first, Math.min(some, more));
      const late = reportOf(last, Math.max(some, more));
      const [a, b] = isSwapped ? [late, early] : [early, late];
      const joined = joinDecisions(a, b, () => false);
      const known = new Map([["g", joined]]);
      for (const number of numbers) {
        const expected = number <= late.upTo ? last[number - 1]! : "undecided";
        expect(stateOfUnit(known, stamp(number))).toBe(expected);
        expect(isVisible(stamp(number), snapshotOf(known))).toBe(expected === "committed");
      }
    }),
  );
});

test("a snapshot is too old exactly when it lacks a unit without a stamp", () => {
  fc.assert(
    fc.property(
      twoReports,
      fc.subarray(numbers),
      ({ first, last, upTo: [some, more] }, candidates) => {
        const floor = new UnitFloor(new Map());
        const known = new Map([["g", reportOf(last, Math.max(some, more))]]);
        const joined = candidates.filter(
          (number) => stateOfUnit(known, stamp(number)) === "committed",
        );
        for (const number of joined) floor.add(stamp(number));
        const snapshot = snapshotOf(new Map([["g", reportOf(first, Math.min(some, more))]]));
        const lacks = joined.some((number) => !isVisible(stamp(number), snapshot));
        expect(floor.isCoveredBy(snapshot, known)).toBe(!lacks);
        expect(floor.isCoveredBy({}, known)).toBe(true);
      },
    ),
  );
});

test("after a start, a snapshot that may lack a sealed unit is too old", () => {
  const known = new Map([["g", { upTo: 5, except: [2, 4], aborted: [4] }]]);
  const floor = new UnitFloor(known);
  const covers = (upTo: number, except: number[]): boolean =>
    floor.isCoveredBy({ g: { upTo, except } }, known);
  expect(covers(5, [2, 4])).toBe(true);
  expect(covers(7, [2, 4, 6])).toBe(true);
  expect(covers(4, [2, 4])).toBe(false);
  expect(covers(5, [2, 3, 4])).toBe(false);
  expect(floor.gateways).toEqual(["g"]);
});

test("an aborted unit that reports leave out is kept while a log has its rows", () => {
  const early = { upTo: 4, except: [2, 3], aborted: [2, 3] };
  const late = { upTo: 6, except: [5], aborted: [] };
  const joined = joinDecisions(early, late, (number) => number === 3);
  expect(joined).toEqual({ upTo: 6, except: [3, 5], aborted: [3] });
  expect(joinDecisions(joined, { ...late, upTo: 7 }, () => false)).toEqual({ ...late, upTo: 7 });
});
