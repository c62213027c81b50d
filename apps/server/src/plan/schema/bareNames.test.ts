import type { Query } from "@hadal/sdk";
import { expect, test } from "vitest";
import { withBareNames } from "./bareNames.js";
import { createTableSchema } from "./tableSchema.js";

const table = createTableSchema("requests", [
  { name: "status", type: "int", decimals: 0 },
  { name: "requests.own", type: "int", decimals: 0 },
  { name: "own", type: "int", decimals: 0 },
]);
const base = { table: "requests", from: 0, to: 1 } as const;
const bare = (query: Omit<Query, "table" | "from" | "to">) =>
  withBareNames({ ...base, ...query }, table);

test("a column that is named with its table is named alone, wherever it stands", () => {
  const query = bare({
    filter: [{ any: [{ not: { column: "requests.status", op: "=", value: 1 } }] }],
    groupBy: ["requests.status", { bucket: "requests.status", width: 5 }],
    aggregates: [{ fn: "sum", column: "requests.status" }],
    derive: [
      { as: "d", expression: { fn: "+", args: [{ column: "requests.status" }, { value: 1 }] } },
    ],
  });
  expect(query).toMatchObject({
    filter: [{ any: [{ not: { column: "status" } }] }],
    groupBy: ["status", { bucket: "status" }],
    aggregates: [{ column: "status" }],
    derive: [{ expression: { args: [{ column: "status" }, { value: 1 }] } }],
  });
});

test("names of results follow the aggregates that they are made of", () => {
  const query = bare({
    aggregates: [{ fn: "sum", column: "requests.status" }],
    orderBy: [{ by: "sum_requests.status", desc: true }],
    having: [{ column: "sum_requests.status", op: ">", value: 1 }],
  });
  const [sum] = query.orderBy ?? [];
  expect(sum?.by).toBe("sum_status");
  expect(query.having).toMatchObject([{ column: "sum_status" }]);
});

test("a column that is called so keeps its name, and so does what is no column", () => {
  expect(bare({ groupBy: ["requests.own", "requests.gone", "other.status"] }).groupBy).toEqual([
    "requests.own",
    "requests.gone",
    "other.status",
  ]);
});
