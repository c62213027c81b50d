import { expect, test } from "vitest";
import { type ListedTable, type Sort, sortAfterClick, sortTables } from "./tableColumns.js";

test("tables sort by any column; missing values come last in both directions", () => {
  const table = (name: string, rate: number | null) => ({ name, rate }) as ListedTable;
  const all = [table("b", null), table("a", 5), table("c", 50)];
  const names = (direction: Sort["direction"]) =>
    sortTables(all, { by: "rate", direction }).map(({ name }) => name);
  expect([names("descending"), names("ascending")]).toEqual([
    ["c", "a", "b"],
    ["a", "c", "b"],
  ]);
});

test("a click sorts numbers descending and names ascending first, then the other way", () => {
  const byName: Sort = { by: "name", direction: "ascending" };
  const byRows: Sort = { by: "rows", direction: "descending" };
  expect(sortAfterClick(byName, "rows")).toEqual(byRows);
  expect(sortAfterClick(byRows, "rows")).toEqual({ by: "rows", direction: "ascending" });
  expect(sortAfterClick(byRows, "name")).toEqual(byName);
  expect(sortAfterClick(byName, "name")).toEqual({ by: "name", direction: "descending" });
});
