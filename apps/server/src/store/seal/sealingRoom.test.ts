import {
  createKernel,
  createSharedMemory,
  kernelReservedBytes,
  loadKernelModuleSync,
} from "@hadal/kernel-wasm";
import { expect, test } from "vitest";
import type { BatchColumn } from "../../base/row/rowBatch.js";
import { divideMemory } from "../../memory/leafMemory.js";
import { sealingProblem } from "../columns/storageProblems.js";
import { TableColumns } from "../columns/tableColumns.js";
import { OpenSegment } from "../open/openSegment.js";
import { sealSegment } from "./sealSegment.js";

const mib = 2 ** 20;
const rowCount = 65_536;
let state = 1n;
/** By Knuth's constants. */
const random64 = (): bigint => {
  state = BigInt.asIntN(64, state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n);
  return state;
};

/** Nothing that a seal could make smaller, and in every column a value is missing. */
function ints(name: string, bits: number): BatchColumn {
  const values = new BigInt64Array(rowCount).map(() => BigInt.asIntN(bits, random64() >> 16n));
  const present = new Uint8Array(rowCount).fill(1);
  present[7] = 0;
  return { name, type: "int", decimals: 0, values, present };
}

const rates: BatchColumn = {
  ...({ name: "sample_rate", type: "int", decimals: 0, present: null } as const),
  values: new BigInt64Array(rowCount).map((_, i) => BigInt(1 + (i % 1000))),
};

/** As many strings as rows, 40 bytes each. */
const strings: BatchColumn = {
  ...({ name: "s", type: "string" } as const),
  dictionary: Array.from({ length: rowCount }, () => `${random64()}`.padEnd(40, `${random64()}`)),
  codes: Uint32Array.from({ length: rowCount }, (_, i) => i + 1),
};

const wide = (count: number, bits: number) =>
  Array.from({ length: count }, (_, i) => ints(`c${i}`, bits));

test.each([
  { name: "one column", columns: wide(1, 32) },
  { name: "no column", columns: [] },
  { name: "many of 32 bits", columns: wide(60, 32) },
  { name: "many of 64 bits", columns: wide(20, 48) },
  { name: "many with weights", columns: [rates, ...wide(20, 32)] },
  { name: "strings", columns: [strings, ...wide(2, 32)] },
  { name: "texts", columns: [strings, ...wide(2, 32)], asText: true },
])(
  "$name: rows are sealed, or refused before anything is taken, however little is free",
  ({ columns, asText = false }: { columns: readonly BatchColumn[]; asText?: boolean }) => {
    const memory = createSharedMemory(96 * mib);
    const leaf = divideMemory(memory, kernelReservedBytes, mib);
    const kernel = createKernel(memory, loadKernelModuleSync());
    const tableColumns = new TableColumns();
    const open = new OpenSegment(leaf, kernel);
    tableColumns.take({ rowCount: 0, times: new Float64Array(0), columns });
    const times = Float64Array.from({ length: rowCount }, (_, i) => (i * 7_919) % rowCount);
    const batch = { rowCount, times, columns };
    open.reserve(batch, (column) =>
      asText && column === "s" ? { kind: "text" } : tableColumns.layoutOf(column),
    );
    open.append(batch);
    const outcomes = { sealed: 0, refused: 0 };
    const { store } = leaf;
    const most = Math.min(store.largestFreeBytes, Math.ceil(open.bytes * 1.2) + 8 * mib);
    for (let freeBytes = most; freeBytes > 0; freeBytes -= mib / 4) {
      const taken = store.allocate(store.largestFreeBytes - freeBytes - 128);
      const usedBytes = store.usedBytes;
      if (sealingProblem(open, leaf) === null) {
        const sealed = sealSegment(open.view(), 1, { memory: leaf, kernel });
        expect(sealed.rowCount).toBe(rowCount);
        for (const address of sealed.extents) store.release(address);
        outcomes.sealed++;
      } else outcomes.refused++;
      expect(store.usedBytes).toBe(usedBytes);
      if (taken !== null) store.release(taken);
    }
    expect(outcomes.sealed).toBeGreaterThan(0);
    expect(outcomes.refused).toBeGreaterThan(0);
  },
);
