import {
  bigintAsText,
  type Dashboard,
  type DashboardTile,
  type DashboardVariable,
} from "@hadal/sdk";
import { differencesOf, type PartDifference } from "../../../draft/saved/differences.js";
import { stateOfTile } from "../../../draft/tile/stateOfTile.js";
import { shortenName } from "../../../format/name.js";
import { filterLabel } from "../../../query/filter/operators.js";
import { sectionsOf } from "./boardEdits.js";
import { cellsOf } from "./boardGrid.js";
import { tileTitle } from "./tileTitle.js";

/** What happened to the board itself, a section or a tile. */
export interface BoardChange {
  /** Unique among the changes. */
  readonly key: string;
  readonly kind: "added" | "removed" | "changed";
  /** `Tile “Errors”`. */
  readonly subject: string;
  /** `moved to section “Later”`. */
  readonly words: readonly string[];
  readonly parts: readonly PartDifference[];
}

export interface ComparedBoard {
  readonly title: string;
  readonly board: Dashboard;
}

/** What differs between two forms of a board: the board itself, its sections, its tiles. */
export function boardDifferences(before: ComparedBoard, after: ComparedBoard): BoardChange[] {
  const parts = partsOf(partsOfBoard(before), partsOfBoard(after));
  const ofBoard: BoardChange = {
    ...{ key: "board", kind: "changed", subject: "The dashboard", words: [], parts },
  };
  return [
    ...(parts.length === 0 ? [] : [ofBoard]),
    ...sectionChanges(before.board, after.board),
    ...tileChanges(before.board, after.board),
  ];
}

type Parts = Readonly<Record<string, readonly string[]>>;

function partsOfBoard({ title, board }: ComparedBoard): Parts {
  const { from = "-3h", to = "now", timeZone, compare, filter = [], variables = [] } = board;
  return {
    Title: [title],
    Time: [`${from} to ${to}`],
    "Time zone": timeZone == null ? ["the reader's own"] : [timeZone],
    Compare: [
      ...(compare?.offset == null ? [] : [compare.offset]),
      ...(compare?.filter ?? []).map(filterLabel),
    ],
    Filters: filter.map(filterLabel),
    Variables: variables.map(variableText),
  };
}

function variableText({ name, table, column, values }: DashboardVariable): string {
  const chosen = values == null ? "all" : values.map(String).join(", ");
  return `${name} = ${chosen} (${table}, ${column})`;
}

/** The parts that differ; entries that both sides have are not marked. */
function partsOf(before: Parts, after: Parts): readonly PartDifference[] {
  return Object.entries(before).flatMap(([name, texts]) => {
    const others = after[name] ?? [];
    if (texts.join("\n") === others.join("\n")) return [];
    const entries = (own: readonly string[], other: readonly string[]) => {
      const isOrder = own.length === other.length && own.every((text) => other.includes(text));
      return own.map((text) => ({ text, own: isOrder || !other.includes(text) }));
    };
    return [{ name, before: entries(texts, others), after: entries(others, texts) }];
  });
}

const quoted = (name: string): string => `“${shortenName(name, 60)}”`;
const sectionName = (title: string | undefined, index: number): string =>
  title === undefined || title.trim() === "" ? `${index + 1}` : quoted(title);

interface Section {
  readonly name: string;
  readonly folded: boolean;
}

const sectionList = (board: Dashboard): readonly Section[] =>
  sectionsOf(board).map(({ title, folded = false }, i) => ({
    ...{ name: sectionName(title, i), folded },
  }));

/** Sections have no ids: one whose title is gone and whose place has a new title was renamed. */
function renamedSections(old: readonly Section[], now: readonly Section[]) {
  const isIn = (list: readonly Section[], { name }: Section) =>
    list.some((one) => one.name === name);
  return new Map(
    old.flatMap((one, i) => {
      const next = now[i];
      const isRenamed = next !== undefined && !isIn(now, one) && !isIn(old, next);
      return isRenamed ? [[one.name, next.name] as const] : [];
    }),
  );
}

