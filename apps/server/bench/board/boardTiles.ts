import type { Query } from "@hadal/sdk";

type Asked = Pick<Query, "aggregates" | "groupBy" | "filter" | "orderBy" | "limit" | "series">;

const count: Query["aggregates"] = [{ fn: "count" }];
const bytes: Query["aggregates"] = [{ fn: "sum", column: "bytes" }];
const users: Query["aggregates"] = [{ fn: "distinct", column: "user_id" }];
const latency: Query["aggregates"] = [
  { fn: "percentile", column: "latency_us", p: 95 },
  { fn: "avg", column: "latency_us" },
];
const failed: Query["filter"] = [{ column: "status", op: ">=", value: 500 }];
const columns = ["service", "endpoint", "country", "app_version", "device", "status"];
const minute = { time: "1m" } as const;

/** Big numbers, top values, and lines over time: what the boards that ship with Hadal ask for. */
const kinds: readonly Asked[] = [
  ...[count, bytes, users, latency].map((aggregates) => ({ aggregates })),
  ...columns.map((column) => ({ aggregates: count, groupBy: [column], limit: 10 })),
  ...columns.map((column) => ({ aggregates: latency, groupBy: [column], limit: 10 })),
  ...columns.map((column) => ({ aggregates: count, groupBy: [minute, column], series: 6 })),
  ...[count, bytes, latency].map((aggregates) => ({ aggregates, groupBy: [minute] })),
];

/** Forty tiles of the demo's table over its newest three hours, each compared with a week before; fifteen of failures. */
export const boardTiles: readonly { readonly tile: string; readonly query: Query }[] = [
  ...kinds,
  ...kinds.slice(0, 15).map((kind) => ({ ...kind, filter: failed })),
].map((asked, i) => ({
  tile: `t${i}`,
  query: { table: "requests", from: "-3h", to: "now", compare: { offset: "7d" }, ...asked },
}));
