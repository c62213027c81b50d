import type { ResultColumn, ResultValue } from "@hadal/sdk";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useMemo, useState } from "react";
import { shortenName } from "../../format/name.js";
import { type TableColumn, VirtualTable } from "../../ui/VirtualTable.js";
import type { OnIntent } from "../intent.js";
import type { ViewProps } from "../viewProps.js";
import { MarkedText } from "./MarkedText.js";
import { RowDetail } from "./RowDetail.js";
import styles from "./RowsView.module.css";
import {
  cellText,
  differingColumns,
  exactText,
  isTimeColumn,
  markOf,
  rowKeys,
  type ShownColumn,
  shownColumns,
} from "./rowColumns.js";
import { searchedTexts } from "./searchMarks.js";

/** The rows themselves; each unfolds to all of its values. */
export function RowsView({ input, query, options, rank, onIntent }: ViewProps) {
  const { result, timeZone } = input;
  const { rows } = result;
  const all = useMemo(() => shownColumns(result, timeZone), [result, timeZone]);
  const shown = useMemo(
    () => (options.columns === "differing" ? differingColumns(all, rows) : all),
    [all, rows, options.columns],
  );
  const keys = useMemo(
    () => rowKeys(rows, all.find(({ column }) => isTimeColumn(column))?.index ?? 0),
    [rows, all],
  );
  const searched = useMemo(() => searchedTexts(query.filter ?? []), [query]);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const [baseKey, setBaseKey] = useState<string | null>(null);
  const base = baseKey === null ? undefined : rows[keys.indexOf(baseKey)];
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
        return (
          <ValueCell
            value={cell.value}
            column={cell.column}
            timeZone={timeZone}
            searched={searched.get(cell.column.name) ?? noTexts}
          />
        );
      }}
      renderDetail={(row) =>
        isUnfolded(row) && (
          <RowDetail
            columns={all}
            row={rows[row] ?? []}
            base={keys[row] === baseKey ? null : (base ?? null)}
            isBase={keys[row] === baseKey}
            searched={searched}
            timeZone={timeZone}
            onBase={() => setBaseKey(keys[row] === baseKey ? null : (keys[row] ?? null))}
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
  readonly searched: readonly string[];
}

const noTexts: readonly string[] = [];

function ValueCell({ value, column, timeZone, searched }: ValueCellProps) {
  return (
    <span className={styles.value} data-missing={value === null} title={exactText(value, column)}>
      <MarkedText text={cellText(value, column, timeZone)} searched={searched} />
    </span>
  );
}
