import { expect, test } from "vitest";
import { isFull } from "../../column/dictionary.js";
import { OpenSegment } from "../open/openSegment.js";
import { createLeafContext } from "../testing/leafContext.js";
import { batchOfRows } from "../testing/plainRows.js";
import { rescaleBatch } from "./rescaleBatch.js";
import { TableColumns } from "./tableColumns.js";
import { outgrownColumns } from "./textOrCodes.js";

test("a column with too many values is stored as text until its values are gone, also when they came slowly", () => {
  const { memory, kernel } = createLeafContext(192 * 2 ** 20, () => {});
  const columns = new TableColumns();
  const words = ["a", "b", "c"];
  const batch = batchOfRows(words.map((word) => ({ time: 0, values: new Map([["word", word]]) })));
  columns.take(batch);
  const layoutOf = (name: string) => columns.layoutOf(name);
  const open = new OpenSegment(memory, kernel);
  const ready = rescaleBatch(batch, layoutOf);
  open.reserve(ready, layoutOf);
  open.append(ready);
  // One code stands for missing.
  const codes = words.length + 1;
  expect([...outgrownColumns(open, codes)]).toEqual([]);
  expect([...outgrownColumns(open, codes - 1)]).toEqual(["word"]);
  columns.storeAsText("word");
  columns.storeAsCodes("word", codes - 1);
  expect(columns.layoutOf("word").kind).toBe("text");
  columns.storeAsCodes("word", codes);
  expect(columns.layoutOf("word").kind).toBe("coded");
  expect(isFull({ codeCount: 2, storedBytes: 300_000_000 })).toBe(true);
  columns.storeAsText("word");
  columns.keepDictionariesOf([]);
  columns.storeAsCodes("word", codes - 1);
  expect(columns.layoutOf("word").kind).toBe("coded");
});
