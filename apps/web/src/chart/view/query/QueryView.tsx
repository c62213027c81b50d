import type { ResultColumn, ResultValue } from "@hadal/sdk";
import { useMemo } from "react";
import { distinctKeys, shortenName } from "../../../format/name.js";
import { formatMeasure } from "../../../format/value.js";
import { type TableColumn, VirtualTable } from "../../../ui/table/VirtualTable.js";
import type { ViewProps } from "../../kit/props/viewProps.js";
import { markOfCell } from "../../kit/rows/cellMark.js";
import styles from "../../kit/rows/cellValue.module.css";
import { cellText, exactText, type ShownColumn, shownColumns } from "../../kit/rows/rowColumns.js";

/** The answer to a query that was written by hand: every column of it, times first. */
export function QueryView({ input, query, onIntent }: ViewProps) {
  const { result, timeZone } = input;
  const shown = useMemo(() => shownColumns(result, timeZone), [result, timeZone]);
  const { rows } = result;
  const keys = useMemo(
    () => distinctKeys(rows.map((row) => row.map(String).join("\u0000"))),
    [rows],
  );
  const valueAt = (row: number, { index }: ShownColumn): ResultValue => rows[row]?.[index] ?? null;
  const pick = (row: number, at: number, x: number, y: number): void => {
    const cell = shown[at];
    if (cell === undefined) return;
    const mark = markOfCell({ input, query }, rows[row] ?? [], cell.column);
    onIntent({ kind: "pick", mark: { ...mark, x, y } });
  };
  const columns: TableColumn[] = shown.map(({ column, widthPx }) => ({
    key: column.name,
    head: shortenName(column.name, 36),
    title: column.name,
    track: `${widthPx}px`,
    align: column.type === "int" || column.type === "decimal" ? "right" : "left",
  }));
  return (
    <VirtualTable
      label="Result of the query"
      testId="query-table"
      rowTestId="query-row"
      rowCount={rows.length}
      rowKey={(row) => keys[row] ?? String(row)}
      columns={columns}
      onCell={pick}
      renderCell={(row, at) => {
        const cell = shown[at];
        if (cell === undefined) return null;
        const value = valueAt(row, cell);
        return (
          <span
            className={styles.value}
            data-missing={value === null}
            title={exactText(value, cell.column)}
          >
            {textOf(value, cell.column, timeZone)}
          </span>
        );
      }}
    />
  );
}

/** Numbers with a unit read as everywhere else; the rest as in raw rows. */
function textOf(value: ResultValue, column: ResultColumn, timeZone: string): string {
  const isMeasure = column.role === "aggregate" && column.unit !== undefined;
  if (isMeasure && value !== null && typeof value !== "object") {
    return formatMeasure(value, { unit: column.unit });
  }
  return cellText(value, column, timeZone);
}
