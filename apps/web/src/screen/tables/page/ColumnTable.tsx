import type { ColumnInfo, Facet, TableDetail } from "@hadal/sdk";
import { useState } from "react";
import { formatShare } from "../../../format/change.js";
import { formatCompact, formatExact, formatRatio } from "../../../format/number.js";
import { formatBytes } from "../../../format/value.js";
import { Button } from "../../../ui/button/Button.js";
import { Meter } from "../../../ui/button/Meter.js";
import { Strip } from "../../../ui/page/Strip.js";
import { type DataColumn, DataTable } from "../../../ui/table/DataTable.js";
import styles from "../base/tables.module.css";
import type { Distinct } from "./useDistinct.js";

export interface ColumnTableProps {
  readonly table: TableDetail;
  readonly distinct: Distinct;
}

/** Columns shown before “Show all”. */
const shownFirst = 100;

/** The columns with their types, filled rows, distinct values and memory. */
export function ColumnTable({ table, distinct }: ColumnTableProps) {
  const [search, setSearch] = useState("");
  const [all, setAll] = useState(false);
  const needle = search.trim().toLowerCase();
  const found = table.columns.filter(({ name }) => name.toLowerCase().includes(needle));
  const shown = all ? found : found.slice(0, shownFirst);
  return (
    <>
      {table.columns.length > 20 && (
        <input
          className={styles.search}
          aria-label="Search columns"
          placeholder="search columns"
          value={search}
          spellCheck={false}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      <DataTable
        label="Columns"
        testId="columns"
        rowTestId="column"
        columns={columnsOf(table, distinct.facets)}
        rows={shown}
        rowKey={({ name }) => name}
        empty="No column name matches."
      />
      {distinct.problem !== null && <Strip tone="bad">{distinct.problem}</Strip>}
      <Button
        className={styles.more ?? ""}
        data-testid="count-distinct"
        disabled={distinct.counting}
        onClick={distinct.count}
      >
        {distinct.counting ? "Counting over all rows…" : "Count distinct values"}
      </Button>
      {shown.length < found.length && (
        <Button className={styles.more ?? ""} onClick={() => setAll(true)}>
          Show all {found.length}
        </Button>
      )}
    </>
  );
}

/** Without sizes for whoever may read only some of the rows. */
function columnsOf(
  table: TableDetail,
  distinct: Distinct["facets"],
): readonly DataColumn<ColumnInfo>[] {
  const sizes = sizeColumns(table);
  return [
    {
      key: "name",
      head: "Column",
      cell: ({ name }) => (
        <code className={styles.name} title={name}>
          {name}
        </code>
      ),
    },
    { key: "type", head: "Type", cell: typeText },
    ...sizes.slice(0, 1),
    {
      key: "distinct",
      head: "Distinct values",
      align: "right",
      cell: ({ name }) => distinctText(distinct?.get(name)),
    },
    ...sizes.slice(1),
  ];
}

function sizeColumns({ rows: allRows, bytes: allBytes }: TableDetail): DataColumn<ColumnInfo>[] {
  if (allRows === undefined || allBytes === undefined) return [];
  return [
    {
      key: "fill",
      head: "Filled",
      title: "Share of rows that have a value",
      cell: ({ name, rows = 0 }) => <Filled name={name} rows={rows} allRows={allRows} />,
    },
    {
      key: "bytes",
      head: "Memory",
      align: "right",
      cell: ({ bytes = 0 }) => (
        <span title={`${formatShare(shareOf(bytes, allBytes))} of the table`}>
          {formatBytes(bytes)}
        </span>
      ),
    },
    {
      key: "perValue",
      head: "Bytes/value",
      align: "right",
      wideOnly: true,
      cell: ({ bytes = 0, rows = 0 }) => (rows === 0 ? "–" : formatBytes(bytes / rows)),
    },
    {
      key: "ratio",
      head: "Ratio",
      title: "Bytes of plain integers and strings ÷ bytes stored",
      align: "right",
      wideOnly: true,
      cell: ({ compressionRatio: ratio = null }) => (ratio === null ? "–" : formatRatio(ratio)),
    },
  ];
}

interface FilledProps {
  readonly name: string;
  readonly rows: number;
  readonly allRows: number;
}

function Filled({ name, rows, allRows }: FilledProps) {
  const share = shareOf(rows, allRows);
  return (
    <span className={styles.meter} title={`${formatExact(rows)} of ${formatExact(allRows)} rows`}>
      <Meter label={`${name} is filled`} share={share} warnFrom={2} />
      {formatShare(share)}
    </span>
  );
}

const shareOf = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

function typeText({ type, decimals, unit }: ColumnInfo): string {
  const name = decimals > 0 ? `decimal, ${decimals} places` : type === "int" ? "integer" : type;
  return unit === undefined ? name : `${name}, ${unit === "us" ? "µs" : unit}`;
}

function distinctText(facet: Facet | undefined): string {
  if (facet === undefined) return "–";
  if (facet.distinct === null) return "too many to count";
  return `${facet.distinctIsExact ? "" : "≈ "}${formatCompact(facet.distinct)}`;
}
