import { escapeControls } from "./errorLine.js";

export interface TextColumn {
  readonly name: string;
  readonly align: "left" | "right";
}

/** Wider cells are cut on a terminal: one stack trace must not hide the table. */
const cellWidthMax = 80;

/** Lines of an aligned table: header, rule, rows. Cells are cut only when a person looks. */
export function* printTextTable(
  columns: readonly TextColumn[],
  rows: readonly (readonly string[])[],
  cut: "cut" | "whole",
): Generator<string> {
  const cells = rows.map((row) => row.map((cell) => cutCell(escapeControls(cell), cut)));
  const header = columns.map((column) => cutCell(escapeControls(column.name), cut));
  const widths = header.map((name, i) =>
    cells.reduce((width, row) => Math.max(width, widthOf(row[i] ?? "")), widthOf(name)),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => {
        const padding = " ".repeat((widths[i] ?? 0) - widthOf(cell));
        return columns[i]?.align === "right" ? padding + cell : cell + padding;
      })
      .join("  ")
      .trimEnd();
  yield line(header);
  yield widths.map((width) => "─".repeat(width)).join("  ");
  for (const row of cells) yield line(row);
}

function cutCell(cell: string, cut: "cut" | "whole"): string {
  if (cut === "whole" || cell.length <= cellWidthMax) return cell;
  const points = [...cell];
  return points.length <= cellWidthMax ? cell : `${points.slice(0, cellWidthMax - 1).join("")}…`;
}

function widthOf(text: string): number {
  let width = 0;
  for (const _ of text) width += 1;
  return width;
}
