import type { ColumnInfo, Facet, TableDetail } from "@hadal/sdk";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { ColumnTable } from "./ColumnTable.js";
import type { Distinct } from "./useDistinct.js";

const column = (name: string, more: Partial<ColumnInfo> = {}): ColumnInfo => ({
  ...{ name, type: "int", decimals: 0, rows: 250, bytes: 1_000 },
  ...more,
});
const table = (columns: readonly ColumnInfo[]) =>
  ({ name: "visits", columns, rows: 1_000, bytes: 4_000 }) as unknown as TableDetail;
const notCounted: Distinct = { facets: null, counting: false, problem: null, count: () => {} };
const counted = (facets: Readonly<Record<string, Partial<Facet>>>): Distinct => ({
  ...notCounted,
  facets: new Map(Object.entries(facets) as [string, Facet][]),
});

/** The words of each row, cell by cell; the first has the heads. */
function cells(detail: TableDetail, distinct: Distinct = notCounted): string[][] {
  const html = renderToStaticMarkup(<ColumnTable table={detail} distinct={distinct} />);
  const rows = html.match(/<tr.*?<\/tr>/g) ?? [];
  return rows.map((row) =>
    (row.match(/<t[hd].*?<\/t[hd]>/g) ?? []).map((cell) =>
      cell.replace(/<[^>]*>/g, "").replace(/\s/g, " "),
    ),
  );
}

describe("the columns of a table", () => {
  test("are shown with their share of filled rows and what a value takes", () => {
    expect(
      cells(table([column("ms", { compressionRatio: 2.5 }), column("none", { rows: 0 })])),
    ).toEqual([
      ["Column", "Type", "Filled", "Distinct values", "Memory", "Bytes/value", "Ratio"],
      ["ms", "integer", "25 %", "–", "1000 B", "4 B", "2.5×"],
      ["none", "integer", "0 %", "–", "1000 B", "–", "–"],
    ]);
  });

  test("say nothing of sizes to whoever may read only some of the rows", () => {
    const { rows: _rows, bytes: _bytes, ...part } = table([column("ms")]);
    const { rows: _of, bytes: _in, ...known } = column("ms");
    expect(cells({ ...part, columns: [known] } as unknown as TableDetail)).toEqual([
      ["Column", "Type", "Distinct values"],
      ["ms", "integer", "–"],
    ]);
  });

  test("never show an estimate as a count", () => {
    const columns = ["exact", "about", "beyond", "other"].map((name) => column(name));
    const distinct = counted({
      exact: { distinct: 12, distinctIsExact: true },
      about: { distinct: 12_000, distinctIsExact: false },
      beyond: { distinct: null, distinctIsExact: false },
    });
    const shown = cells(table(columns), distinct).slice(1);
    expect(shown.map((row) => row[3])).toEqual(["12", "≈ 12 k", "too many to count", "–"]);
  });

  test.each([
    [{ type: "int", decimals: 2 }, "decimal, 2 places"],
    [{ type: "int", decimals: 0, unit: "us" }, "integer, µs"],
    [{ type: "vector", decimals: 0 }, "vector"],
  ] as const)("of %o are called %s", (more, text) => {
    expect(cells(table([column("a", more)]))[1]?.[1]).toBe(text);
  });

  test("have a search box where they are many, and the first hundred are drawn", () => {
    const html = (count: number) =>
      renderToStaticMarkup(
        <ColumnTable
          table={table(Array.from({ length: count }, (_, i) => column(`c${i}`)))}
          distinct={notCounted}
        />,
      );
    expect(html(20)).not.toContain('aria-label="Search columns"');
    expect(html(21)).toContain('aria-label="Search columns"');
    expect(html(101).match(/data-testid="column"/g)).toHaveLength(100);
    expect(html(101)).toContain("Show all 101");
  });
});
