import {
  type ColumnInfo,
  type Dashboard,
  type DashboardTile,
  type Query,
  sampleRateColumn,
  type TableDetail,
  timeColumn,
} from "@hadal/sdk";
import { wholeRange } from "../../../query/state/opening.js";

/** More tiles of a kind would repeat what the first ones show. */
const columnsMax = 6;
const numbersMax = 6;
/** Columns with more bytes per row are nearly unique: ids and messages. */
const bytesPerRowMax = 8;
const freshMs = 3 * 3_600_000;

/** A board of any table, from its columns: volume, the most frequent values, distributions of numbers. */
export function boardOfTable(table: TableDetail, nowMs = Date.now()): Dashboard {
  const columns = table.columns.filter(
    ({ name }) => name !== timeColumn && name !== sampleRateColumn,
  );
  const frequent = columns.filter(repeats).slice(0, columnsMax);
  const numbers = columns.filter(({ type }) => type === "int").slice(0, numbersMax);
  const sections = [
    { title: "Volume", tiles: volumeTiles(table.name) },
    {
      title: "Most frequent values",
      tiles: frequent.map((one, i) => frequentTile(table.name, one, i)),
    },
    { title: "Numbers", tiles: numbers.flatMap((one, i) => numberTiles(table.name, one, i)) },
  ];
  return {
    version: 1,
    ...rangeOf(table, nowMs),
    variables: frequent
      .filter(({ type }) => type === "string")
      .slice(0, 2)
      .map(({ name }) => ({ name, table: table.name, column: name, values: null })),
    sections: sections.filter(({ tiles }) => tiles.length > 0),
  };
}

/** The last day compared with last week; the whole range where no row is fresh. */
function rangeOf(table: TableDetail, nowMs: number): Partial<Dashboard> {
  const whole = wholeRange(table);
  const isFresh = whole === null || (table.toMs ?? nowMs) >= nowMs - freshMs;
  return isFresh ? { from: "-24h", to: "now", compare: { offset: "7d" } } : whole;
}

/** Texts and lists whose values come again and again. */
function repeats({ type, bytes = 0, rows = 1 }: ColumnInfo): boolean {
  if (type === "int") return false;
  return type !== "string" || bytes / Math.max(1, rows) <= bytesPerRowMax;
}

type Asked = Omit<Query, "table" | "from" | "to">;

const asking = (table: string, asked: Asked): { readonly query: Query } => ({
  query: { table, from: "-3h", to: "now", ...asked },
});

const volumeTiles = (table: string): readonly DashboardTile[] => [
  {
    ...{ id: "rows", title: `Rows of ${table}`, x: 0, y: 0, w: 3, h: 4, view: "bignumber" },
    ...asking(table, { aggregates: [{ fn: "count" }] }),
  },
  {
    ...{
      id: "rows-over-time",
      title: "Rows over time",
      x: 3,
      y: 0,
      w: 9,
      h: 4,
      view: "timeseries",
    },
    ...asking(table, { aggregates: [{ fn: "count" }] }),
  },
];

function frequentTile(table: string, { name, type }: ColumnInfo, i: number): DashboardTile {
  const group = type === "string" ? name : { element: name };
  return {
    ...{ id: `values-${i}`, title: `By ${name}`.slice(0, 200), view: "bar" },
    ...{ x: (i % 3) * 4, y: Math.floor(i / 3) * 5, w: 4, h: 5 },
    ...asking(table, { aggregates: [{ fn: "count" }], groupBy: [group], limit: 10 }),
  };
}

function numberTiles(table: string, { name }: ColumnInfo, i: number): readonly DashboardTile[] {
  const title = name.slice(0, 150);
  return [
    {
      ...{ id: `over-time-${i}`, title: `p50 and p95 of ${title}`, view: "timeseries" },
      ...{ x: 0, y: i * 4, w: 8, h: 4 },
      ...asking(table, {
        aggregates: [50, 95].map((p) => ({ fn: "percentile", column: name, p })),
      }),
    },
    {
      ...{ id: `distribution-${i}`, title: `Distribution of ${title}`, view: "distribution" },
      ...{ x: 8, y: i * 4, w: 4, h: 4 },
      ...asking(table, { aggregates: [{ fn: "count" }] }),
      viewOptions: { value: name },
    },
  ];
}
