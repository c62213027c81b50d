import type { IntColumn, TextColumn } from "../../column/segmentColumn.js";
import type { EvaluatedSource } from "../task/deriveTask.js";
import type { PrintedSource, TextSource } from "../task/textSource.js";
import { EvaluatedTexts } from "./derivedColumn.js";

/** What strings without codes are read from. */
export function stringSourceOf(column: TextColumn): TextSource | EvaluatedSource {
  return column instanceof EvaluatedTexts ? column.source : column;
}

/** The integers of a column as text, with these digits behind the point. */
export function printedSource(
  { values, base, present, decimals }: IntColumn,
  wantedDecimals = decimals,
  shift = 0,
): PrintedSource {
  return { kind: "printed", values, base, present, decimals: wantedDecimals, shift };
}
