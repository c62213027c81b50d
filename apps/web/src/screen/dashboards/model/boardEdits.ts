import type { Dashboard, DashboardSection, DashboardTile } from "@hadal/sdk";
import { type Cell, cellsOf, withCell, withStep } from "./boardGrid.js";

/** All edits of a board. The screen changes it only by these. */
export type BoardEdit =
  | { readonly kind: "add tile"; readonly tile: DashboardTile; readonly section?: number }
  | { readonly kind: "replace tile"; readonly tile: DashboardTile }
  | { readonly kind: "duplicate tile"; readonly id: string; readonly as: string }
  | { readonly kind: "remove tile"; readonly id: string }
  | { readonly kind: "place tile"; readonly id: string; readonly cell: Cell }
  /** By one column or row, as an arrow key does. */
  | { readonly kind: "step tile"; readonly id: string; readonly x: number; readonly y: number }
  | { readonly kind: "move tile"; readonly id: string; readonly section: number }
  | { readonly kind: "add section"; readonly title: string }
  | { readonly kind: "rename section"; readonly index: number; readonly title: string }
  | { readonly kind: "fold section"; readonly index: number; readonly folded: boolean }
  | { readonly kind: "move section"; readonly index: number; readonly by: -1 | 1 }
  /** Its tiles go with it. */
  | { readonly kind: "remove section"; readonly index: number }
  /** Time, comparison, filters and variables. */
  | { readonly kind: "set bar"; readonly board: Dashboard };

export const sectionsOf = ({ sections = [] }: Dashboard): readonly DashboardSection[] => sections;

export const tilesOf = (board: Dashboard): readonly DashboardTile[] =>
  sectionsOf(board).flatMap(({ tiles }) => tiles);

/** The board after an edit; the same board when the edit changes nothing. */
export function editBoard(board: Dashboard, edit: BoardEdit): Dashboard {
  switch (edit.kind) {
    case "add tile":
      return addTile(board, edit.tile, edit.section ?? 0);
    case "replace tile":
      return withTiles(board, (tiles) =>
        tiles.map((tile) => (tile.id === edit.tile.id ? edit.tile : tile)),
      );
    case "duplicate tile":
      return withTiles(board, (tiles) => duplicated(tiles, edit.id, edit.as));
    case "remove tile":
      return withTiles(board, (tiles) => tiles.filter(({ id }) => id !== edit.id));
    case "place tile":
      return withTiles(board, (tiles) => placed(tiles, edit.id, edit.cell));
    case "step tile":
      return withTiles(board, (tiles) =>
        tiles.some(({ id }) => id === edit.id)
          ? inCells(tiles, withStep(cellsOf(tiles), edit.id, edit))
          : tiles,
      );
    case "move tile":
      return moveTile(board, edit.id, edit.section);
    case "set bar":
      return { ...edit.board, sections: sectionsOf(board) };
    default:
      return withSections(board, editSections(sectionsOf(board), edit));
  }
}

type SectionEdit = Extract<BoardEdit, { readonly kind: `${string} section` }>;

function editSections(
  sections: readonly DashboardSection[],
  edit: SectionEdit,
): readonly DashboardSection[] {
  const change = (index: number, part: Partial<DashboardSection>) =>
    sections.map((section, i) => (i === index ? { ...section, ...part } : section));
  switch (edit.kind) {
    case "add section":
      return [...sections, { title: edit.title, tiles: [] }];
    case "rename section":
      return change(edit.index, { title: edit.title });
    case "fold section":
      return change(edit.index, { folded: edit.folded });
    case "remove section":
      return sections.filter((_, i) => i !== edit.index);
    case "move section": {
      const [from, to] = [sections[edit.index], sections[edit.index + edit.by]];
      if (from === undefined || to === undefined) return sections;
      return sections.map((one) => (one === from ? to : one === to ? from : one));
    }
  }
}

const withSections = (board: Dashboard, sections: readonly DashboardSection[]): Dashboard =>
  sections === board.sections ? board : { ...board, sections };

type Tiles = readonly DashboardTile[];

/** Changes the tiles of each section; the same board when no section changes. */
function withTiles(board: Dashboard, change: (tiles: Tiles) => Tiles): Dashboard {
  const sections = sectionsOf(board).map((section) => {
    const tiles = change(section.tiles);
    const isSame =
      tiles.length === section.tiles.length && tiles.every((t, i) => t === section.tiles[i]);
    return isSame ? section : { ...section, tiles };
  });
  return sections.every((section, i) => section === board.sections?.[i])
    ? board
    : { ...board, sections };
}

/** A tile goes below those of its section; a board without sections gets its first. */
function addTile(board: Dashboard, tile: DashboardTile, index: number): Dashboard {
  const sections = sectionsOf(board);
  if (sections.length === 0) return { ...board, sections: [{ title: "", tiles: fixed([tile]) }] };
  const at = Math.min(index, sections.length - 1);
  return {
    ...board,
    sections: sections.map((section, i) =>
      i === at ? { ...section, tiles: fixed([...section.tiles, tile]) } : section,
    ),
  };
}

function moveTile(board: Dashboard, id: string, index: number): Dashboard {
  const tile = tilesOf(board).find((one) => one.id === id);
  if (tile === undefined || sectionsOf(board)[index]?.tiles.includes(tile) !== false) return board;
  const { x: _x, y: _y, ...unplaced } = tile;
  return addTile(editBoard(board, { kind: "remove tile", id }), unplaced as DashboardTile, index);
}

function duplicated(tiles: Tiles, id: string, as: string): Tiles {
  const tile = tiles.find((one) => one.id === id);
  if (tile === undefined) return tiles;
  const { x: _x, y: _y, ...unplaced } = tile;
  return fixed([...tiles, { ...unplaced, id: as } as DashboardTile]);
}

function placed(tiles: Tiles, id: string, cell: Cell): Tiles {
  if (!tiles.some((tile) => tile.id === id)) return tiles;
  return inCells(tiles, withCell(cellsOf(tiles), id, cell));
}

/** Every tile with its place written out, so that no later change moves it. */
const fixed = (tiles: Tiles): Tiles => inCells(tiles, cellsOf(tiles));

function inCells(tiles: Tiles, cells: ReadonlyMap<string, Cell>): Tiles {
  return tiles.map((tile) => {
    const cell = cells.get(tile.id);
    if (cell === undefined) return tile;
    const { x, y, w, h } = tile;
    const isSame = x === cell.x && y === cell.y && w === cell.w && h === cell.h;
    return isSame ? tile : { ...tile, ...cell };
  });
}
