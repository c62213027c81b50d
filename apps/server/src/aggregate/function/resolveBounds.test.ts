import type { Query } from "@hadal/sdk";
import { describe, expect, it, test } from "vitest";
import type { QueryBounds, TableGrant } from "../../base/access/readable.js";
import { grantedSchema } from "../../plan/schema/grantedSchema.js";
import { createTableSchema } from "../../plan/schema/tableSchema.js";
import { resolveQuery } from "./resolveQuery.js";

const stored = createTableSchema("visits", [
  { name: "time", type: "int", decimals: 0 },
  { name: "page", type: "string", decimals: 0 },
  { name: "user", type: "string", decimals: 0 },
  { name: "tags", type: "set", decimals: 0 },
  { name: "ms", type: "int", decimals: 0 },
  { name: "bytes", type: "int", decimals: 0 },
]);
const allowed: QueryBounds = { rows: false, groupBy: ["time", "page", "ms"], rangeMsMax: 60_000 };

/** Resolved, or the problem it is refused with. */
function ask(
  query: Partial<Query>,
  bounds: Partial<QueryBounds> = {},
  grant: Partial<TableGrant> = {},
): string {
  const whole: Query = { table: "visits", from: 0, to: 60_000, ...query };
  const given = { rows: null, hiddenColumns: [], ...grant, bounds: { ...allowed, ...bounds } };
  try {
    resolveQuery(whole, grantedSchema(stored, given), 0);
    return "allowed";
  } catch (error) {
    const { code, message } = error as { readonly code: string; readonly message: string };
    expect(code).toBe("token-scope");
    return message.replace("The embed token does not allow ", "");
  }
}

const upper = (column: string) => ({ as: "d", expression: { fn: "upper", args: [{ column }] } });

describe("what shows no values of a column reads any that is not hidden", () => {
  it.each<[string, Partial<Query>]>([
    ["conditions", { filter: [{ column: "user", op: "=", value: "ann" }] }],
    ["sums", { aggregates: [{ fn: "sum", column: "bytes" }] }],
    ["extremes of numbers", { aggregates: [{ fn: "max", column: "bytes" }] }],
    ["counts of values", { aggregates: [{ fn: "distinct", column: "user" }] }],
    ["derived numbers", { derive: [upper("user")], aggregates: [{ fn: "distinct", column: "d" }] }],
  ] as never)("%s", (_, query) => {
    expect(ask(query)).toBe("allowed");
  });
});

describe("values are shown of the columns that are listed", () => {
  it.each<[string, Partial<Query>, string]>([
    ["groups", { groupBy: ["user"] }, "groups by user."],
    ["groups beside others", { groupBy: ["page", "user"] }, "groups by user."],
    ["ranges of numbers", { groupBy: [{ bucket: "bytes", size: 10 }] }, "groups by bytes."],
    ["elements", { groupBy: [{ element: "tags" }] }, "groups by tags."],
    ["derived columns", { derive: [upper("user")], groupBy: ["d"] }, "groups by user."],
    [
      "columns that are derived of derived ones",
      {
        derive: [upper("user"), { as: "e", expression: { fn: "lower", args: [{ column: "d" }] } }],
        groupBy: ["e"],
      },
      "groups by user.",
    ],
    ["the first text", { aggregates: [{ fn: "min", column: "user" }] }, "values of user."],
    [
      "the first text that is derived",
      { derive: [upper("user")], aggregates: [{ fn: "max", column: "d" }] },
      "values of user.",
    ],
    ["histograms", { aggregates: [{ fn: "histogram", column: "bytes" }] }, "ranges of bytes."],
    ["raw rows", { sampleView: {} }, "raw rows."],
  ] as never)("%s", (_, query, refusal) => {
    expect(ask(query)).toBe(refusal);
    expect(ask(query, { rows: true, groupBy: [...stored.columns.keys()] })).toBe("allowed");
  });

  it.each<[string, Partial<Query>]>([
    ["groups", { groupBy: ["page", { bucket: "ms", size: 10 }] }],
    ["derived of them", { derive: [upper("page")], groupBy: ["d"] }],
    ["texts", { aggregates: [{ fn: "min", column: "page" }] }],
    ["histograms", { aggregates: [{ fn: "histogram", column: "ms" }] }],
    ["time buckets", { groupBy: [{ time: "1s" }] }],
  ] as never)("listed ones: %s", (_, query) => {
    expect(ask(query)).toBe("allowed");
  });

  it("a time bucket needs the time, also beside another", () => {
    const groupBy: Query["groupBy"] = [{ time: "1s" }];
    expect(ask({ groupBy }, { groupBy: ["page"] })).toBe("groups by time.");
    expect(ask({ groupBy: ["time"] }, { groupBy: ["page"] })).toBe("groups by time.");
  });

  it("a function, as it may throw what it reads", () => {
    const reads = (column: string) => ({
      derive: [{ as: "f", js: `(row) => { throw new Error(row.${column}); }` }],
      filter: [{ column: "f", op: "=" as const, value: "a" }],
    });
    expect(ask(reads("user"))).toBe("functions that read user.");
    expect(ask(reads("page"))).toBe("allowed");
    expect(ask(reads("user"), { rows: true })).toBe("allowed");
  });

  it("the columns behind a derived one, also where it has the name of one that is hidden", () => {
    const query = { derive: [{ ...upper("user"), as: "page" }], groupBy: ["page"] };
    expect(ask(query as never, {}, { hiddenColumns: ["page"] })).toBe("groups by user.");
  });

  it("no hidden column, whatever is listed", () => {
    const whole: Query = { table: "visits", from: 0, to: 1, groupBy: ["page"] };
    const grant = { rows: null, hiddenColumns: ["page"], bounds: allowed };
    const resolve = () => resolveQuery(whole, grantedSchema(stored, grant), 0);
    expect(resolve).toThrow("Table visits has no column page.");
  });
});

describe("the longest range", () => {
  test("holds to the millisecond", () => {
    expect(ask({ to: 60_000 })).toBe("allowed");
    expect(ask({ to: 60_001 })).toBe("a time range longer than 1 minute.");
    expect(ask({ from: -1 })).toBe("a time range longer than 1 minute.");
  });

  test.each([
    [7 * 86_400_000, "7 days"],
    [5_400_000, "90 minutes"],
    [3_600_000, "1 hour"],
    [1_000, "1 second"],
    [1_500, "1500 milliseconds"],
  ])("of %d ms is named in words", (rangeMsMax, words) => {
    expect(ask({ to: rangeMsMax + 1 }, { rangeMsMax })).toBe(`a time range longer than ${words}.`);
  });

  test("holds for the other side of a comparison, but for an hour that clocks add to it", () => {
    const from = Date.UTC(2026, 9, 26);
    const dayMs = 86_400_000;
    const query = { from, to: from + dayMs, timeZone: "Europe/Berlin", compare: { offset: "1d" } };
    expect(ask(query, { rangeMsMax: dayMs })).toBe("allowed");
    const month = {
      from: Date.UTC(2026, 1, 1),
      to: Date.UTC(2026, 2, 1),
      compare: { offset: "1mo" },
    };
    expect(ask(month, { rangeMsMax: 28 * dayMs })).toBe("a time range longer than 28 days.");
  });
});