function sectionChanges(before: Dashboard, after: Dashboard): readonly BoardChange[] {
  const [old, now] = [sectionList(before), sectionList(after)];
  const renamed = renamedSections(old, now);
  const nameNow = ({ name }: Section): string => renamed.get(name) ?? name;
  const nextOf = (one: Section) => now.find(({ name }) => name === nameNow(one));
  const change = (kind: BoardChange["kind"], name: string, words: readonly string[]) => ({
    ...{ key: `section ${kind} ${name}`, kind, subject: `Section ${name}`, words, parts: [] },
  });
  const isKept = (one: Section): boolean => old.some((other) => nameNow(other) === one.name);
  const kept = old.flatMap((one) => {
    const next = nextOf(one);
    if (next === undefined) return [];
    const words = [
      ...(next.name === one.name ? [] : [`renamed ${next.name}`]),
      ...(next.folded === one.folded ? [] : [next.folded ? "folded" : "opened"]),
    ];
    return words.length === 0 ? [] : [change("changed", one.name, words)];
  });
  const orderBefore = old.filter((one) => nextOf(one) !== undefined).map(nameNow);
  const orderNow = now.filter(isKept).map(({ name }) => name);
  const isMoved = orderBefore.join("\n") !== orderNow.join("\n");
  return [
    ...now.filter((one) => !isKept(one)).map(({ name }) => change("added", name, [])),
    ...old
      .filter((one) => nextOf(one) === undefined)
      .map(({ name }) => change("removed", name, [])),
    ...kept,
    ...(isMoved
      ? [{ ...change("changed", "order", ["in another order"]), subject: "The sections" }]
      : []),
  ];
}

interface PlacedTile {
  readonly tile: DashboardTile;
  readonly section: string;
  readonly size: string;
}

function placedTiles(board: Dashboard): ReadonlyMap<string, PlacedTile> {
  return new Map(
    sectionsOf(board).flatMap(({ title, tiles }, i) => {
      const cells = cellsOf(tiles);
      return tiles.map((tile) => {
        const { w = 0, h = 0 } = cells.get(tile.id) ?? {};
        return [tile.id, { tile, section: sectionName(title, i), size: `${w} × ${h}` }] as const;
      });
    }),
  );
}

const subjectOf = (tile: DashboardTile): string => {
  const state = "query" in tile ? stateOfTile(tile) : null;
  if ((tile.title ?? "").trim() === "" && "savedQuery" in tile) return "A saved query";
  if ((tile.title ?? "").trim() === "" && "divider" in tile) return "A divider";
  return `Tile ${quoted(tileTitle(tile, state))}`;
};

function tileChanges(before: Dashboard, after: Dashboard): readonly BoardChange[] {
  const [old, now] = [placedTiles(before), placedTiles(after)];
  const renamed = renamedSections(sectionList(before), sectionList(after));
  const change = (kind: BoardChange["kind"], tile: DashboardTile, words: readonly string[]) => ({
    ...{ key: `tile ${tile.id}`, kind, subject: subjectOf(tile), words, parts: [] },
  });
  const added = [...now.values()].filter(({ tile }) => !old.has(tile.id));
  const removed = [...old.values()].filter(({ tile }) => !now.has(tile.id));
  const changed = [...old].flatMap(([id, one]) => {
    const next = now.get(id);
    if (next === undefined) return [];
    const words = placeWords({ ...one, section: renamed.get(one.section) ?? one.section }, next);
    const parts = partsOfTiles(one.tile, next.tile);
    if (words.length + parts.length === 0) return [];
    return [{ ...change("changed", one.tile, words), parts }];
  });
  return [
    ...added.map(({ tile, section }) => change("added", tile, [`in section ${section}`])),
    ...removed.map(({ tile, section }) => change("removed", tile, [`from section ${section}`])),
    ...changed,
  ];
}

/** A tile that only gave way to another has not moved. */
function placeWords(one: PlacedTile, next: PlacedTile): readonly string[] {
  const isMoved = one.tile.x !== next.tile.x || one.tile.y !== next.tile.y;
  if (one.section !== next.section) return [`moved to section ${next.section}`];
  return [
    ...(isMoved ? ["moved"] : []),
    ...(one.size === next.size ? [] : [`resized from ${one.size} to ${next.size} cells`]),
  ];
}

function partsOfTiles(before: DashboardTile, after: DashboardTile): readonly PartDifference[] {
  const asked = "query" in before && "query" in after;
  const partsOfOne = asked ? partsOfQueryTile : partsOfTile;
  const own = partsOf(partsOfOne(before), partsOfOne(after));
  return asked ? [...own, ...differencesOf(stateOfTile(before), stateOfTile(after))] : own;
}

/** Without its content: of two queries the parts of the form are compared. */
const partsOfQueryTile = (tile: DashboardTile): Parts => ({ ...partsOfTile(tile), Content: [] });

/** What a tile has beside its place. */
function partsOfTile(tile: DashboardTile): Parts {
  const { id: _id, x: _x, y: _y, w: _w, h: _h, title = "", ...content } = tile;
  const ignores = "ignores" in tile ? (tile.ignores ?? []) : [];
  return {
    Title: title === "" ? [] : [title],
    "Own, not the dashboard's": ignores,
    Content: [contentText(content)],
  };
}

function contentText(content: Readonly<Record<string, unknown>>): string {
  if (typeof content.text === "string") return content.text;
  if (content.divider === true) return "a divider";
  const { ignores: _, ...shown } = content;
  return JSON.stringify(shown, bigintAsText);
}
