import type { ResultColumn, ResultValue } from "@hadal/sdk";
import type { FinishSample, FinishSampleColumn } from "../plan/finishPlan.js";
import type { FinalizedResult } from "./finalizedResult.js";
import type { PartialSample } from "./partialResult.js";
import { numberCell } from "./resultCells.js";

/** Raw rows as result rows. */
export function finalizeSample(
  sample: PartialSample,
  finish: FinishSample,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  rowsMatched: number,
): FinalizedResult {
  const cells = finish.columns.map((column) => cellOf(column, sample));
  const rowCount = Math.min(sample.rowCount, limit);
  const rows = Array.from({ length: Math.max(0, rowCount - offset) }, (_, row) =>
    cells.map((cell) => cell(offset + row)),
  );
  const left = Math.max(rowsMatched, sample.rowCount) - rowCount;
  return {
    columns: finish.columns.map(describe),
    rows,
    intervals: {},
    truncated: left > 0 ? { rows: left } : null,
  };
}

function describe({ name, type, decimals, unit }: FinishSampleColumn): ResultColumn {
  return {
    name,
    type,
    role: "sample",
    ...(unit === undefined ? {} : { unit }),
    ...(type === "decimal" ? { decimals } : {}),
  };
}

function cellOf(
  { sampleIndex, type, decimals }: FinishSampleColumn,
  sample: PartialSample,
): (row: number) => ResultValue {
  if (sampleIndex === null) return (row) => sample.times[row]!;
  const column = sample.columns[sampleIndex]!;
  if (column.kind === "int") {
    return (row) =>
      column.present[row] === 0 ? null : numberCell(column.values[row]!, type, decimals);
  }
  const values: readonly ResultValue[] =
    type === "string"
      ? column.dictionary
      : column.dictionary.map((text) => JSON.parse(text) as readonly string[]);
  return (row) => (column.codes[row]! < 0 ? null : values[column.codes[row]!]!);
}
