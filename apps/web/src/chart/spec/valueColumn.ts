import { type ColumnInfo, sampleRateColumn, timeColumn } from "@hadal/sdk";
import type { ViewOption } from "./viewSpec.js";

/** Columns of numbers, measurements first: an id is rarely the wanted one. */
export function numberColumns(columns: readonly ColumnInfo[]): ColumnInfo[] {
  const numbers = columns.filter(
    ({ name, type }) => type === "int" && name !== timeColumn && name !== sampleRateColumn,
  );
  const rank = ({ unit, decimals }: ColumnInfo): number =>
    unit !== undefined ? 0 : decimals > 0 ? 1 : 2;
  return numbers.sort((a, b) => rank(a) - rank(b));
}

/** The choice of a numeric column, common to views that show one. */
export const valueOption: ViewOption = {
  name: "value",
  label: "Value",
  choices: (_, columns) => numberColumns(columns).map(({ name }) => ({ value: name, label: name })),
};

export const lacksNumbers = (_: unknown, columns: readonly ColumnInfo[]): string | null =>
  numberColumns(columns).length === 0 ? "This table has no column of numbers." : null;
