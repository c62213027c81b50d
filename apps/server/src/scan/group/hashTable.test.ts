import {
  createKernel,
  createSharedMemory,
  kernelReservedBytes,
  loadKernelModuleSync,
} from "@hadal/kernel-wasm";
import { expect, test } from "vitest";
import { createColumnReader } from "../../column/readColumn.js";
import { createTextReader } from "../../column/textReader.js";
import { divideMemory } from "../../memory/leafMemory.js";
import { segmentRowsMax } from "../../store/segment/segmentView.js";
import type { GroupedUnit } from "../key/groupNumbers.js";
import { allocateHashTable, QueryMemory } from "../memory/queryMemory.js";
import { allocateScratch } from "../memory/scratch.js";
import { createStringReader } from "../value/stringReader.js";
import type { SideWith } from "./groupTable.js";
import { createGroupProgress } from "./groupTables.js";
import { numberRows } from "./hashTable.js";

test("a hash table that grows while it is filled gives every key one number, in order of arrival", () => {
  const memory = createSharedMemory(64 * 2 ** 20);
  const kernel = createKernel(memory, loadKernelModuleSync());
  const leaf = divideMemory(memory, kernelReservedBytes, 48 * 2 ** 20);
  const scratch = allocateScratch(leaf.queries);
  const texts = createTextReader(memory, kernel, scratch.pages);
  const strings = createStringReader(createColumnReader(memory), texts);
  const context = { memory, kernel, strings, scratch };
  const queryMemory = new QueryMemory(leaf);
  const table = allocateHashTable(150_000, queryMemory);
  const side: SideWith<"hash"> = {
    table: { kind: "hash", groupsMax: 150_000, levels: [{ table, components: [0] }], radix: null },
    components: [{ kind: "ints", cardinality: 2n ** 61n, base: 0n }],
    ...{ counts: 0, states: [], dealt: null, preCut: null },
  };
  const progress = createGroupProgress(side);
  const address = queryMemory.allocate(segmentRowsMax * 8);
  const values = new BigInt64Array(memory.buffer, address, segmentRowsMax);
  const numbers = new Map<bigint, number>();
  let state = 1n;
  for (const [rowCount, distinct] of [
    [3, 2n],
    [8_192, 9_000n],
    [segmentRowsMax, 40_000n],
    [segmentRowsMax, 500n],
    [segmentRowsMax, 60_000n],
    [20_001, 140_000n],
  ] as const) {
    for (let row = 0; row < rowCount; row++) {
      state = BigInt.asUintN(64, state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n);
      values[row] = ((state >> 33n) % distinct) * 2n ** 43n;
    }
    const unit: GroupedUnit = {
      groups: [{ kind: "ints", values: { address, width: 8 }, base: 0n, present: 0 }],
      ...{ rowCount, times: { address, width: 8 }, timeBase: 0n },
    };
    const rows = { start: 0, count: rowCount, rows: 0 };
    const found = new Uint32Array(
      memory.buffer,
      numberRows(context, { side, unit, rows, progress }),
      rowCount,
    );
    let differing = 0;
    for (let row = 0; row < rowCount; row++) {
      const known = numbers.get(values[row]!) ?? numbers.size;
      numbers.set(values[row]!, known);
      if (found[row] !== known) differing++;
    }
    expect(differing).toBe(0);
    expect(progress.levelCounts).toEqual([numbers.size]);
    expect(progress.levelSlots[0]).toBeGreaterThanOrEqual(2 * numbers.size);
    expect(progress.levelSlots[0]).toBeLessThanOrEqual(table.slotCount);
  }
  expect(numbers.size).toBeGreaterThan(60_000);
});
