import { expect, test } from "vitest";
import { batchRowsMax, columnsMax } from "../../base/row/rowBatch.js";
import { storeReserveBytes } from "../segment/tableContext.js";
import { createLeafContext } from "../testing/leafContext.js";
import { batchOfRows } from "../testing/plainRows.js";
import { batchProblem, minutesMax } from "./storageProblems.js";
import { TableColumns } from "./tableColumns.js";

const { memory } = createLeafContext(192 * 2 ** 20, () => {});
const batch = batchOfRows([{ time: 0, values: new Map([["n", 1n]]) }]);
const columnsOf = (count: number): TableColumns => {
  const columns = new TableColumns();
  const values = new BigInt64Array(1);
  const named = Array.from({ length: count }, (_, i) => `c${i}`);
  const form = { type: "int", decimals: 0, values, present: null } as const;
  const times = new Float64Array(1);
  columns.take({ rowCount: 1, times, columns: named.map((name) => ({ name, ...form })) });
  return columns;
};
const none = columnsOf(0);

test("a batch is taken up to each bound, and refused beyond it with the bound in words", () => {
  const spare = memory.store.freeBytes - storeReserveBytes;
  memory.open.bytes = spare;
  expect(batchProblem(batch, none, memory, 0)).toBeNull();
  memory.open.bytes++;
  expect(batchProblem(batch, none, memory, 0)).toMatchObject({ code: "storage-full" });
  memory.open.bytes = 0;
  expect(batchProblem({ ...batch, rowCount: batchRowsMax }, none, memory, 0)).toBeNull();
  const tooLong = batchProblem({ ...batch, rowCount: batchRowsMax + 1 }, none, memory, 0);
  expect(tooLong?.message).toContain(`${batchRowsMax} rows`);
  expect(batchProblem(batch, columnsOf(columnsMax - 1), memory, 0)).toBeNull();
  const tooWide = batchProblem(batch, columnsOf(columnsMax), memory, 0);
  expect(tooWide?.message).toContain(`${columnsMax} columns`);
  expect(batchProblem(batch, none, memory, minutesMax)).toBeNull();
  const tooMany = batchProblem(batch, none, memory, minutesMax + 1);
  expect(tooMany?.message).toContain(`${minutesMax} different minutes`);
});
