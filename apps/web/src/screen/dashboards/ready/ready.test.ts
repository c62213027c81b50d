import type { ColumnInfo, Completeness, Dashboard, TableDetail } from "@hadal/sdk";
import { checkDashboard } from "@hadal/sdk/checks";
import { expect, test } from "vitest";
import { stateOfTile } from "../../../draft/tile/stateOfTile.js";
import { sectionsOf, tilesOf } from "../model/boardEdits.js";
import { cellsOf } from "../model/boardGrid.js";
import { boardOfTable } from "./boardOfTable.js";
import { releasesOf } from "./releases.js";
import { isDemoTable, siteOverview } from "./siteOverview.js";

/** Views that show a tile as something else than what it says. */
const misread = (board: Dashboard): readonly string[] =>
  tilesOf(board).flatMap((tile) =>
    "query" in tile && stateOfTile(tile).view !== tile.view ? [tile.id] : [],
  );

/** Tiles that are not where they say, because another one is in the way. */
const displaced = (board: Dashboard): readonly string[] =>
  sectionsOf(board).flatMap(({ tiles }) => {
    const cells = cellsOf(tiles);
    return tiles.flatMap(({ id, x, y }) =>
      cells.get(id)?.x === x && cells.get(id)?.y === y ? [] : [id],
    );
  });

test("“Site overview” is a sound board of 24 tiles in 4 sections", () => {
  expect(() => checkDashboard(siteOverview)).not.toThrow();
  expect([sectionsOf(siteOverview).length, tilesOf(siteOverview).length]).toEqual([4, 24]);
  expect(misread(siteOverview)).toEqual([]);
  expect(displaced(siteOverview)).toEqual([]);
});

const column = (name: string, type: ColumnInfo["type"], bytes = 1): ColumnInfo => ({
  ...{ name, type, decimals: 0, rows: 10, bytes: bytes * 10, compressionRatio: null },
});
const table = (columns: readonly ColumnInfo[], toMs: number | null): TableDetail =>
  ({ name: "visits", columns, fromMs: toMs === null ? null : 0, toMs }) as unknown as TableDetail;

test("any table has a board of its columns", () => {
  const columns = [
    ...[column("time", "int"), column("page", "string"), column("message", "string", 50)],
    ...[column("tags", "set"), column("x".repeat(255), "int")],
  ];
  const board = boardOfTable(table(columns, 1_000_000), 1_000_000);
  expect(() => checkDashboard(board)).not.toThrow();
  expect(tilesOf(board).map(({ id }) => id)).toEqual([
    ...["rows", "rows-over-time", "values-0", "values-1", "over-time-0", "distribution-0"],
  ]);
  expect(misread(board)).toEqual([]);
  expect(displaced(board)).toEqual([]);
  expect(board).toMatchObject({ from: "-24h", variables: [{ column: "page" }] });
  expect(isDemoTable({ columns })).toBe(false);
});

test("an old table shows its whole range, an empty one its volume", () => {
  const dayMs = 86_400_000;
  expect(boardOfTable(table([], dayMs), 9 * dayMs)).toMatchObject({
    from: "1970-01-01T00:00:00.000Z",
  });
  expect(tilesOf(boardOfTable(table([], null)))).toHaveLength(2);
});

const completeness: Completeness = {
  fraction: 1,
  leaves: { answered: 2, total: 2, missing: [] },
};

test("each release of the demo is an annotation, but for those that began before the rows", () => {
  const day = 86_400_000;
  const rows = [
    ["5.26.1", 9 * day],
    [null, day],
    ["5.26.0", 6 * day],
    ["5.25.3", day],
    ["5.25.2", 1.5 * day],
  ];
  expect(releasesOf({ rows, completeness }).map(({ title, time }) => [title, time])).toEqual([
    ["Release 5.26.1", 9 * day],
    ["Release 5.26.0", 6 * day],
  ]);
  expect(releasesOf({ rows: [], completeness })).toEqual([]);
  const partial = { ...completeness, fraction: 0.5 };
  expect(releasesOf({ rows, completeness: partial })).toEqual([]);
});
