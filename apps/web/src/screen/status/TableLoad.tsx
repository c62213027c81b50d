import type { MemberTable, StatusInfo } from "@hadal/sdk";
import { formatCompact, formatExact } from "../../format/number.js";
import { formatBytes } from "../../format/value.js";
import { Meter } from "../../ui/button/Meter.js";
import { type DataColumn, DataTable } from "../../ui/table/DataTable.js";
import styles from "./status.module.css";

export interface TableLoadProps {
  readonly status: StatusInfo;
  /** Rows per second; null: unknown. */
  readonly rateOf: (table: string) => number | null;
}

/** Memory, rows and ingest rate of each table. */
export function TableLoad({ status, rateOf }: TableLoadProps) {
  const all = status.tables.reduce((sum, { bytes }) => sum + bytes, 0);
  const columns: readonly DataColumn<MemberTable>[] = [
    {
      key: "name",
      head: "Table",
      cell: ({ name }) => (
        <a className={styles.link} href={`/tables/${encodeURIComponent(name)}`}>
          {name}
        </a>
      ),
    },
    {
      key: "bytes",
      head: "Memory",
      cell: ({ name, bytes }) => (
        <span className={styles.memory}>
          <Meter label={`Share of ${name}`} share={all === 0 ? 0 : bytes / all} warnFrom={2} />
          {formatBytes(bytes)}
        </span>
      ),
    },
    {
      key: "rows",
      head: "Rows",
      align: "right",
      cell: ({ rows }) => <span title={formatExact(rows)}>{formatCompact(rows)}</span>,
    },
    {
      key: "rate",
      head: "Received",
      align: "right",
      cell: ({ name }) => {
        const rate = rateOf(name);
        return rate === null ? "…" : `${formatCompact(Math.round(rate))} /s`;
      },
    },
  ];
  return (
    <DataTable
      label="Rows by table"
      testId="table-load"
      columns={columns}
      rows={status.tables}
      rowKey={({ name }) => name}
      empty="There are no tables yet."
    />
  );
}
