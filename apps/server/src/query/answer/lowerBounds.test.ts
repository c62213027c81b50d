import type { Query } from "@hadal/sdk";
import { expect, test } from "vitest";
import { resolveQuery } from "../../aggregate/function/resolveQuery.js";
import { createTableSchema } from "../../plan/schema/tableSchema.js";
import { lowerBounds } from "./lowerBounds.js";

const table = createTableSchema("requests", [
  { name: "service", type: "string", decimals: 0 },
  { name: "bytes", type: "int", decimals: 0 },
]);
const sum = { fn: "sum", column: "bytes" } as const;

function boundsOf(
  more: Partial<Query>,
  isPart: readonly boolean[],
  neverNegative = false,
): readonly string[] {
  const asked = { table: "requests", from: 0, to: 60_000, groupBy: ["service"], ...more };
  const split = resolveQuery(asked, table, 0);
  return lowerBounds(split, isPart, (column) => neverNegative && column === "bytes");
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

test("a sum grows where no value of its column is negative, and that is known", () => {
  expect(boundsOf({ aggregates: [sum] }, [true])).toEqual([]);
  expect(boundsOf({ aggregates: [sum] }, [true], true)).toEqual(["sum_bytes"]);
  const derive = [
    { as: "bytes2", expression: { fn: "-", args: [{ column: "bytes" }, { value: 9 }] } },
  ];
  const derived = { derive, aggregates: [{ fn: "sum", column: "bytes2" }] } as never;
  expect(boundsOf(derived, [true], true)).toEqual([]);
});
