import fc from "fast-check";
import { expect, test } from "vitest";
import { createGroupProgress } from "../group/groupTables.js";
import type { SideTask } from "../task/scanTask.js";
import { createScanMemory } from "../testing/scanMemory.js";
import { readSideAnswer } from "./readAnswer.js";

const { memory, kernel, leaf, scratch } = createScanMemory(128, 96);

/**
 * What the kernel's limbs hold after this many rows of these values: each row adds 32 bits to a limb.
 */
function limbsOf(values: readonly (readonly [value: bigint, rows: bigint])[]): bigint[] {
  const limbs = [0n, 0n, 0n];
  for (const [value, rows] of values) {
    limbs[0]! += rows * (value & 0xffff_ffffn);
    limbs[1]! += rows * ((value >> 32n) & 0xffff_ffffn);
    limbs[2]! += rows * (value >> 64n);
  }
  return limbs;
}

/** As a scan of one group reads it. */
function readWideSum(limbs: readonly bigint[]): bigint {
  const address = leaf.queries.allocate(64)!;
  new BigInt64Array(memory.buffer, address, 8).set([...limbs, 1n, 0n, 0n, 0n, 0n]);
  const side: SideTask = {
    table: { kind: "single" },
    dealt: null,
    components: [],
    counts: address + 24,
    states: [{ kind: "sum", sums: address, wide: true, lows: 0, weights: 0 }],
    preCut: null,
  };
  const [sum] = readSideAnswer({ memory, kernel, scratch }, side, createGroupProgress(side)).states;
  leaf.queries.release(address);
  if (sum?.kind !== "sum") throw new Error("a sum was asked for");
  return BigInt(sum.hi[0]!) * 2n ** 32n + BigInt(sum.lo[0]!);
}

test("wide sums are exact however many rows their limbs have summed", () => {
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const rows = fc.bigInt({ min: 0n, max: 2n ** 28n });
  fc.assert(
    fc.property(fc.array(fc.tuple(int64, rows), { minLength: 1, maxLength: 5 }), (values) => {
      const sum = values.reduce((total, [value, count]) => total + value * count, 0n);
      // Beyond that a sum counts as overflowed, whatever its digits are.
      fc.pre(sum >= -(2n ** 85n) && sum < 2n ** 85n);
      expect(readWideSum(limbsOf(values))).toBe(sum);
    }),
  );
  // Odd, and more rows than a double has bits for their lower halves.
  expect(readWideSum(limbsOf([[-1n, 3_000_001n]]))).toBe(-3_000_001n);
});

test("keys of groups come apart as they were put together: buckets, codes, integers about any base", () => {
  const bases = [
    0n,
    5n,
    -7n,
    -1n,
    2n ** 31n,
    -(2n ** 40n),
    2n ** 52n - 3n,
    2n ** 60n,
    -(2n ** 63n),
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...bases),
      fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }), fc.nat(8)),
      fc.array(fc.nat(3), { minLength: 9 * 9 * 9, maxLength: 9 * 9 * 9 }),
      (base, [buckets, codes, span], rows) => {
        const ints = span + 1;
        const groupCount = buckets * codes * ints;
        const counts = leaf.queries.allocate(groupCount * 4)!;
        new Uint32Array(memory.buffer, counts, groupCount).set(rows.slice(0, groupCount));
        const side: SideTask = {
          table: { kind: "direct", groupCount, strides: [codes * ints, ints, 1], tallies: 0 },
          dealt: null,
          components: [
            { kind: "time", cardinality: BigInt(buckets), edges: 0, edgeCount: 0 },
            { kind: "codes", cardinality: BigInt(codes), firstVirtualCode: codes },
            { kind: "ints", cardinality: BigInt(ints), base },
          ],
          ...{ counts, states: [{ kind: "rows" }], preCut: null },
        };
        const read = readSideAnswer({ memory, kernel, scratch }, side, createGroupProgress(side));
        leaf.queries.release(counts);
        const present = Array.from({ length: groupCount }, (_, group) => group).filter(
          (group) => rows[group]! > 0,
        );
        const [time, code, int] = read.keys;
        const parts = (divisor: number, of: number) =>
          present.map((group) => Math.floor(group / divisor) % of);
        expect(time?.kind === "bucket" && [...time.indexes]).toEqual(parts(codes * ints, buckets));
        expect(code?.kind === "codes" && [...code.codes]).toEqual(parts(ints, codes));
        const numbers = parts(1, ints);
        expect(int?.kind === "int" && [...int.present]).toEqual(numbers.map((n) => Number(n > 0)));
        expect(int?.kind === "int" && [...int.values]).toEqual(
          numbers.map((n) => (n === 0 ? 0n : base + BigInt(n) - 1n)),
        );
      },
    ),
  );
});
