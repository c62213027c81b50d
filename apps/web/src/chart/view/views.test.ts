import { expect, test } from "vitest";
import { viewGroups } from "../spec/viewSpec.js";
import { allViews, isView, viewOf } from "./views.js";

test("every view has an id, a name and a question of its own", () => {
  for (const key of ["id", "name", "answers"] as const) {
    expect(new Set(allViews.map((spec) => spec[key])).size).toBe(allViews.length);
  }
});

test("every group of the picker has a view", () => {
  expect(new Set(allViews.map(({ group }) => group))).toEqual(new Set(viewGroups));
});

test("an id that no view has is refused", () => {
  expect(isView("nothing")).toBe(false);
  expect(() => viewOf("nothing")).toThrow("no view has the id nothing");
});

test("the first nine views keep their keys", () => {
  expect(allViews.slice(0, 9).map(({ id }) => id)).toEqual([
    ...["timeseries", "area", "table", "bar", "distribution", "heatmap", "percentiles", "pie"],
    "treemap",
  ]);
});
