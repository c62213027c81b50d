import { describe, expect, test } from "vitest";
import { columnFinder } from "../testing/columnFinder.js";
import type { Random } from "../testing/randomExpression.js";
import { randomScript, scriptColumns } from "../testing/randomScript.js";
import { createRandom } from "../testing/seededRandom.js";
import { readRowFunction } from "./functionSource.js";

const find = columnFinder(scriptColumns);

/** The values of a row as a function sees them; a missing one is undefined. */
function randomRow(random: Random): Record<string, unknown> {
  const or = (value: unknown) => (random.below(4) === 0 ? undefined : value);
  return {
    n: or(random.below(9) - 4),
    price: or((random.below(2_000_001) - 1_000_000) / 1e5),
    s: or(["", "a", "ab", "12", "0.5"][random.below(5)]),
    tags: or([[], ["a"], ["b", "0.5", ""]][random.below(3)]),
  };
}

/** What JavaScript itself returns; "threw" where it throws, as a row's own error does. */
function outcomeOf(source: string, row: Record<string, unknown>): unknown {
  // The test's own generator wrote it.
  const fn = new Function(`"use strict"; return (${source})`)() as (row: object) => unknown;
  try {
    return fn(structuredClone(row));
  } catch {
    return threw;
  }
}
const threw = Symbol("threw");

type Read = ReturnType<typeof readRowFunction>;

/** Whether a column of the inferred type has room for the value without changing it. */
function fits(value: unknown, { type, decimals, how }: Read): boolean {
  if (type === "string" || value === undefined || value === threw) return true;
  if (value === null) return how.result === "number or null";
  if (typeof value !== "number") return false;
  return decimals > 0 || Number.isInteger(value) || !Number.isFinite(value);
}

describe("the type of a function's column, read from its text", () => {
  test("holds whatever the function returns, for any row", () => {
    const random = createRandom(20_26);
    const seen = { whole: 0, fraction: 0, text: 0 };
    for (let round = 0; round < 3_000; round++) {
      const source = randomScript(random);
      const read = readRowFunction(source, "js", find);
      seen[read.type === "string" ? "text" : read.decimals === 0 ? "whole" : "fraction"] += 1;
      if (read.type === "string") continue;
      for (let i = 0; i < 8; i++) {
        const row = randomRow(random);
        const value = outcomeOf(source, row);
        if (fits(value, read)) continue;
        expect.fail(
          `${source}\nof ${JSON.stringify(row)} is ${String(value)}, read as ${read.how.result} with ${read.decimals} decimals`,
        );
      }
    }
    // Else the agreement would say little.
    expect(seen.whole).toBeGreaterThan(200);
    expect(seen.fraction).toBeGreaterThan(200);
    expect(seen.text).toBeGreaterThan(200);
  });
});
