import type { ResultColumn, ResultValue } from "@hadal/sdk";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useMemo, useState } from "react";
import { distinctKeys, shortenName } from "../../format/name.js";
import { type TableColumn, VirtualTable } from "../../ui/VirtualTable.js";
import type { OnIntent } from "../intent.js";
import type { ViewProps } from "../viewProps.js";
import { RowDetail } from "./RowDetail.js";
import styles from "./RowsView.module.css";
import {
  cellText,
  exactText,
  isTimeColumn,
  markOf,
  type ShownColumn,
  shownColumns,
} from "./rowColumns.js";

/** The rows themselves; each unfolds to all of its values. */
export function RowsView({ input, rank, onIntent }: ViewProps) {
  const { result, timeZone } = input;
  const shown = useMemo(() => shownColumns(result, timeZone), [result, timeZone]);
  const { rows } = result;
  // Rows have no name of their own: what they hold tells them apart when newer ones push them down.
  const keys = useMemo(
    () => distinctKeys(rows.map((row) => row.map(String).join("\u0000"))),
    [rows],
  );
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const isUnfolded = (row: number): boolean => unfolded.has(keys[row] ?? "");
  const cellAt = (row: number, column: number) => {
    const at = shown[column - 1];
    return at === undefined ? null : { ...at, value: rows[row]?.[at.index] ?? null };
  };
  const toggle = (row: number): void => {
    const next = new Set(unfolded);
    const key = keys[row] ?? "";
    if (!next.delete(key)) next.add(key);
    setUnfolded(next);
  };
  const pick = (row: number, column: number, x: number, y: number): void => {
    const cell = cellAt(row, column);
    if (cell === null) toggle(row);
    else onIntent({ kind: "pick", mark: { ...markOf(cell.value, cell.column), x, y } });
  };
  return (
    <VirtualTable
      label="Raw rows"
      testId="rows"
      rowTestId="raw-row"
      rowCount={rows.length}
      rowKey={(row) => keys[row] ?? String(row)}
      columns={rowTableColumns(shown, rank.desc, onIntent)}
      onCell={pick}
      renderCell={(row, column) => {
        const cell = cellAt(row, column);
        if (cell === null) return <Unfold open={isUnfolded(row)} />;
        return <ValueCell value={cell.value} column={cell.column} timeZone={timeZone} />;
      }}
      renderDetail={(row) =>
        isUnfolded(row) && (
          <RowDetail
            columns={shown}
            row={rows[row] ?? []}
            timeZone={timeZone}
            onIntent={onIntent}
          />
        )
      }
    />
  );
}

function rowTableColumns(
  shown: readonly ShownColumn[],
  newestFirst: boolean,
  onIntent: OnIntent,
): TableColumn[] {
  const sort = {
    state: newestFirst ? ("descending" as const) : ("ascending" as const),
    onSort: () => onIntent({ kind: "sort", by: "time", desc: !newestFirst }),
  };
  return [
    { key: "unfold", head: "", track: "32px", align: "left" },
    ...shown.map(({ column, widthPx }) => ({
      key: column.name,
      head: shortenName(column.name, 36),
      title: column.name,
      track: `${widthPx}px`,
      align:
        column.type === "int" || column.type === "decimal" ? ("right" as const) : ("left" as const),
      ...(isTimeColumn(column) && { sort }),
    })),
  ];
}

function Unfold({ open }: { readonly open: boolean }) {
  return (
    <span className={styles.unfold} title={open ? "Fold row" : "Unfold row"} data-testid="unfold">
      {open ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
    </span>
  );
}

interface ValueCellProps {
  readonly value: ResultValue;
  readonly column: ResultColumn;
  readonly timeZone: string;
}

function ValueCell({ value, column, timeZone }: ValueCellProps) {
  return (
    <span className={styles.value} data-missing={value === null} title={exactText(value, column)}>
      {cellText(value, column, timeZone)}
    </span>
  );
}
