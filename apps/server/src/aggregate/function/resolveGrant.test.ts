import type { Filter, Query } from "@hadal/sdk";
import { describe, expect, it } from "vitest";
import type { TableGrant } from "../../base/access/readable.js";
import { grantedSchema } from "../../plan/schema/grantedSchema.js";
import { createTableSchema } from "../../plan/schema/tableSchema.js";
import { resolveQuery } from "./resolveQuery.js";

const stored = createTableSchema("requests", [
  { name: "tenant", type: "string", decimals: 0 },
  { name: "bytes", type: "int", decimals: 0 },
]);
const own: Filter = { column: "tenant", op: "=", value: "acme" };
const isOwn = { kind: "strings", column: "tenant", values: ["acme"], negated: false };

function bound(grant: Partial<TableGrant>, query: Partial<Query> = {}) {
  const whole: Query = { table: "requests", from: 0, to: 1_000, ...query };
  const schema = grantedSchema(stored, { rows: null, hiddenColumns: [], ...grant });
  return resolveQuery(whole, schema, 0).resolved;
}

describe("a grant", () => {
  it("without conditions adds nothing to a query", () => {
    expect(bound({})).not.toHaveProperty("granted");
  });

  it("adds its rows to a query that says nothing of them, with the columns to read", () => {
    const { granted, bound: columns, sides } = bound({ rows: [[own]] });
    expect(granted).toEqual({ kind: "any", filters: [isOwn] });
    expect(columns).toEqual([{ name: "tenant", type: "string", decimals: 0 }]);
    expect(sides[0]?.filter).toEqual({ kind: "all", filters: [] });
  });

  it("allows the rows of each of its filters", () => {
    const some: Filter = { column: "bytes", op: ">", value: 7 };
    const { granted } = bound({ rows: [[own], [some, own]] });
    expect(granted).toMatchObject({
      filters: [isOwn, { kind: "all", filters: [{ column: "bytes" }, isOwn] }],
    });
  });

  it.each<[string, Filter]>([
    ["a column that is not there", { column: "team", op: "=", value: "a" }],
    ["a value that does not fit", { column: "bytes", op: "~", value: "a" }],
  ])("allows no row with a condition on %s", (_, condition) => {
    const { granted } = bound({ rows: [[condition]] });
    expect(granted).toEqual({ kind: "any", filters: [{ kind: "any", filters: [] }] });
  });

  it("has the same times whatever the time zone of the query", () => {
    const since: Filter = { column: "time", op: ">=", value: "2026-11-01" };
    const midnight = { kind: "range", column: "time", low: String(Date.UTC(2026, 10, 1)) };
    for (const timeZone of ["UTC", "Pacific/Kiritimati"]) {
      const { granted } = bound({ rows: [[since]] }, { timeZone });
      expect(granted).toMatchObject({ filters: [midnight] });
    }
  });

  it("answers for a hidden column as for one that does not exist", () => {
    const ask = (column: string) => () =>
      bound({ hiddenColumns: ["tenant"], rows: [[own]] }, { groupBy: [column] });
    expect(ask("tenant")).toThrow("Table requests has no column tenant.");
    expect(ask("tenants")).toThrow(/has no column tenants\.$/);
    const { sample } = bound({ hiddenColumns: ["tenant"] }, { sampleView: {} });
    expect(sample?.columns.map(({ name }) => name)).toEqual(["bytes"]);
  });

  it("reads the stored column where a query derives one of the name of a hidden one", () => {
    const derive = [{ as: "tenant", expression: { value: "acme" } }];
    const {
      granted,
      bound: columns,
      derived,
    } = bound({ hiddenColumns: ["tenant"], rows: [[own]] }, { derive, groupBy: ["tenant"] });
    const name = "tenant\u0000stored";
    expect(granted).toEqual({ kind: "any", filters: [{ ...isOwn, column: name }] });
    expect(columns).toEqual([{ name, type: "string", decimals: 0, stored: "tenant" }]);
    expect(derived).toHaveLength(1);
  });
});
