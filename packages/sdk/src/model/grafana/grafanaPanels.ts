import {
  type DashboardTile,
  dashboardColumns,
  dashboardRowsMax,
  dashboardTextMax,
  dashboardTileRowsMax,
  dashboardTitleMax,
} from "../dashboard/dashboard.js";
import type { JsonObject } from "../problem/problemList.js";

/** Grafana's grid has 24 columns; its rows are 38 pixels high, those here 72. */
const grafanaColumns = 24;
const rowRatio = 38 / 72;

/** Of the queries that a text tile repeats. */
const queryTextMax = 4_000;

export interface PanelSpan {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

export interface ReadPanel {
  readonly tile: DashboardTile;
  /** What it has that has no equivalent; null: nothing. */
  readonly gap: string | null;
}

/** A panel as a tile; `top` is the row of Grafana's grid that its section begins with. */
export function tileOfPanel(panel: JsonObject, id: string, top: number): ReadPanel {
  const title = titleOf(panel);
  const named = {
    ...{ id, ...(title !== "" && { title: title.slice(0, dashboardTitleMax) }) },
    ...placeOf(spanOf(panel), top),
  };
  const name = title === "" ? "A panel without a title" : `“${title.slice(0, 80)}”`;
  const type = typeof panel.type === "string" ? panel.type.slice(0, 80) : "unknown";
  if (type === "text") {
    const { content, isMarkdown } = textOf(panel);
    const gap = isMarkdown ? null : `${name}: its HTML is shown as text.`;
    const { text, isCut } = cut(content);
    return { tile: { ...named, text }, gap: isCut ? `${name}: its text is cut.` : gap };
  }
  const gap = `${name}: a panel of the type ${type} asks another data source.`;
  return { tile: { ...named, text: standIn(panel, type) }, gap };
}

export const titleOf = ({ title }: JsonObject): string =>
  typeof title === "string" ? title.trim() : "";

/** A panel without a place is as wide as Grafana's own default. */
export function spanOf({ gridPos, span }: JsonObject): PanelSpan {
  const place = isObject(gridPos) ? gridPos : {};
  const number = (value: unknown, other: number): number =>
    typeof value === "number" && Number.isFinite(value) ? value : other;
  // Boards of before 2018 count the width in twelfths.
  const w = number(place.w, number(span, 6) * 2);
  return { x: number(place.x, 0), y: number(place.y, 0), w, h: number(place.h, 8) };
}

/** Both edges are rounded, so that neighbours stay neighbours. */
function placeOf({ x, y, w, h }: PanelSpan, top: number) {
  const columns = (value: number): number => (value * dashboardColumns) / grafanaColumns;
  const [left, width] = edges(columns(x), columns(x + w), dashboardColumns);
  const [first, height] = edges((y - top) * rowRatio, (y + h - top) * rowRatio, dashboardRowsMax);
  return { x: left, y: first, w: width, h: Math.min(height, dashboardTileRowsMax) };
}

/** The start and the length, at least 1 and within the grid. */
function edges(from: number, to: number, max: number): readonly [number, number] {
  const first = Math.min(Math.max(0, Math.round(from)), max - 1);
  return [first, Math.max(1, Math.min(Math.round(to), max) - first)];
}

function textOf({ options, content, mode }: JsonObject) {
  const own = isObject(options) ? options : {};
  const text = own.content ?? content;
  const how = own.mode ?? mode ?? "markdown";
  return { content: typeof text === "string" ? text : "", isMarkdown: how !== "html" };
}

/** In place of what has no equivalent: what it was, and what it asked. */
function standIn({ targets, description }: JsonObject, type: string): string {
  const source = `*No equivalent in Hadal: a Grafana panel of the type* ${code(type)}`;
  const about = typeof description === "string" && description.trim() !== "" ? description : null;
  const queries = (Array.isArray(targets) ? targets : []).filter(isObject).map(queryText);
  const asked = queries.filter((text) => text !== "").map(block);
  return cut([source, ...(about === null ? [] : [block(about)]), ...asked].join("\n\n")).text;
}

/** As the common data sources keep it, else all that the target has. */
function queryText(target: JsonObject): string {
  const { expr, rawSql, query, target: metric } = target;
  const own = [expr, rawSql, query, metric].find((text) => typeof text === "string" && text !== "");
  return String(own ?? JSON.stringify(target)).slice(0, queryTextMax);
}

const ticks = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/** Markdown that shows the text as it is: the fence is longer than any in it. */
function code(text: string): string {
  const fence = "`".repeat(ticks(text) + 1);
  return `${fence} ${text.replace(/\s+/g, " ")} ${fence}`;
}

function block(text: string): string {
  const fence = "`".repeat(Math.max(3, ticks(text) + 1));
  return `${fence}\n${text}\n${fence}`;
}

const cut = (text: string) => ({
  text: text.slice(0, dashboardTextMax),
  isCut: text.length > dashboardTextMax,
});

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
