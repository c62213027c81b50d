import { expect, test } from "vitest";
import { lightCostMax } from "./admission.js";
import { queryCost } from "./queryCost.js";

const sides = [{ fromMs: 0, toMs: 10 }];
const held = (rows: number) => ({ expected: () => new Map([["leaf-1", rows]]) });
const columns = Array.from({ length: 5 }, (_, i) => ({
  ...({ name: `c${i}`, type: "int", decimals: 0 } as const),
}));

test("rows cost once for themselves and once for each number that is aggregated", () => {
  expect(queryCost({ table: "t", sides, sample: null }, 3, held(1_000))).toBe(4_000);
});

test("a page of raw rows is light, tens of thousands are heavy, of a small table no more than it has", () => {
  const cost = (limit: number, rows: number): number =>
    queryCost({ table: "t", sides, sample: { columns, limit } }, 0, held(rows));
  expect(cost(100, 300_000)).toBeLessThan(lightCostMax);
  expect(cost(20_000, 300_000)).toBeGreaterThan(lightCostMax);
  expect(cost(100_000, 100)).toBeLessThan(lightCostMax);
});
