import type { Dashboard, DashboardTile, Filter, Query, TableDetail } from "@hadal/sdk";

const table = "requests";

/** Columns by which the demo's table is known. */
const demoColumns = ["service", "endpoint", "status", "latency_us", "country", "app_version"];

/** Whether the table is the demo's, or has its columns. */
export const isDemoTable = ({ columns }: Pick<TableDetail, "columns">): boolean =>
  demoColumns.every((name) => columns.some((column) => column.name === name));

interface Asked extends Omit<Query, "table" | "from" | "to"> {
  readonly viewOptions?: Readonly<Record<string, string>>;
}
type Place = readonly [x: number, y: number, w: number, h: number];

const failed: Filter = { column: "status", op: ">=", value: 500 };
const count: Query["aggregates"] = [{ fn: "count" }];
const p95: Query["aggregates"] = [{ fn: "percentile", column: "latency_us", p: 95, as: "p95" }];
const bytes: Query["aggregates"] = [{ fn: "sum", column: "bytes" }];

/** A tile of the demo's table; its id is made of its title. */
function tile(
  title: string,
  view: string,
  [x, y, w, h]: Place,
  { viewOptions, ...asked }: Asked,
): DashboardTile {
  const id = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  const query: Query = { table, from: "-3h", to: "now", ...asked };
  return { id, title, x, y, w, h, query, view, ...(viewOptions !== undefined && { viewOptions }) };
}

/** Compared with last week: 24 tiles in four sections. */
export const siteOverview: Dashboard = {
  version: 1,
  ...{ from: "-3h", to: "now", compare: { offset: "7d" }, filter: [] },
  variables: [
    { name: "service", table, column: "service", values: null },
    { name: "country", table, column: "country", values: null },
  ],
  sections: [
    {
      title: "Traffic",
      tiles: [
        tile("Requests", "bignumber", [0, 0, 3, 3], {
          aggregates: count,
          viewOptions: { normal: "off" },
        }),
        tile("Users", "bignumber", [3, 0, 3, 3], {
          aggregates: [{ fn: "distinct", column: "user_id", as: "users" }],
          viewOptions: { normal: "off" },
        }),
        tile("Bytes sent", "bignumber", [6, 0, 3, 3], {
          aggregates: bytes,
          viewOptions: { normal: "off" },
        }),
        tile("Requests by device", "pie", [9, 0, 3, 6], { aggregates: count, groupBy: ["device"] }),
        tile("Requests by service over time", "timeseries", [0, 3, 9, 5], {
          ...{ aggregates: count, groupBy: ["service"] },
        }),
        tile("Requests by country", "bar", [9, 6, 3, 5], {
          ...{ aggregates: count, groupBy: ["country"], limit: 10 },
        }),
        tile("Most used endpoints", "table", [0, 8, 9, 5], {
          ...{ aggregates: count, groupBy: ["endpoint"], limit: 20 },
        }),
      ],
    },
    {
      title: "Errors",
      tiles: [
        tile("Failed requests", "bignumber", [0, 0, 3, 3], {
          ...{ aggregates: count, filter: [failed] },
          viewOptions: { normal: "off" },
        }),
        tile("Failures by service", "timeseries", [3, 0, 6, 5], {
          ...{ aggregates: count, groupBy: ["service"], filter: [failed] },
        }),
        tile("Status codes", "bar", [9, 0, 3, 5], {
          aggregates: count,
          groupBy: ["status"],
          limit: 10,
        }),
        tile("Failures by endpoint", "table", [0, 5, 6, 5], {
          ...{ aggregates: count, groupBy: ["endpoint"], filter: [failed], limit: 20 },
        }),
        tile("Failures by release", "bar", [6, 5, 3, 5], {
          ...{ aggregates: count, groupBy: ["app_version"], filter: [failed], limit: 10 },
        }),
        tile("Failures by country", "bar", [9, 5, 3, 5], {
          ...{ aggregates: count, groupBy: ["country"], filter: [failed], limit: 10 },
        }),
      ],
    },
    {
      title: "Latency",
      tiles: [
        tile("p95 latency", "bignumber", [0, 0, 3, 3], {
          aggregates: p95,
          viewOptions: { normal: "off" },
        }),
        tile("p95 latency by service", "timeseries", [3, 0, 9, 5], {
          ...{ aggregates: p95, groupBy: ["service"] },
        }),
        tile("Latency over time", "heatmap", [0, 5, 6, 5], {
          aggregates: count,
          viewOptions: { value: "latency_us" },
        }),
        tile("Distribution of latency", "distribution", [6, 5, 6, 5], {
          aggregates: count,
          viewOptions: { value: "latency_us" },
        }),
        tile("Slowest endpoints", "table", [0, 10, 6, 5], {
          ...{ aggregates: [...p95, ...count], groupBy: ["endpoint"], limit: 20 },
          orderBy: [{ by: "p95", desc: true }],
        }),
        tile("p95 latency by country", "bar", [6, 10, 6, 5], {
          ...{ aggregates: p95, groupBy: ["country"], limit: 12 },
        }),
      ],
    },
    {
      title: "Releases and users",
      tiles: [
        {
          ...{ id: "about-releases", x: 0, y: 0, w: 3, h: 5 },
          text: "### Releases\n\nA new release shows as a new colour. Click it, then **Compare this with the rest**.\n\n`w` compares with last week, `m` shows what moved.",
        },
        tile("Requests by release", "area", [3, 0, 6, 5], {
          ...{ aggregates: count, groupBy: ["app_version"] },
        }),
        tile("Requests by feature", "bar", [9, 0, 3, 5], {
          ...{ aggregates: count, groupBy: [{ element: "features" }], limit: 10 },
        }),
        tile("p95 latency by release", "timeseries", [0, 5, 6, 5], {
          ...{ aggregates: p95, groupBy: ["app_version"], series: 5 },
        }),
        tile("Bytes by service", "treemap", [6, 5, 6, 5], {
          aggregates: bytes,
          groupBy: ["service"],
        }),
      ],
    },
  ],
};
