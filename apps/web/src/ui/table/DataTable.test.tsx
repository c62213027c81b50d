import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { type DataColumn, DataTable } from "./DataTable.js";

interface Row {
  readonly name: string;
  readonly rows: number;
}

const columns: readonly DataColumn<Row>[] = [
  {
    key: "name",
    head: "Name",
    cell: ({ name }) => name,
    sort: { state: "descending", onSort: () => {} },
  },
  { key: "rows", head: "Rows", align: "right", wideOnly: true, cell: ({ rows }) => rows },
];

const shown = (rows: readonly Row[]): string =>
  renderToStaticMarkup(
    <DataTable
      label="Tables"
      columns={columns}
      rows={rows}
      rowKey={({ name }) => name}
      empty="No tables yet."
    />,
  );

describe("a table of data", () => {
  test("says which column orders it, to screen readers too; others have no button", () => {
    const [name, rows] = shown([]).match(/<th[^>]*>.*?<\/th>/g) ?? [];
    expect(name).toContain('aria-sort="descending"');
    expect(name).toMatch(/<button[^>]*>Name<span aria-hidden="true"> ↓<\/span><\/button>/);
    expect(rows).not.toContain("aria-sort");
    expect(rows).not.toContain("<button");
  });

  test("without rows says so over its whole width, with rows it does not", () => {
    expect(shown([])).toMatch(/<td colSpan="2"[^>]*>No tables yet\.<\/td>/);
    const filled = shown([{ name: "visits", rows: 7 }]);
    expect(filled).not.toContain("No tables yet.");
    expect(filled.match(/<td[^>]*>[^<]*<\/td>/g)).toEqual([
      "<td>visits</td>",
      '<td data-align="right" data-wide="true">7</td>',
    ]);
  });

  test("shows what rows say as text, never as markup", () => {
    expect(shown([{ name: "<img src=x onerror=alert(1)>", rows: 1 }])).not.toContain("<img");
  });

  test("can be scrolled by keys: it is a region with a name that takes the focus", () => {
    expect(shown([])).toMatch(/<section[^>]*aria-label="Tables"[^>]*tabindex="0"/i);
  });
});
