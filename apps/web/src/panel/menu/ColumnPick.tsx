import { type ColumnInfo, timeColumn } from "@hadal/sdk";
import { PickList } from "../../ui/popup/PickList.js";
import { usePanel } from "../panel.js";

export interface ColumnPickProps {
  readonly label: string;
  readonly testId: string;
  readonly onPick: (name: string) => void;
  /** Whether a column can be chosen; absent: all but time. */
  readonly allows?: (column: ColumnInfo) => boolean;
  readonly picked?: readonly string[];
}

/** A column of the table, by name. */
export function ColumnPick({ label, testId, onPick, allows, picked }: ColumnPickProps) {
  const { table, columns: all, limits } = usePanel();
  const isOffered = ({ name }: ColumnInfo): boolean =>
    name !== timeColumn && (limits?.groupColumns.includes(name) ?? true);
  const columns = all.filter((column) => isOffered(column) && (allows?.(column) ?? true));
  const isAwaited = table === null && limits === undefined;
  return (
    <PickList
      label={label}
      testId={testId}
      placeholder="column…"
      awaited={isAwaited}
      empty={isAwaited ? "Loading columns…" : "No column name matches."}
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
