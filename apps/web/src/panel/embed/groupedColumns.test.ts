import type { Query } from "@hadal/sdk";
import { expect, test } from "vitest";
import { groupedColumns } from "./groupedColumns.js";

const query: Query = { table: "t", from: "-1h", to: "now" };

test("every kind of group names the column that it shows", () => {
  const groupBy = [
    { time: "1m" },
    "service",
    { column: "country", as: "land" },
    { element: "tags" },
    { bucket: "latency_us", width: 10 },
    "service",
  ];
  const names = ["time", "service", "country", "tags", "latency_us"];
  expect(groupedColumns({ ...query, groupBy })).toEqual(names);
  expect(groupedColumns(query)).toEqual([]);
});

test("a derived column counts as those that it reads, also through another", () => {
  const derive = [
    { as: "host", expression: { fn: "lower", args: [{ column: "url" }] } },
    { as: "both", expression: { fn: "coalesce", args: [{ column: "host" }, { column: "ip" }] } },
    { as: "scored", function: "score", args: ["bytes"] },
    { as: "url2", expression: { column: "url2" } },
  ] as const;
  const groupBy = ["both", "scored", "url2"];
  expect(groupedColumns({ ...query, derive, groupBy })).toEqual(["url", "ip", "bytes", "url2"]);
});
