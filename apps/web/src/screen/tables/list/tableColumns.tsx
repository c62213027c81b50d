import type { TableInfo, TableSizes } from "@hadal/sdk";
import { formatCompact, formatExact, formatRatio } from "../../../format/number.js";
import { ownTimeZone } from "../../../format/ownTimeZone.js";
import { formatInstant, formatIso } from "../../../format/time.js";
import { formatBytes } from "../../../format/value.js";
import type { DataColumn } from "../../../ui/table/DataTable.js";
import styles from "../base/tables.module.css";
import { exploreUrl, pageUrl } from "../base/tableUrls.js";
import { keptText, lagText, rateText, samplesText, visibleText } from "./tableText.js";

/** Sizes are null for whoever may read only some of the rows. */
type NullableSizes = { readonly [Name in keyof TableSizes]: TableSizes[Name] | null };

export const noSizes: NullableSizes = {
  ...{ rows: null, bytes: null, bytesPerRow: null },
  ...{ compressionRatio: null, fromMs: null, toMs: null },
};

/** Age of the newest row; null: no rows, or it may not be known. */
export const ageOf = ({ toMs = null }: TableInfo, atMs: number): number | null =>
  toMs === null ? null : atMs - toMs;

export interface ListedTable extends Omit<TableInfo, keyof TableSizes>, NullableSizes {
  /** Rows per second; null: unknown. */
  readonly rate: number | null;
  /** See {@link ageOf}. */
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
  readonly direction: "ascending" | "descending";
}

/** Sorted by a column; missing values come last in both directions. */
export function sortTables(
  tables: readonly ListedTable[],
  { by, direction }: Sort,
): readonly ListedTable[] {
  const sign = direction === "descending" ? -1 : 1;
  return tables.toSorted((a, b) => {
    const [x, y] = [a[by], b[by]];
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
    if (x === y) return a.name < b.name ? -1 : 1;
    return x < y ? -sign : sign;
  });
}

/** The order after a click on the head of a column. */
export function sortAfterClick(sort: Sort, by: SortKey): Sort {
  if (by === sort.by) {
    return { by, direction: sort.direction === "descending" ? "ascending" : "descending" };
  }
  // The first click sorts numbers descending and names ascending.
  return { by, direction: by === "name" ? "ascending" : "descending" };
}

const right = { align: "right" } as const;
const wideRight = { align: "right", wideOnly: true } as const;

export function tableColumns(
  sort: Sort,
  onSort: (sort: Sort) => void,
): readonly DataColumn<ListedTable>[] {
  const sortable = (by: SortKey) => ({
    sort: {
      state: by === sort.by ? sort.direction : ("none" as const),
      onSort: () => onSort(sortAfterClick(sort, by)),
    },
  });
  return [
    { key: "name", head: "Table", ...sortable("name"), cell: nameCell },
    { key: "rows", head: "Rows", ...right, ...sortable("rows"), cell: rowsCell },
    { key: "bytes", head: "Memory", ...right, ...sortable("bytes"), cell: bytesCell },
    {
      key: "perRow",
      head: "Bytes/row",
      ...{ ...wideRight, ...sortable("bytesPerRow") },
      cell: ({ bytesPerRow }) => (bytesPerRow === null ? "–" : formatBytes(bytesPerRow)),
    },
    {
      key: "ratio",
      head: "Ratio",
      title: "Bytes of plain integers and strings ÷ bytes stored",
      ...{ ...wideRight, ...sortable("compressionRatio") },
      cell: ({ compressionRatio: ratio }) => (ratio === null ? "–" : formatRatio(ratio)),
    },
    {
      key: "rate",
      head: "Received",
      ...{ ...right, ...sortable("rate") },
      cell: ({ rate }) => rateText(rate),
    },
    {
      key: "lag",
      head: "Newest row",
      title: "Age of the newest row",
      ...{ ...right, ...sortable("lagMs") },
      cell: newestCell,
    },
    {
      key: "visible",
      head: "Visible after",
      title: "From an event to an answer that has it: half of the sampled rows · 99 of 100",
      ...wideRight,
      cell: visibleCell,
    },
    { key: "span", head: "Oldest row", ...wideRight, cell: oldestCell },
    { key: "kept", head: "Kept", wideOnly: true, cell: ({ retention }) => keptText(retention) },
    {
      key: "explore",
      head: <span className={styles.hidden}>Explore</span>,
      ...right,
      cell: exploreCell,
    },
  ];
}

const nameCell = ({ name }: ListedTable) => (
  <a className={styles.link} href={pageUrl(name)} title={name}>
    {name}
  </a>
);

const rowsCell = ({ rows }: ListedTable) =>
  rows === null ? "–" : <span title={formatExact(rows)}>{formatCompact(rows)}</span>;

const bytesCell = ({ bytes }: ListedTable) =>
  bytes === null ? "–" : <span title={`${formatExact(bytes)} bytes`}>{formatBytes(bytes)}</span>;

const newestCell = ({ lagMs, toMs }: ListedTable) => (
  <span title={toMs === null ? "" : formatIso(toMs)}>{lagText(lagMs)}</span>
);

const visibleCell = ({ visible }: ListedTable) => (
  <span title={visible === undefined ? "" : samplesText(visible)}>{visibleText(visible)}</span>
);

const oldestCell = ({ fromMs }: ListedTable) =>
  fromMs === null ? (
    "–"
  ) : (
    <span title={formatIso(fromMs)}>{formatInstant(fromMs - (fromMs % 1_000), ownTimeZone())}</span>
  );

const exploreCell = ({ name }: ListedTable) => (
  <a className={styles.action} href={exploreUrl(name)} aria-label={`Explore ${name}`}>
    Explore
  </a>
);
