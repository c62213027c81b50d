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

/** More columns than this are searched, not read. */
const shownFirst = 100;

/** The columns: what they hold, in how many rows, at what price. */
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
        empty="No column has that in its name."
      />
      {distinct.problem !== null && <Strip tone="bad">{distinct.problem}</Strip>}
      <Button
        className={styles.more ?? ""}
        data-testid="count-distinct"
        disabled={distinct.counting}
        onClick={distinct.count}
      >
        {distinct.counting ? "Counting, over all rows…" : "Count different values"}
      </Button>
      {shown.length < found.length && (
        <Button className={styles.more ?? ""} onClick={() => setAll(true)}>
          Show all {found.length}
        </Button>
      )}
    </>
  );
}

function columnsOf(
  { rows: allRows, bytes: allBytes }: TableDetail,
  distinct: Distinct["facets"],
): readonly DataColumn<ColumnInfo>[] {
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
    {
      key: "fill",
      head: "Filled",
      title: "Share of rows that have a value",
      cell: ({ name, rows }) => {
        const share = allRows === 0 ? 0 : rows / allRows;
        return (
          <span
            className={styles.meter}
            title={`${formatExact(rows)} of ${formatExact(allRows)} rows`}
          >
            <Meter label={`${name} is filled`} share={share} warnFrom={2} />
            {formatShare(share)}
          </span>
        );
      },
    },
    {
      key: "distinct",
      head: "Different values",
      align: "right",
      cell: ({ name }) => distinctText(distinct?.get(name)),
    },
    {
      key: "bytes",
      head: "Memory",
      align: "right",
      cell: ({ bytes }) => (
        <span title={`${formatShare(allBytes === 0 ? 0 : bytes / allBytes)} of the table`}>
          {formatBytes(bytes)}
        </span>
      ),
    },
    {
      key: "perValue",
      head: "Bytes/value",
      align: "right",
      wideOnly: true,
      cell: ({ bytes, rows }) => (rows === 0 ? "–" : formatBytes(bytes / rows)),
    },
    {
      key: "ratio",
      head: "Ratio",
      title: "Bytes of plain integers and strings ÷ bytes held",
      align: "right",
      wideOnly: true,
      cell: ({ compressionRatio: ratio }) => (ratio === null ? "–" : formatRatio(ratio)),
    },
  ];
}

function typeText({ type, decimals, unit }: ColumnInfo): string {
  const name = decimals > 0 ? `decimal, ${decimals} places` : type === "int" ? "integer" : type;
  return unit === undefined ? name : `${name}, ${unit === "us" ? "µs" : unit}`;
}

function distinctText(facet: Facet | undefined): string {
  if (facet === undefined) return "–";
  if (facet.distinct === null) return "very many";
  return `${facet.distinctIsExact ? "" : "≈ "}${formatCompact(facet.distinct)}`;
}
