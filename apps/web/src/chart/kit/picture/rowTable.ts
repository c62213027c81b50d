import type { Result, ResultColumn } from "@hadal/sdk";
import { shortenName } from "../../../format/name.js";
import type { ChartTheme } from "../paint/theme.js";
import { cellText, type ShownColumn, shownColumns } from "../rows/rowColumns.js";
import { toneOf } from "../rows/valueTone.js";
import { type PictureTable, tableRowsMax } from "./pictureTable.js";

const textMax = 200;
const headMax = 36;

const isNumber = ({ type }: ResultColumn): boolean => type === "int" || type === "decimal";

export interface RowTableParts {
  readonly result: Result;
  readonly timeZone: string;
  readonly theme: ChartTheme;
  /** By default all, times first. */
  readonly shown?: readonly ShownColumn[];
}

/** The rows of an answer as they are. */
export function rowTable({ result, timeZone, theme, shown }: RowTableParts): PictureTable {
  const columns = shown ?? shownColumns(result, timeZone);
  return {
    columns: columns.map(({ column, grows }) => ({
      head: shortenName(column.name, headMax),
      align: isNumber(column) ? "right" : "left",
      ...(grows === true && { grows }),
    })),
    rows: result.rows.slice(0, tableRowsMax).map((row) => ({
      cells: columns.map(({ column, index }) => {
        const value = row[index] ?? null;
        const tone = value === null ? "quiet" : toneOf(value, column);
        return {
          text: shortenName(cellText(value, column, timeZone), textMax),
          ...(tone !== null && { color: theme[tone] }),
        };
      }),
    })),
    more: Math.max(0, result.rows.length - tableRowsMax) + (result.truncated?.rows ?? 0),
  };
}
