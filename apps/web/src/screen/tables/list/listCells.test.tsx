import { createElement, Fragment } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { formatExact } from "../../../format/number.js";
import { type ListedTable, noSizes, type Sort, tableColumns } from "./tableColumns.js";

const listed = (more: Partial<ListedTable>): ListedTable =>
  ({
    ...{ ...noSizes, name: "a/b c", rate: null, lagMs: null },
    retention: { maxAgeMs: null, maxBytes: null },
    ...more,
  }) as ListedTable;
const byRows: Sort = { by: "rows", direction: "descending" };

/** The cells of a table in the list, by column. */
function cells(table: ListedTable): Readonly<Record<string, string>> {
  return Object.fromEntries(
    tableColumns(byRows, () => {}).map(({ key, cell }) => [
      key,
      renderToStaticMarkup(createElement(Fragment, null, cell(table))),
    ]),
  );
}
const words = (html = ""): string => html.replace(/<[^>]*>/g, "").replace(/\s/g, " ");

describe("a table in the list of tables", () => {
  test("of which only some rows may be read has no sizes and no ages", () => {
    const { rows, bytes, perRow, ratio, lag, span } = cells(listed({}));
    expect([rows, bytes, perRow, ratio, lag, span].map(words)).toEqual(Array(6).fill("–"));
  });

  test("has exact numbers behind the short ones", () => {
    const { rows, bytes } = cells(listed({ rows: 1_234_567, bytes: 98_765 }));
    expect([words(rows), words(bytes)]).toEqual(["1.23 M", "96.5 KiB"]);
    expect(rows).toContain(`title="${formatExact(1_234_567)}"`);
    expect(bytes).toContain(`title="${formatExact(98_765)} bytes"`);
  });

  test("leads to its page and to Explore, whatever its name is", () => {
    const { name, explore } = cells(listed({}));
    expect(name).toContain('href="/tables/a%2Fb%20c"');
    expect(explore).toMatch(/href="\/explore\?[^"]*a%2Fb(\+|%20)c/);
  });

  test("is sorted by the column that says so", () => {
    const states = tableColumns(byRows, () => {}).map(({ key, sort }) => [key, sort?.state]);
    expect(states.filter(([, state]) => state !== undefined && state !== "none")).toEqual([
      ["rows", "descending"],
    ]);
  });
});
