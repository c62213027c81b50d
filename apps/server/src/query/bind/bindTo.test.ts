import type { Query } from "@hadal/sdk";
import { describe, expect, it } from "vitest";
import { resolveQuery } from "../../aggregate/function/resolveQuery.js";
import type { ColumnForms, FormsInRange, TimeSpan } from "../../base/row/columnTypes.js";
import { createTableSchema } from "../../plan/schema/tableSchema.js";
import { bindTo } from "./bindTo.js";

const both: ColumnForms = { types: ["int", "string"], decimals: 0, decimalsMax: 18 };
const columns = ["a", "b", "plain"].map((name) => ({ name, type: "string", decimals: 0 }) as const);

/** What a query is bound to where `a` has numbers and `b` has texts in its time range, and what was asked for it. */
async function bound(query: Partial<Query>) {
  const asked: { names: readonly string[]; ranges: readonly TimeSpan[] }[] = [];
  let refreshed = 0;
  const schema = createTableSchema("t", columns, {
    mixed: new Map([
      ["a", both],
      ["b", both],
    ]),
  });
  const found: readonly FormsInRange[] = [
    { column: "a", types: ["int"], numbers: null },
    { column: "b", types: ["string"], numbers: null },
  ];
  const whole: Query = { table: "t", from: 0, to: 1_000, ...query };
  const result = bindTo(
    {
      ...{ table: "t", asked: whole },
      bind: (one) => resolveQuery(whole, one, 0),
      rowsOf: ({ resolved }) => resolved,
    },
    {
      schema: async () => schema,
      refresh: async () => {
        refreshed++;
      },
      forms: async (_, names, ranges) => {
        asked.push({ names, ranges: ranges.map(({ fromMs, toMs }) => ({ fromMs, toMs })) });
        return found;
      },
    },
  );
  const types = result.then(({ resolved }) =>
    resolved.bound?.map(({ name, type }) => `${name} ${type}`).sort(),
  );
  return { types, asked, refreshed: () => refreshed };
}

describe("columns of several types", () => {
  const count = { fn: "count" } as const;
  const average = { fn: "avg", column: "a" } as const;

  it("have the type that their values in the time range need", async () => {
    const { types, asked } = await bound({ groupBy: ["a", "b"], aggregates: [count] });
    expect(await types).toEqual(["a int", "b string"]);
    expect(asked).toEqual([{ names: ["a", "b"], ranges: [{ fromMs: 0, toMs: 1_000 }] }]);
  });

  it("are not asked about where the query reads others", async () => {
    const { types, asked } = await bound({ groupBy: ["plain"], aggregates: [count] });
    expect(await types).toEqual(["plain string"]);
    expect(asked).toEqual([]);
  });

  it("are asked about in both ranges of a comparison", async () => {
    const { types, asked } = await bound({ aggregates: [average], compare: { offset: "1s" } });
    expect(await types).toEqual(["a int"]);
    expect(asked[0]?.ranges).toEqual([
      { fromMs: 0, toMs: 1_000 },
      { fromMs: -1_000, toMs: 0 },
    ]);
  });

  it("are seen wider where the query needs that, each for itself", async () => {
    const text = { column: "a", op: "~", value: "x" } as const;
    const other = { column: "b", op: "contains", value: "y" } as const;
    const { types } = await bound({ filter: [text, other], aggregates: [count] });
    expect(await types).toEqual(["a string", "b string"]);
    const mean = await bound({ filter: [other], aggregates: [average] });
    expect(await mean.types).toEqual(["a int", "b string"]);
  });

  it("are refused where no type suits the query, once it has been asked what they are now", async () => {
    const asked = await bound({ aggregates: [{ fn: "avg", column: "b" }] });
    await expect(asked.types).rejects.toMatchObject({ code: "type-mismatch" });
    expect(asked.refreshed()).toBe(1);
  });
});
