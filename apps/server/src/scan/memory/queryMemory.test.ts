import { createSharedMemory, kernelReservedBytes } from "@hadal/kernel-wasm";
import { HadalError } from "@hadal/sdk";
import { expect, test } from "vitest";
import { divideMemory } from "../../memory/leafMemory.js";
import { QueryMemory } from "./queryMemory.js";

test("small allocations share a piece, each with the slack of a separate extent, and are released with the query", () => {
  const leaf = divideMemory(createSharedMemory(64 * 2 ** 20), kernelReservedBytes, 32 * 2 ** 20);
  const query = new QueryMemory(leaf);
  const sizes = [1, 8, 48, 49, 2_048, 2_049, 0, 30_000, 64];
  const taken = Array.from({ length: 40 }, () => sizes)
    .flat()
    .map((bytes) => ({ bytes, address: query.allocate(bytes) }))
    .sort((a, b) => a.address - b.address);
  for (const [i, { address, bytes }] of taken.entries()) {
    expect(address % 64).toBe(0);
    const next = taken[i + 1];
    if (next !== undefined) expect(next.address - address).toBeGreaterThanOrEqual(bytes + 16);
  }
  expect(leaf.queries.count).toBeLessThan(3 * 40);
  query.release();
  expect(leaf.queries.usedBytes).toBe(0);
  expect(query.allocate(8)).toBeGreaterThan(0);
  expect(leaf.queries.count).toBe(1);
  query.release();
  expect(leaf.queries.usedBytes).toBe(0);
});

test("kept tables are released for a new allocation", () => {
  const leaf = divideMemory(createSharedMemory(64 * 2 ** 20), kernelReservedBytes, 32 * 2 ** 20);
  const kept = new QueryMemory(leaf);
  kept.allocate(12 * 2 ** 20);
  let isKept = true;
  const query = new QueryMemory(leaf, () => {
    if (!isKept) return false;
    kept.release();
    isKept = false;
    return true;
  });
  expect(query.fits(9 * 2 ** 20)).toBe(true);
  expect(isKept).toBe(true);
  expect(query.fits(14 * 2 ** 20)).toBe(true);
  expect(isKept).toBe(false);
  expect(query.fits(20 * 2 ** 20)).toBe(false);
});

test("greedy queries are refused with the limit's name, and a small one still finds room (F20)", () => {
  const leaf = divideMemory(createSharedMemory(64 * 2 ** 20), kernelReservedBytes, 32 * 2 ** 20);
  const greedy = Array.from({ length: 12 }, () => new QueryMemory(leaf));
  for (const query of greedy) {
    let refusal: unknown = null;
    for (let bytes = 2 ** 20; refusal === null; ) {
      try {
        query.allocate(bytes);
      } catch (error) {
        // To the last kilobyte it may have.
        if (bytes > 2 ** 10) bytes /= 2;
        else refusal = error;
      }
    }
    expect(refusal).toBeInstanceOf(HadalError);
    expect(refusal).toMatchObject({ code: "query-memory" });
    expect(String(refusal)).toContain("queryPoolBytes");
  }
  const small = new QueryMemory(leaf);
  expect(small.allocate(1_024)).toBeGreaterThan(0);
  for (const query of [...greedy, small]) query.release();
  expect(leaf.queries.usedBytes).toBe(0);
});
