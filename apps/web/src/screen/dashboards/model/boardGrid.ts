import { type DashboardTile, dashboardColumns } from "@hadal/sdk";
import { type LayoutItem, moveElement, verticalCompactor } from "react-grid-layout/core";

/** A place on the grid: columns and rows. */
export interface Cell {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

const sizeOf = (tile: DashboardTile): Pick<Cell, "w" | "h"> => {
  const isLine = "divider" in tile;
  const [w, h] = isLine ? [dashboardColumns, 1] : [4, 4];
  return { w: tile.w ?? w, h: tile.h ?? h };
};

/** The place of every tile of a section; those without one go below the others, and none overlap. */
export function cellsOf(tiles: readonly DashboardTile[]): ReadonlyMap<string, Cell> {
  const placed = tiles.filter(({ x, y }) => x !== undefined && y !== undefined);
  let bottom = Math.max(0, ...placed.map((tile) => (tile.y ?? 0) + sizeOf(tile).h));
  let right = 0;
  let rowHeight = 0;
  const items = tiles.map((tile): LayoutItem => {
    const size = sizeOf(tile);
    const own = { i: tile.id, ...size };
    if (tile.x !== undefined && tile.y !== undefined) {
      return { ...own, x: Math.min(tile.x, dashboardColumns - size.w), y: tile.y };
    }
    if (right + size.w > dashboardColumns) {
      bottom += rowHeight;
      right = 0;
      rowHeight = 0;
    }
    const item = { ...own, x: right, y: bottom };
    right += size.w;
    rowHeight = Math.max(rowHeight, size.h);
    return item;
  });
  return cellsOfItems(verticalCompactor.compact(items, dashboardColumns));
}

/** The cells after a tile was moved or resized; the others make room. */
export function withCell(
  cells: ReadonlyMap<string, Cell>,
  id: string,
  wanted: Cell,
): ReadonlyMap<string, Cell> {
  const w = Math.max(1, Math.min(wanted.w, dashboardColumns));
  const x = Math.max(0, Math.min(wanted.x, dashboardColumns - w));
  const cell = { x, y: Math.max(0, wanted.y), w, h: Math.max(1, wanted.h) };
  const items = [...cells].map(
    ([i, one]): LayoutItem => (i === id ? { i, ...one, w: cell.w, h: cell.h } : { i, ...one }),
  );
  const moved = items.find(({ i }) => i === id);
  if (moved === undefined) return cells;
  const isInPlace = moved.x === cell.x && moved.y === cell.y;
  const next = isInPlace
    ? items
    : moveElement(items, moved, cell.x, cell.y, true, false, "vertical", dashboardColumns);
  return cellsOfItems(verticalCompactor.compact(next, dashboardColumns));
}

/** How far a step may have to reach until it passes the tiles in its way. */
const reachMax = 100;

/** The cells after a tile was moved one step; a step past a tile in its way is as long as it must be. */
export function withStep(
  cells: ReadonlyMap<string, Cell>,
  id: string,
  { x, y }: Pick<Cell, "x" | "y">,
): ReadonlyMap<string, Cell> {
  const cell = cells.get(id);
  if (cell === undefined) return cells;
  for (let reach = 1; reach <= reachMax; reach++) {
    const wanted = { ...cell, x: cell.x + x * reach, y: cell.y + y * reach };
    const next = withCell(cells, id, wanted);
    const placed = next.get(id);
    if (placed === undefined || placed.x !== cell.x || placed.y !== cell.y) return next;
    if (wanted.x < 0 || wanted.y < 0 || wanted.x >= dashboardColumns) return cells;
  }
  return cells;
}

const cellsOfItems = (items: readonly LayoutItem[]): ReadonlyMap<string, Cell> =>
  new Map(items.map(({ i, x, y, w, h }) => [i, { x, y, w, h }]));
