import { expect, test } from "vitest";
import { checkInputs, printInputs, readInputs, withNumber } from "./plannerInputs.js";

test("an address holds all inputs, and without them is short", () => {
  const search =
    "?machines=20&leaves=8&fanOut=5&rows=1%2C000&groups=7&copies=2&shape=scan&table=a%2Fb";
  expect(printInputs(readInputs(search))).toBe(
    "/status/planner?machines=20&leaves=8&fanOut=5&rows=1%2C000&groups=7&copies=2&shape=scan&table=a%2Fb",
  );
  expect(printInputs(readInputs("?shape=round&other=1"))).toBe("/status/planner");
});

test("numbers are read as people write them", () => {
  expect(checkInputs(readInputs("?rows=1%20000%20000&machines=10,000"))).toEqual({
    asked: { shape: "time-series", rows: 1_000_000, machines: 10_000 },
    faults: new Map(),
  });
});

test.each([
  ["fanOut", "1", "It must be a whole number from 2 to 100."],
  ["fanOut", "1000", "It must be a whole number from 2 to 100."],
  ["machines", "many", "It must be a whole number from 1 to 10000."],
  ["rows", "-5", "It must be a whole number from 0 to 4294967296."],
] as const)("%s %s is a fault and is not asked", (name, text, fault) => {
  const { asked, faults } = checkInputs(withNumber(readInputs(""), name, text));
  expect(asked).toEqual({ shape: "time-series" });
  expect([...faults]).toEqual([[name, fault]]);
});

test("an emptied number is as the running cluster has it, and a scan has no groups", () => {
  const inputs = readInputs("?machines=20&groups=9&shape=scan");
  expect(checkInputs(inputs).asked).toEqual({ shape: "scan", machines: 20 });
  expect(printInputs(withNumber(inputs, "machines", ""))).toBe(
    "/status/planner?groups=9&shape=scan",
  );
});
