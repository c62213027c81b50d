import type { ColumnInfo, Query } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import type { Mark } from "../../chart/kit/answer/intent.js";
import { stateOfTile } from "../../draft/tile/stateOfTile.js";
import { hasOffers } from "../../panel/menu/menuEntries.js";
import { limitsOf } from "./limits.js";

const query: Query = {
  ...{ table: "requests", from: "-3h", to: "now" },
  ...{ groupBy: ["service"], aggregates: [{ fn: "count" }] },
};
const state = stateOfTile({ query, view: "bar" });
const hourMs = 3_600_000;
const scope = {
  views: ["bar", "timeseries"],
  groupBy: ["service", "time"],
  rangeMsMax: 24 * hourMs,
  mayOpen: false,
  columns: ["time", "service", "country", "message"].map(
    (name): ColumnInfo => ({ name, type: name === "time" ? "int" : "string", decimals: 0 }),
  ),
};
const mark: Mark = {
  group: [],
  filters: [{ column: "service", op: "=", value: "web" }],
  ...{ text: "web", x: 0, y: 0 },
};
const selection = { filters: mark.filters ?? [], range: null };

describe("what a reader may do", () => {
  const { allows } = limitsOf(scope, state, "https://hadal.example");

  test("views, groups and ranges of the token are allowed", () => {
    expect(allows({ kind: "set view", view: "timeseries" })).toBe(true);
    expect(allows({ kind: "only this", selection })).toBe(true);
    expect(allows({ kind: "set time", from: "-1d", to: "now" })).toBe(true);
  });

  test("another view is not, such as those of menus", () => {
    expect(allows({ kind: "set view", view: "pie" })).toBe(false);
    expect(allows({ kind: "see rows", selection })).toBe(false);
    expect(allows({ kind: "what is different", selection })).toBe(false);
  });

  test("another group is not, nor times without the group of time", () => {
    expect(allows({ kind: "group by", group: "country" })).toBe(false);
    expect(allows({ kind: "group by", group: { element: "country" } })).toBe(false);
    const timeless = limitsOf(
      { ...scope, views: ["bar", "timeseries", "bignumber"], groupBy: ["service"] },
      state,
      "",
    );
    expect(timeless.allows({ kind: "set view", view: "timeseries" })).toBe(false);
    expect(timeless.allows({ kind: "set view", view: "bignumber" })).toBe(false);
    expect(timeless.allows({ kind: "set compare", compare: null })).toBe(true);
  });

  test("a derived group is where the columns behind it are", () => {
    const patterns = { kind: "see patterns", column: "message" } as const;
    const allowing = (groupBy: readonly string[]): boolean =>
      limitsOf({ ...scope, views: ["tags"], groupBy }, state, "").allows(patterns);
    expect(allowing(["message", "time"])).toBe(true);
    expect(allowing(["message_pattern", "time"])).toBe(false);
    const derived = (derive: Query["derive"]): boolean => {
      const shown = stateOfTile({
        query: { ...query, ...(derive && { derive }), groupBy: ["b"] },
        view: "bar",
      });
      return limitsOf(scope, shown, "").allows({ kind: "set view", view: "bar" });
    };
    const twice = { fn: "concat", args: [{ column: "service" }, { value: "-" }] } as const;
    expect(
      derived([
        { as: "a", expression: twice },
        { as: "b", expression: { column: "a" } },
      ]),
    ).toBe(true);
    expect(derived([{ as: "b", expression: { column: "country" } }])).toBe(false);
    expect(derived([{ as: "b", js: "(row) => row.service" }])).toBe(false);
    expect(derived([{ as: "b", function: "f", args: ["service"] }])).toBe(true);
  });

  test("a longer range is not, nor one that cannot be read", () => {
    expect(allows({ kind: "set time", from: "-25h", to: "now" })).toBe(false);
    expect(allows({ kind: "set time", from: "soon", to: "now" })).toBe(false);
  });

  test("time is no column to choose", () => {
    expect(limitsOf(scope, state, "").groupColumns).toEqual(["service"]);
  });
});

test("the link to Hadal is there only for those who may open it", () => {
  const src = "https://hadal.example";
  expect(limitsOf(scope, state, src).linkOf(state)).toBeNull();
  const link = limitsOf({ ...scope, mayOpen: true }, state, src).linkOf(state) ?? "";
  expect(new URL(link).pathname).toBe("/explore");
  expect(new URL(link).searchParams.get("table")).toBe("requests");
});

test("a menu that would be empty does not open", () => {
  const offers = (part: Partial<typeof scope>): boolean =>
    hasOffers(mark, state, limitsOf({ ...scope, ...part }, state, ""));
  expect(offers({})).toBe(true);
  expect(offers({ views: [], groupBy: ["service"] })).toBe(false);
  expect(offers({ views: [], mayOpen: true })).toBe(true);
  expect(offers({ views: [], groupBy: ["service", "country"] })).toBe(true);
});
