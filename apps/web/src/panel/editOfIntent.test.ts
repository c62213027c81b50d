import type { ColumnChange, Filter } from "@hadal/sdk";
import { expect, test } from "vitest";
import type { Edit } from "../draft/edit/edits.js";
import { initialState } from "../query/state/exploreState.js";
import { type EditIntent, editOfIntent } from "./editOfIntent.js";

const state = initialState("requests");
const web: Filter = { column: "service", op: "=", value: "web" };

test.each<readonly [string, EditIntent, Edit]>([
  [
    "a zoom sets the times",
    { kind: "zoom", fromMs: 1, toMs: 2 },
    { kind: "zoom", fromMs: 1, toMs: 2 },
  ],
  [
    "filters keep only these rows, at any time",
    { kind: "filter", filters: [web], exclude: false },
    { kind: "only this", selection: { filters: [web], range: null } },
  ],
  [
    "excluding filters keep the other rows",
    { kind: "filter", filters: [web], exclude: true },
    { kind: "not this", selection: { filters: [web], range: null } },
  ],
  [
    "patterns of a text column become groups",
    { kind: "patterns", column: "message" },
    { kind: "see patterns", column: "message" },
  ],
  [
    "an option is set for the view",
    { kind: "option", name: "scale", value: "log" },
    { kind: "set option", name: "scale", value: "log" },
  ],
  [
    "a click on a head sorts",
    { kind: "sort", by: "count", desc: true },
    { kind: "set order", order: { by: "count", desc: true } },
  ],
])("%s", (_, intent, edit) => {
  expect(editOfIntent(intent, state)).toEqual(edit);
});

test("a column that changed is shown over time, grouped by it", () => {
  const column = { name: "service", type: "string", distinct: 5 } as unknown as ColumnChange;
  const edit = editOfIntent({ kind: "group over time", column }, { ...state, view: "changes" });
  expect(edit).toMatchObject({
    kind: "open",
    state: { view: "timeseries", groupBy: ["service"] },
  });
});
