import { expect, test } from "vitest";
import type { BatchColumn, IntBatchColumn, RowBatch } from "../../base/row/rowBatch.js";
import { TableColumns } from "./tableColumns.js";

const ints = (decimals: number, value: bigint, set?: "decimals"): IntBatchColumn => ({
  ...{ name: "x", type: "int", decimals, values: BigInt64Array.of(value), present: null },
  ...(set === undefined ? {} : { set }),
});
const strings: BatchColumn = {
  ...{ name: "x", type: "string", dictionary: ["a"], codes: Uint32Array.of(1) },
};
const batchOf = (...columns: BatchColumn[]): RowBatch => ({
  ...{ rowCount: 1, times: new Float64Array(1), columns },
});
const namesOf = ({ columns }: RowBatch): readonly string[] => columns.map(({ name }) => name);
const large = 10n ** 18n;

test("each type has its place: the first under the column's name, large integers apart from decimals", () => {
  const columns = new TableColumns();
  expect(namesOf(columns.take(batchOf(ints(0, large))))).toEqual(["x"]);
  expect(columns.changes(strings)).toBe(false);
  expect(namesOf(columns.take(batchOf(strings)))).toEqual(["x\u0000string"]);
  // What is open has no decimals, and is sealed first.
  expect(columns.changes(ints(6, 5n))).toBe(true);
  expect(namesOf(columns.take(batchOf(ints(6, 5n), ints(0, large))))).toEqual(["x", "x\u0000int0"]);
  expect(columns.changes(ints(0, large))).toBe(false);
  expect(namesOf(columns.take(batchOf(ints(0, 7n))))).toEqual(["x"]);
  expect(columns.layoutOf("x")).toEqual({ kind: "int", decimals: 6 });
  expect(columns.layoutOf("x\u0000int0")).toEqual({ kind: "int", decimals: 0 });
  expect([...columns.names]).toEqual(["x"]);
});

test("configured decimals apply also where rows had more", () => {
  const columns = new TableColumns();
  columns.take(batchOf(ints(6, 5n)));
  const set = ints(0, large, "decimals");
  expect(columns.changes(set)).toBe(true);
  expect(namesOf(columns.take(batchOf(set)))).toEqual(["x"]);
  expect(columns.layoutOf("x")).toEqual({ kind: "int", decimals: 0 });
});

test("segments of files find their places in any order", () => {
  const columns = new TableColumns();
  const form = (type: "int" | "string", decimals = 0) => ({ type, decimals });
  expect(columns.placeOfStored("x\u0000string", form("string"))).toBe("x");
  expect(columns.placeOfStored("x", form("int", 6))).toBe("x\u0000int");
  expect(columns.placeOfStored("x\u0000int0", form("int"))).toBe("x\u0000int0");
  // As versions wrote them in which a column had one type.
  expect(columns.placeOfStored("x", form("string"))).toBe("x");
  expect(namesOf(columns.take(batchOf(ints(6, 5n), strings)))).toEqual(["x\u0000int", "x"]);
});

test("a column is all of one form only where no row ever differed", () => {
  const columns = new TableColumns();
  columns.take(batchOf(ints(0, 5n)));
  expect(columns.isAll("x", { type: "int", decimals: 0 })).toBe(true);
  expect(columns.isAll("x", { type: "int", decimals: 6 })).toBe(false);
  expect(columns.isAll("x", { type: "string", decimals: 0 })).toBe(false);
  expect(columns.isAll("unknown", { type: "int", decimals: 0 })).toBe(true);
  columns.take(batchOf(ints(6, 5n)));
  expect(columns.isAll("x", { type: "int", decimals: 6 })).toBe(false);
  columns.narrow([]);
  expect(columns.isAll("x", { type: "int", decimals: 6 })).toBe(true);
  columns.take(batchOf(strings));
  expect(columns.isAll("x", { type: "int", decimals: 6 })).toBe(false);
});
