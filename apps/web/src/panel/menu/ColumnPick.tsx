import { type ColumnInfo, timeColumn } from "@hadal/sdk";
import { PickList } from "../../ui/popup/PickList.js";
import { usePanel } from "../panel.js";

export interface ColumnPickProps {
  readonly label: string;
  readonly testId: string;
  readonly onPick: (name: string) => void;
  /** Which columns can be chosen here; absent: all but time. */
  readonly allows?: (column: ColumnInfo) => boolean;
  readonly picked?: readonly string[];
}

/** A column of the table, by name. */
export function ColumnPick({ label, testId, onPick, allows, picked }: ColumnPickProps) {
  const { table, columns: all } = usePanel();
  const columns = all.filter((column) => column.name !== timeColumn && (allows?.(column) ?? true));
  return (
    <PickList
      label={label}
      testId={testId}
      placeholder="column…"
      awaited={table === null}
      empty={table === null ? "The columns are being read…" : "No column has that in its name."}
      items={columns.map((column) => ({
        key: column.name,
        label: column.name,
        note: column.decimals > 0 ? "decimal" : column.type,
        picked: picked?.includes(column.name) ?? false,
      }))}
      onPick={onPick}
    />
  );
}
