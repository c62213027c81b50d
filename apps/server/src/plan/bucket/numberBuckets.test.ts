import { HadalError } from "@hadal/sdk";
import { describe, expect, it } from "vitest";
import { resolveNumberBuckets } from "./numberBuckets.js";

const price = { name: "price", type: "int", decimals: 2 } as const;

describe("number buckets", () => {
  it("are edges in units of the column's last digit", () => {
    const buckets = resolveNumberBuckets(price, { bucket: "price", edges: [-1, 0.5, "20"] }, "g");
    expect(buckets).toEqual({ kind: "edges", bounds: ["-100", "50", "2000"] });
  });

  it("are steps of a width, exact beyond what a double can say", () => {
    const ints = { name: "n", type: "int", decimals: 0 } as const;
    const buckets = resolveNumberBuckets(ints, { bucket: "n", width: "9007199254740993" }, "g");
    expect(buckets).toEqual({ kind: "steps", step: "9007199254740993" });
  });

  it("of scale log are 1, 2 and 5 times powers of ten to either side of 0, within 64 bits", () => {
    const buckets = resolveNumberBuckets(price, { bucket: "price", scale: "log" }, "g");
    if (buckets.kind !== "edges") return expect.fail("they are edges");
    const bounds = buckets.bounds.map(BigInt);
    const zero = bounds.indexOf(0n);
    expect(bounds.slice(zero - 3, zero + 7)).toEqual([
      -5n,
      -2n,
      -1n,
      0n,
      1n,
      2n,
      5n,
      10n,
      20n,
      50n,
    ]);
    expect(bounds[0]).toBe(-(2n ** 63n));
    expect(bounds.at(-1)).toBe(5_000_000_000_000_000_000n);
    expect(bounds).toEqual(bounds.toSorted((a, b) => (a < b ? -1 : 1)));
  });

  it.each([["0.001"], ["1e30"], ["abc"]])("are refused with the edge %s, by its path", (edge) => {
    try {
      resolveNumberBuckets(price, { bucket: "price", edges: ["0", edge] }, "groupBy[0]");
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      expect(error.code).toBe("type-mismatch");
      expect(error.errors).toMatchObject([{ path: "groupBy[0].edges[1]" }]);
      return;
    }
    expect.fail("it was accepted");
  });
});
