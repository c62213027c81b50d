import type { Retention, TableInfo } from "@hadal/sdk";
import { formatAgo, formatLength } from "../../../format/ago.js";
import { formatCompact, formatExact, formatRatio } from "../../../format/number.js";
import { ownTimeZone } from "../../../format/ownTimeZone.js";
import { formatInstant, formatIso } from "../../../format/time.js";
import { formatBytes } from "../../../format/value.js";
import type { DataColumn } from "../../../ui/table/DataTable.js";
import styles from "../base/tables.module.css";
import { exploreUrl, pageUrl } from "../base/tableUrls.js";

export interface ListedTable extends TableInfo {
  /** Rows per second; null while it is not known. */
  readonly rate: number | null;
  /** Age of the newest row; null while there is none. */
  readonly lagMs: number | null;
}

export type SortKey =
  | "name"
  | "rows"
  | "bytes"
  | "bytesPerRow"
  | "compressionRatio"
  | "rate"
  | "lagMs";

export interface Sort {
  readonly by: SortKey;
  readonly desc: boolean;
}

/** By a column; what has no value comes last either way. */
export function sortTables(
  tables: readonly ListedTable[],
  by: SortKey,
  desc: boolean,
): readonly ListedTable[] {
  const sign = desc ? -1 : 1;
  return tables.toSorted((a, b) => {
    const [x, y] = [a[by], b[by]];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    if (x === y) return a.name < b.name ? -1 : 1;
    return x < y ? -sign : sign;
  });
}

export function tableColumns(
  sort: Sort,
  onSort: (sort: Sort) => void,
): readonly DataColumn<ListedTable>[] {
  const sortable = (by: SortKey) => ({
    sort: {
      state:
        by !== sort.by
          ? ("none" as const)
          : sort.desc
            ? ("descending" as const)
            : ("ascending" as const),
      // Numbers begin with the largest, names with the first.
      onSort: () => onSort({ by, desc: by === sort.by ? !sort.desc : by !== "name" }),
    },
  });
  return [
    {
      key: "name",
      head: "Table",
      ...sortable("name"),
      cell: ({ name }) => (
        <a className={styles.link} href={pageUrl(name)} title={name}>
          {name}
        </a>
      ),
    },
    {
      key: "rows",
      head: "Rows",
      align: "right",
      ...sortable("rows"),
      cell: ({ rows }) => <span title={formatExact(rows)}>{formatCompact(rows)}</span>,
    },
    {
      key: "bytes",
      head: "Memory",
      align: "right",
      ...sortable("bytes"),
      cell: ({ bytes }) => <span title={`${formatExact(bytes)} bytes`}>{formatBytes(bytes)}</span>,
    },
    {
      key: "perRow",
      head: "Bytes/row",
      align: "right",
      wideOnly: true,
      ...sortable("bytesPerRow"),
      cell: ({ bytesPerRow }) => (bytesPerRow === null ? "–" : formatBytes(bytesPerRow)),
    },
    {
      key: "ratio",
      head: "Ratio",
      title: "Bytes of plain integers and strings ÷ bytes held",
      align: "right",
      wideOnly: true,
      ...sortable("compressionRatio"),
      cell: ({ compressionRatio: ratio }) => (ratio === null ? "–" : formatRatio(ratio)),
    },
    {
      key: "rate",
      head: "Coming in",
      align: "right",
      ...sortable("rate"),
      cell: ({ rate }) => rateText(rate),
    },
    {
      key: "lag",
      head: "Newest row",
      title: "Age of the newest row",
      align: "right",
      ...sortable("lagMs"),
      cell: ({ lagMs, toMs }) => (
        <span title={toMs === null ? "" : formatIso(toMs)}>{lagText(lagMs)}</span>
      ),
    },
    {
      key: "span",
      head: "Oldest row",
      align: "right",
      wideOnly: true,
      cell: ({ fromMs }) =>
        fromMs === null ? (
          "–"
        ) : (
          <span title={formatIso(fromMs)}>
            {formatInstant(fromMs - (fromMs % 1_000), ownTimeZone())}
          </span>
        ),
    },
    { key: "kept", head: "Kept", wideOnly: true, cell: ({ retention }) => keptText(retention) },
    {
      key: "explore",
      head: <span className={styles.hidden}>Explore</span>,
      align: "right",
      cell: ({ name }) => (
        <a className={styles.action} href={exploreUrl(name)} aria-label={`Explore ${name}`}>
          Explore
        </a>
      ),
    },
  ];
}

export const rateText = (rate: number | null): string =>
  rate === null
    ? "…"
    : rate === 0
      ? "–"
      : `${formatCompact(rate < 10 ? Number(rate.toFixed(1)) : Math.round(rate))} /s`;

export function lagText(lagMs: number | null): string {
  if (lagMs === null) return "–";
  // Clocks differ, and some rows are of the future: both are worth knowing.
  if (lagMs < -60_000) return `in ${formatAgo(-lagMs)}`;
  return lagMs < 1_000 ? "now" : `${formatAgo(lagMs)} ago`;
}

/** `7 days`, `2 GiB`, `7 days, 2 GiB`, `for ever`. */
export function keptText({ maxAgeMs, maxBytes }: Retention): string {
  const parts = [
    ...(maxAgeMs === null ? [] : [formatLength(maxAgeMs)]),
    ...(maxBytes === null ? [] : [formatBytes(maxBytes)]),
  ];
  return parts.length === 0 ? "for ever" : parts.join(", ");
}
