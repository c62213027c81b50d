import type { EmbedSelf, Query } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { readInputs } from "../element/inputs.js";
import { createChartStore } from "./chartStore.js";

const page = "https://host.example";
const query: Query = {
  ...{ table: "requests", from: "-3h", to: "now" },
  ...{ groupBy: ["service"], aggregates: [{ fn: "count" }] },
};
const inputs = (given: Parameters<typeof readInputs>[1]) =>
  readInputs(() => null, { src: "https://hadal.example", token: "t", ...given }, page);
const self: EmbedSelf = {
  ...{ id: "e", kid: "k", title: "", table: "requests", views: ["pie", "bar"], groupBy: [] },
  ...{ hiddenColumns: [], rangeMsMax: 1e9, query, view: null, expiresMs: 0, mayOpen: false },
  columns: [],
};
const found = { self, refusal: null };

describe("what a chart shows first", () => {
  test("what the host asks for, before anything is known of the token", () => {
    const { getState } = createChartStore(inputs({ query, view: "bar" }));
    expect(getState().state).toMatchObject({ table: "requests", view: "bar" });
  });

  test("the embed's own query, in its view or the first that is allowed", () => {
    const store = createChartStore(inputs({}));
    expect(store.getState().state).toBeNull();
    store.learn(found);
    expect(store.getState().state).toMatchObject({ groupBy: ["service"], view: "pie" });
  });

  test("a host's query without a view waits for the embed's view", () => {
    const store = createChartStore(inputs({ query: { ...query, from: "-1h" } }));
    expect(store.getState().state).toBeNull();
    store.learn({ ...found, self: { ...self, view: "bar" } });
    expect(store.getState().state).toMatchObject({ from: "-1h", view: "bar" });
  });

  test("nothing, when neither says", () => {
    const store = createChartStore(inputs({}));
    store.learn({ ...found, self: { ...self, query: null } });
    expect(store.getState().state).toBeNull();
  });
});

test("what a renewed token allows has the same columns as before, or others", () => {
  const store = createChartStore(inputs({}));
  const column = { name: "service", type: "string", decimals: 0 } as const;
  const learn = (columns: EmbedSelf["columns"]) => {
    store.learn({ ...found, self: { ...self, columns } });
    return store.getState().self?.columns;
  };
  const first = learn([column]);
  expect(learn([{ ...column }])).toBe(first);
  expect(learn([])).toEqual([]);
});

test("a token for something else leaves nothing of what was known by another", () => {
  const store = createChartStore(inputs({}));
  store.learn(found);
  store.step((state) => ({ ...state, from: "-1h" }));
  const { scopeCount } = store.getState();
  store.restart();
  expect(store.getState()).toMatchObject({ self: null, state: null, trail: [] });
  expect(store.getState().scopeCount).toBe(scopeCount + 1);
  const other = { ...query, table: "orders" };
  store.learn({ ...found, self: { ...self, id: "f", query: other } });
  expect(store.getState().state?.table).toBe("orders");
});

describe("the reader's steps", () => {
  const opened = () => createChartStore(inputs({ query, view: "bar" }));

  test("lead back, one after another", () => {
    const store = opened();
    const first = store.getState().state;
    store.step((state) => ({ ...state, from: "-1h" }));
    store.step((state) => state);
    store.step((state) => ({ ...state, from: "-2h" }));
    expect(store.getState().trail).toHaveLength(2);
    store.back();
    expect(store.getState().state?.from).toBe("-1h");
    store.back();
    expect(store.getState().state).toBe(first);
    store.back();
    expect(store.getState().state).toBe(first);
  });

  test("stay when the host changes what is not the query, and end with a new query or view", () => {
    const store = opened();
    store.step((state) => ({ ...state, from: "-1h" }));
    store.update(inputs({ query: { ...query }, view: "bar", live: true, timeZone: "UTC" }));
    expect(store.getState().state).toMatchObject({ from: "-1h", live: true, timeZone: "UTC" });
    store.update(inputs({ query, view: "bar", token: "next", live: true, timeZone: "UTC" }));
    expect(store.getState().trail).toHaveLength(1);
    store.update(inputs({ query, view: "pie", live: true }));
    expect(store.getState()).toMatchObject({ trail: [], state: { from: "-3h", view: "pie" } });
  });

  test("are at most fifty", () => {
    const store = opened();
    for (let i = 0; i < 60; i++) store.step((state) => ({ ...state, limit: i + 1 }));
    expect(store.getState().trail).toHaveLength(50);
  });
});
