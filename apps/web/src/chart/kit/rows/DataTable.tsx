import type { Result } from "@hadal/sdk";
import { useMemo } from "react";
import { shortenName } from "../../../format/name.js";
import { VirtualTable } from "../../../ui/table/VirtualTable.js";
import { type Difference, differencesOf, isUnsure } from "../answer/difference.js";
import type { ViewProps } from "../props/viewProps.js";
import { markOfCell } from "./cellMark.js";
import styles from "./DataTable.module.css";
import { cellText, exactText, shownColumns } from "./rowColumns.js";

/** The result of any view as a table of numbers. */
export function DataTable({ input, query, onIntent }: ViewProps) {
  const { result, timeZone } = input;
  const shown = useMemo(() => shownColumns(result, timeZone), [result, timeZone]);
  const unsureAt = useMemo(() => unsureReader(result), [result]);
  const cellAt = (row: number, column: number) => {
    const at = shown[column];
    return at === undefined ? null : { ...at, value: result.rows[row]?.[at.index] ?? null };
  };
  return (
    <VirtualTable
      label="The answer as a table"
      testId="data-table"
      rowTestId="data-row"
      columns={shown.map(({ column, widthPx }) => ({
        key: column.name,
        head: shortenName(column.name, 36),
        title: column.name,
        track: `minmax(${widthPx}px, 1fr)`,
        align: column.role === "aggregate" ? "right" : "left",
      }))}
      rowCount={result.rows.length}
      rowKey={String}
      onCell={(row, column, x, y) => {
        const cell = cellAt(row, column);
        if (cell === null) return;
        const mark = markOfCell({ input, query }, result.rows[row] ?? [], cell.column);
        onIntent({ kind: "pick", mark: { ...mark, x, y } });
      }}
      renderCell={(row, column) => {
        const cell = cellAt(row, column);
        if (cell === null) return null;
        const exact = exactText(cell.value, cell.column);
        const mayBeNone = unsureAt(cell.column.name, row);
        return (
          <span
            className={mayBeNone ? styles.unsure : undefined}
            data-unsure={mayBeNone || undefined}
            title={mayBeNone ? `${exact}; the change may be none` : exact}
          >
            {cellText(cell.value, cell.column, timeZone)}
          </span>
        );
      }}
    />
  );
}

/** Whether a change in a row lies within the error bars. */
function unsureReader(result: Result): (column: string, row: number) => boolean {
  const readers = new Map<string, (row: number) => Difference>();
  for (const { name } of result.columns) {
    const measure = /^(.+)\.delta(?:_pct)?$/.exec(name)?.[1];
    const isMeasure = result.columns.some((column) => column.name === measure);
    if (measure !== undefined && isMeasure) readers.set(name, differencesOf(result, measure));
  }
  return (column, row) => {
    const differenceAt = readers.get(column);
    return differenceAt !== undefined && isUnsure(differenceAt(row));
  };
}
