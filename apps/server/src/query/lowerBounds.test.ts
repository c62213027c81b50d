import type { Query } from "@hadal/sdk";
import { expect, test } from "vitest";
import { partialOfRows } from "../aggregate/testing/partialOfRows.js";
import { resolveQuery } from "../plan/resolveQuery.js";
import { createTableSchema } from "../plan/tableSchema.js";
import { lowerBounds } from "./lowerBounds.js";
import { row } from "./testing/rowLeaves.js";

const table = createTableSchema("requests", [
  { name: "service", type: "string", decimals: 0 },
  { name: "bytes", type: "int", decimals: 0 },
]);
const sum = { fn: "sum", column: "bytes" } as const;
const min = { fn: "min", column: "bytes" } as const;

function boundsOf(
  more: Partial<Query>,
  isPart: readonly boolean[],
  { least = 0n, grows = false } = {},
): readonly string[] {
  const asked = { table: "requests", from: 0, to: 60_000, groupBy: ["service"], ...more };
  const split = resolveQuery(asked, table, 0);
  const rows = [row(1, "checkout", 10n), row(2, "search", least)];
  const part = { ...partialOfRows(rows, split.resolved), ...(grows ? { grows } : {}) };
  return lowerBounds(split, [part, part], isPart);
}

test("counts and rates of what is missing grow; averages, extremes and whole sides do not", () => {
  const aggregates: Query["aggregates"] = [
    { fn: "count" },
    { fn: "count", per: "minute", as: "rate" },
    { fn: "avg", column: "bytes" },
    { fn: "max", column: "bytes" },
  ];
  expect(boundsOf({ aggregates }, [false])).toEqual([]);
  expect(boundsOf({ aggregates }, [true])).toEqual(["count", "count.raw", "rate", "rate.raw"]);
  const compare = { offset: "1m" } as const;
  const compared = (isPart: readonly boolean[]) =>
    boundsOf({ aggregates: [{ fn: "count" }], compare }, isPart);
  expect(compared([false, true])).toEqual(["count.compare"]);
  expect(compared([true, true])).toEqual(["count", "count.compare", "count.raw"]);
});

test("a sum grows where no value is known to be negative, and that is known of all", () => {
  expect(boundsOf({ aggregates: [sum] }, [true])).toEqual([]);
  expect(boundsOf({ aggregates: [sum, min] }, [true])).toEqual(["sum_bytes"]);
  expect(boundsOf({ aggregates: [sum, min] }, [true], { least: -1n })).toEqual([]);
  expect(boundsOf({ aggregates: [sum] }, [true], { grows: true })).toEqual(["sum_bytes"]);
});
