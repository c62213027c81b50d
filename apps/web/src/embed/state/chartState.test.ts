import type { Query } from "@hadal/sdk";
import type { HadalChartState } from "@hadal/sdk/element";
import { expect, test } from "vitest";
import { openedState, printChartState, readChartState } from "./chartState.js";

const query: Query = {
  ...{ table: "requests", from: "-3h", to: "now" },
  ...{ groupBy: ["service"], aggregates: [{ fn: "count" }] },
};

test("a state is JSON, and sets the same again", () => {
  const opened = openedState({ query, view: "bar", timeZone: "Asia/Tokyo", live: true });
  if (opened === null) throw new Error("it is a query");
  const part = { fromMs: 1, toMs: 2 };
  const state = { ...opened, options: { bars: "stack" }, part };
  const text = JSON.parse(JSON.stringify(printChartState(state))) as HadalChartState;
  expect(text).toMatchObject({
    ...{ view: "bar", viewOptions: { bars: "stack" }, part, timeZone: "Asia/Tokyo", live: true },
    query: { table: "requests", groupBy: ["service"] },
  });
  expect(readChartState(text)).toEqual(state);
});

test("the zone of the host wins over the query's", () => {
  const zoned = { ...query, timeZone: "Europe/Berlin" };
  const of = (timeZone: string | null) =>
    openedState({ query: zoned, view: "bar", timeZone, live: false })?.timeZone;
  expect([of(null), of("UTC")]).toEqual(["Europe/Berlin", "UTC"]);
});

test.each([
  null,
  7,
  {},
  { query: null, view: "bar" },
  { query: { table: "t", filter: 7 }, view: "bar" },
  { query: { table: "t", groupBy: [null] }, view: "bar" },
])("%j is no state", (text) => {
  expect(readChartState(text as unknown as HadalChartState)).toBeNull();
});
