import type { Result } from "@hadal/sdk";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useMemo, useState } from "react";
import { distinctKeys, shortenName } from "../../format/name.js";
import { VirtualTable } from "../../ui/VirtualTable.js";
import { isScalar, type OnIntent } from "../intent.js";
import { RowDetail } from "./RowDetail.js";
import styles from "./RowsView.module.css";
import { cellText, exactText, shownColumns } from "./rowColumns.js";

export interface RowsViewProps {
  readonly result: Result;
  readonly timeZone: string;
  readonly newestFirst: boolean;
  readonly onIntent: OnIntent;
}

/** The rows themselves; each unfolds to all of its values. */
export function RowsView({ result, timeZone, newestFirst, onIntent }: RowsViewProps) {
  const shown = useMemo(() => shownColumns(result, timeZone), [result, timeZone]);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const { rows } = result;
  // Rows have no name of their own: what they hold tells them apart when newer ones push them down.
  const keys = useMemo(
    () => distinctKeys(result.rows.map((row) => row.map(String).join("\u0000"))),
    [result],
  );
  const keyOf = (index: number): string => keys[index] ?? String(index);
  const toggle = (key: string): void => {
    const next = new Set(unfolded);
    if (!next.delete(key)) next.add(key);
    setUnfolded(next);
  };
  const valueAt = (row: number, column: number) =>
    rows[row]?.[shown[column - 1]?.index ?? -1] ?? null;

  return (
    <VirtualTable
      label="Raw rows"
      testId="rows"
      rowTestId="raw-row"
      rowCount={rows.length}
      rowKey={keyOf}
      columns={[
        { key: "unfold", head: "", track: "32px", align: "left" },
        ...shown.map(({ column, widthPx }, i) => ({
          key: column.name,
          head: shortenName(column.name, 36),
          title: column.name,
          track: `${widthPx}px`,
          align:
            column.type === "int" || column.type === "decimal"
              ? ("right" as const)
              : ("left" as const),
          ...(i === 0 && {
            sort: {
              state: newestFirst ? ("descending" as const) : ("ascending" as const),
              onSort: () => onIntent({ kind: "sort", by: "time", desc: !newestFirst }),
            },
          }),
        })),
      ]}
      onCell={(row, column, x, y) => {
        if (column === 0) return toggle(keyOf(row));
        const target = shown[column - 1]?.column;
        if (target === undefined) return;
        const value = valueAt(row, column);
        const group = isScalar(value) && column > 1 ? [{ column: target.name, value }] : [];
        onIntent({ kind: "pick", mark: { group, text: exactText(value, target), x, y } });
      }}
      renderCell={(row, column) => {
        if (column === 0) {
          const open = unfolded.has(keyOf(row));
          return (
            <span
              className={styles.unfold}
              title={open ? "Fold row" : "Unfold row"}
              data-testid="unfold"
            >
              {open ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
            </span>
          );
        }
        const target = shown[column - 1]?.column;
        if (target === undefined) return null;
        const value = valueAt(row, column);
        return (
          <span
            className={styles.value}
            data-missing={value === null}
            title={exactText(value, target)}
          >
            {cellText(value, target, timeZone)}
          </span>
        );
      }}
      renderDetail={(row) =>
        unfolded.has(keyOf(row)) ? (
          <RowDetail
            columns={shown}
            row={rows[row] ?? []}
            timeZone={timeZone}
            onIntent={onIntent}
          />
        ) : null
      }
    />
  );
}
