import { useMemo } from "react";
import { shortenName } from "../../format/name.js";
import { VirtualTable } from "../../ui/VirtualTable.js";
import { cellText, exactText, shownColumns } from "../rows/rowColumns.js";
import type { ViewProps } from "../viewProps.js";
import { markOfCell } from "./cellMark.js";

/** The answer behind any view, as the table of numbers that it is. */
export function DataTable({ input, query, onIntent }: ViewProps) {
  const { result, timeZone } = input;
  const shown = useMemo(() => shownColumns(result, timeZone), [result, timeZone]);
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
        return (
          <span title={exactText(cell.value, cell.column)}>
            {cellText(cell.value, cell.column, timeZone)}
          </span>
        );
      }}
    />
  );
}
