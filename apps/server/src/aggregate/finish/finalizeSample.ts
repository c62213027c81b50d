import type { ResultColumn, ResultRow, ResultValue } from "@hadal/sdk";
import type { Steps } from "../../base/schedule/steps.js";
import type { FinishSample, FinishSampleColumn } from "../../plan/query/finishPlan.js";
import type { PartialSample } from "../partial/partialResult.js";
import { numberCell } from "../partial/resultCells.js";
import type { FinalizedResult } from "./finalizedResult.js";

/** Rows made in a fraction of a millisecond, of some ten columns. */
const stepRows = 512;

/** Raw rows as result rows, a step at a time; with a comparison at most `limit` of each side, of which the first `offset` are left out, the main side's first. */
export function* finalizeSampleSteps(
  sample: PartialSample,
  finish: FinishSample,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  rowsMatched: number,
): Steps<FinalizedResult> {
  const cells = finish.columns.map((column) => cellOf(column, sample));
  const columns = finish.columns.map(describe);
  if (finish.sideName !== null) {
    columns.unshift({ name: finish.sideName, type: "string", role: "sample" });
    cells.unshift((row) => sideNames[sample.sides[row]!]!);
  }
  const upTo = rowsUpTo(sample, limit);
  const shown = offset === 0 ? upTo : withoutFirst(upTo, sample, offset);
  const left = Math.max(rowsMatched, sample.rowCount) - upTo.length;
  const rows: ResultRow[] = [];
  for (const row of shown) {
    rows.push(cells.map((cell) => cell(row)));
    if (rows.length % stepRows === 0) yield;
  }
  return {
    columns,
    rows,
    intervals: {},
    noBars: [],
    truncated: left > 0 ? { rows: left } : null,
    barNotes: [],
  };
}

/** As a comparison's columns are called. */
const sideNames = ["main", "compare"] as const;

/** At most `limit` rows of each side. */
function rowsUpTo({ rowCount, sides }: PartialSample, limit: number): number[] {
  const taken = [0, 0];
  const shown: number[] = [];
  for (let row = 0; row < rowCount; row++) {
    const side = sides[row]!;
    if (taken[side]! >= limit) continue;
    taken[side]! += 1;
    shown.push(row);
  }
  return shown;
}

function withoutFirst(rows: readonly number[], { sides }: PartialSample, offset: number): number[] {
  const passed = [0, 0];
  return rows.filter((row) => ++passed[sides[row]!]! > offset);
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
