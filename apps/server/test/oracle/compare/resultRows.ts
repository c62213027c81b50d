import type {
  HistogramBound,
  HistogramBucket,
  Result,
  ResultColumn,
  ResultValue,
} from "@hadal/sdk";
import type { SampleAnswer, SampleRow } from "../naive/naiveSample.js";
import type { AnswerColumn, Cell } from "../query/answer.js";
import type { OracleTable, OracleValue } from "../table/oracleTable.js";
import { columnOf, compareCodePoints, parseScaled } from "../table/oracleTable.js";

/** A result of the engine under test in the terms of the oracles, its columns found by name. */
export function resultRows(
  result: Result,
  columns: readonly AnswerColumn[],
): (readonly Cell["value"][])[] {
  const places = columns.map((column) => placeOf(result, column.name));
  return result.rows.map((row) =>
    places.map(({ index, column }, position) =>
      answerValue(row[index] ?? null, column, columns[position]?.decimals ?? 0),
    ),
  );
}

export function resultSample(
  table: OracleTable,
  result: Result,
  expected: SampleAnswer,
  sideIndex: number,
): SampleRow[] {
  const side = result.columns.findIndex((column) => column.name === "side");
  const ofSide = result.rows.filter(
    (row) => side < 0 || row[side] === (sideIndex === 0 ? "main" : "compare"),
  );
  const time = result.columns.findIndex((column) => column.name === "time");
  const places = expected.columns.map((name) => placeOf(result, name));
  return ofSide.map((row) => ({
    timeMs: Number(row[time]),
    values: places.map(({ index, column }, position) =>
      sampleValue(table, row[index] ?? null, column, expected.columns[position] ?? ""),
    ),
  }));
}

function sampleValue(
  table: OracleTable,
  value: ResultValue,
  column: ResultColumn,
  name: string,
): OracleValue {
  const { type, decimals } = columnOf(table, name);
  if (Array.isArray(value)) {
    return type === "set" ? [...value].sort(compareCodePoints) : (value as readonly string[]);
  }
  return answerValue(value, column, decimals) as OracleValue;
}

function answerValue(value: ResultValue, column: ResultColumn, decimals: number): Cell["value"] {
  if (column.type === "histogram" && Array.isArray(value)) {
    const buckets = value as readonly HistogramBucket[];
    const scaled = (bound: HistogramBound) => String(parseScaled(String(bound), decimals));
    return buckets.map(([low, high, count]) => `[${scaled(low)}, ${scaled(high)}) ${count}`);
  }
  // Groups by whole lists: the oracles' keys are their JSON text.
  if (Array.isArray(value)) return JSON.stringify(value);
  if (value === null || column.type === "string") {
    return value as Cell["value"];
  }
  if (column.type === "float") return Number(value);
  return parseScaled(String(value), decimals);
}

function placeOf(result: Result, name: string): { index: number; column: ResultColumn } {
  const index = result.columns.findIndex((candidate) => candidate.name === name);
  const column = result.columns[index];
  if (column !== undefined) return { index, column };
  const names = result.columns.map((candidate) => candidate.name);
  throw new Error(`the result has no column ${name}, but ${names.join(", ")}`);
}
