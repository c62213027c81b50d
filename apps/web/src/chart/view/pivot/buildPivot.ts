import type { Result } from "@hadal/sdk";
import { differencesOf, isUnsure } from "../../kit/answer/difference.js";
import type { GroupCell } from "../../kit/answer/intent.js";
import { type Interval, intervalAt } from "../../kit/answer/interval.js";
import {
  type Amount,
  asAmount,
  asNumber,
  type CellTexts,
  type ChartInput,
  type ChartMeasure,
  groupOf,
  indexOfColumn,
  keyOfGroup,
  labelOfCell,
} from "../../kit/answer/series.js";
import { type AmountScale, amountScale } from "../../kit/paint/amountScale.js";

export interface PivotCell {
  readonly now: Amount;
  readonly was: Amount;
  readonly interval: Interval | null;
  /** The difference lies within its error bars. */
  readonly unsure: boolean;
}

/** A row or a column: one value, and its number over all of the other side. */
export interface PivotHead {
  readonly key: string;
  readonly cell: GroupCell;
  readonly label: string;
  /** null until it has come. */
  readonly total: PivotCell | null;
}

export interface Pivot {
  readonly rows: readonly PivotHead[];
  readonly columns: readonly PivotHead[];
  /** null: no rows cross there, or the answer left them out. */
  readonly cellAt: (row: PivotHead, column: PivotHead) => PivotCell | null;
  readonly total: PivotCell | null;
}

/** 40 × 20 cells are as many as a screen has. */
const rowsMax = 40;
const columnsMax = 20;

/** Two columns crossed: the largest values of each, in the order of their totals. */
export function buildPivot(
  input: ChartInput,
  measure: ChartMeasure,
  extras: Readonly<Record<string, Result>>,
): Pivot {
  const { result, groupColumns } = input;
  const [rowName = "", columnName = ""] = groupColumns;
  const cells = new Map<string, PivotCell>();
  const [rowIndex, columnIndex] = [rowName, columnName].map((name) => indexOfColumn(result, name));
  const groups = result.rows.map((row, at) => {
    const group = groupOf(
      row,
      [rowName, columnName],
      [rowIndex ?? -1, columnIndex ?? -1],
      input.texts,
    );
    cells.set(keyOfGroup(group), cellOf(result, at, measure));
    return group;
  });
  const headsFrom = (extra: Result | undefined, name: string, side: number, most: number) =>
    (extra === undefined
      ? headsOfCells(groups, side)
      : headsOfTotals(extra, name, measure, input.texts)
    ).slice(0, most);
  const { total } = extras;
  return {
    rows: headsFrom(extras.rows, rowName, 0, rowsMax),
    columns: headsFrom(extras.columns, columnName, 1, columnsMax),
    cellAt: (row, column) => cells.get(keyOfGroup([row.cell, column.cell])) ?? null,
    total: total?.rows[0] === undefined ? null : cellOf(total, 0, measure),
  };
}

function headsOfTotals(
  result: Result,
  name: string,
  measure: ChartMeasure,
  texts: CellTexts | undefined,
): PivotHead[] {
  const index = indexOfColumn(result, name);
  return result.rows.map((row, at) => {
    const [cell = { column: name, value: null }] = groupOf(row, [name], [index], texts);
    return { ...headOf(cell), total: cellOf(result, at, measure) };
  });
}

/** Until the totals have come, in the order in which the cells name them. */
function headsOfCells(groups: readonly (readonly GroupCell[])[], side: number): PivotHead[] {
  const heads = new Map<string, PivotHead>();
  for (const group of groups) {
    const cell = group[side];
    if (cell === undefined || heads.has(keyOfGroup([cell]))) continue;
    heads.set(keyOfGroup([cell]), { ...headOf(cell), total: null });
  }
  return [...heads.values()];
}

const headOf = (cell: GroupCell) => ({
  key: keyOfGroup([cell]),
  cell,
  label: labelOfCell(cell),
});

function cellOf(result: Result, at: number, { name }: ChartMeasure): PivotCell {
  const row = result.rows[at];
  return {
    now: asAmount(row?.[indexOfColumn(result, name)]),
    was: asAmount(row?.[indexOfColumn(result, `${name}.compare`)]),
    interval: intervalAt(result, name, at),
    unsure: isUnsure(differencesOf(result, name)(at)),
  };
}

/** The scale of the cells' numbers. */
export const scaleOf = ({ rows, columns, cellAt }: Pivot, measure: ChartMeasure): AmountScale =>
  amountScale(
    rows.flatMap((row) => columns.map((column) => asNumber(cellAt(row, column)?.now ?? null))),
    measure,
  );

/** What is left out. */
export function pivotNotes(result: Result, extras: Readonly<Record<string, Result>>): string[] {
  const left = [
    ["rows", extras.rows],
    ["columns", extras.columns],
  ] as const;
  const notes = left.flatMap(([what, extra]) => {
    const count = extra?.truncated?.groups ?? 0;
    return count > 0 ? [`${count} smaller ${what} are left out`] : [];
  });
  return (result.truncated?.groups ?? 0) > 0 ? [...notes, "a · may stand for few rows"] : notes;
}
