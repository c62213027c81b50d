import { describe, expect, it } from "vitest";
import { type BoundTerm, callTerm, constantTerm } from "./boundTerm.js";
import { withIntegers } from "./integerForm.js";

/** A column of integers as JavaScript's numbers; `max` says how large its values are. */
const column = (max: bigint, more: { decimals?: number; mayMiss?: boolean } = {}): BoundTerm =>
  ({
    ...{ kind: "slot", slot: 0, type: "int", min: 0n, max, mayOverflow: false },
    ...{ decimals: 0, mayMiss: false, ...more },
  }) as unknown as BoundTerm;
const number = (term: BoundTerm): BoundTerm => callTerm("js number", [term], "number", 0);
const compare = (fn: "js =" | "js <", left: BoundTerm, right: BoundTerm) =>
  withIntegers(callTerm(fn, [left, right], "truth", 0));
const ten = constantTerm("number", 0, 10);

describe("a comparison of JavaScript's numbers", () => {
  it("is one of integers where all are whole and small", () => {
    const sum = callTerm("js +", [number(column(100n)), ten], "number", 0);
    expect(compare("js <", sum, ten)).toMatchObject({ fn: "<", args: [{ fn: "+" }, {}] });
  });

  it.each<[what: string, left: BoundTerm]>([
    ["has a fraction", constantTerm("number", 0, 0.5)],
    ["is of a column with decimals", number(column(100n, { decimals: 2 }))],
    ["may be beyond what doubles count", number(column(2n ** 53n))],
    ["is a quotient", callTerm("js /", [number(column(100n)), ten], "number", 0)],
  ])("stays one of doubles where a side %s", (_, left) => {
    expect(compare("js <", left, ten)).toMatchObject({ fn: "js <" });
  });

  it("of two values that may both be missing stays as it is: undefined equals undefined", () => {
    const missing = number(column(100n, { mayMiss: true }));
    expect(compare("js =", missing, missing)).toMatchObject({ fn: "js =" });
    // Against a value that is there, a missing one is just not equal.
    expect(compare("js =", missing, ten)).toMatchObject({ fn: "coalesce" });
  });
});
