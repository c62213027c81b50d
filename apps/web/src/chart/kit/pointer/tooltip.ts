import type { HueSymbol } from "../paint/color.js";

/** A row of a tooltip. Texts are never set as markup: names come from ingested rows. */
export interface TooltipRow {
  readonly color: string;
  /** Of a name that has its tone with another. */
  readonly symbol?: HueSymbol;
  readonly name: string;
  readonly cells: readonly TooltipCell[];
}

/** Quiet: a difference that may be none. */
export type TooltipCell = string | { readonly text: string; readonly isQuiet: boolean };

export interface TooltipContent {
  readonly title: string;
  readonly heads: readonly string[];
  readonly rows: readonly TooltipRow[];
  readonly note: string | null;
}

/** A change, quiet where it may be none. */
export const changeCell = (
  text: string,
  { isQuiet }: { readonly isQuiet: boolean },
): TooltipCell => (isQuiet ? { text, isQuiet } : text);

export const cellText = (cell: TooltipCell): string =>
  typeof cell === "string" ? cell : cell.text;

/** The tooltip as an element, for ECharts' formatter; styled by `chart.css`. */
export function renderTooltip(content: TooltipContent): HTMLElement {
  const box = document.createElement("div");
  box.className = "chart-tooltip";
  add(box, "div", "chart-tooltip-title", content.title);
  const table = add(box, "table", "chart-tooltip-table");
  if (content.heads.length > 0) {
    const line = add(table, "tr", "");
    for (const head of ["", ...content.heads]) add(line, "th", "", head);
  }
  for (const row of content.rows) {
    const line = add(table, "tr", "");
    const name = add(line, "td", "chart-tooltip-name");
    const mark = add(name, "span", "chart-mark");
    mark.style.setProperty("--mark", row.color);
    if (row.symbol !== undefined) mark.dataset.symbol = row.symbol;
    add(name, "span", "", row.name);
    for (const cell of row.cells) {
      const [text, isQuiet] = typeof cell === "string" ? [cell, false] : [cell.text, cell.isQuiet];
      const element = add(line, "td", "chart-tooltip-value", text);
      if (isQuiet) element.dataset.unsure = "true";
    }
  }
  if (content.note !== null) add(box, "div", "chart-tooltip-note", content.note);
  return box;
}

function add(parent: HTMLElement, tag: string, className: string, text?: string): HTMLElement {
  const element = document.createElement(tag);
  if (className !== "") element.className = className;
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}
