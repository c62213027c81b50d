import { createSharedMemory, kernelReservedBytes } from "@hadal/kernel-wasm";
import { HadalError } from "@hadal/sdk";
import { expect, test } from "vitest";
import { divideMemory } from "../memory/leafMemory.js";
import { QueryMemory } from "./queryMemory.js";

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
