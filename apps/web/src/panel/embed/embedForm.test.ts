import type { Filter } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { initialState } from "../../query/state/exploreState.js";
import { draftOfForm, faultsOfForm, formOfState, previewState } from "./embedForm.js";

const isDe: Filter = { column: "country", op: "=", value: "DE" };
const isSlow: Filter = { column: "latency_us", op: ">", value: 1_000 };
const state = {
  ...initialState("requests"),
  groupBy: ["service"],
  filters: [
    { filter: isDe, off: false },
    { filter: isSlow, off: true },
  ],
};
const at = { title: "Load", timeZone: "UTC", nowMs: 1_795_000_000_000, columns: [] };
const form = formOfState(state, at);

describe("the form of an embed", () => {
  test("allows what the query shows, and nothing more", () => {
    expect(form).toEqual({
      ...{ title: "Load", views: ["timeseries"], filter: [isDe], hiddenColumns: [] },
      ...{ groupBy: ["time", "service"], rangeMsMax: 3 * 3_600_000, hosts: "" },
      expiresInMs: 3_600_000,
    });
    expect(faultsOfForm(form, state)).toEqual({});
    expect(formOfState({ ...state, view: "table" }, at).groupBy).toEqual(["service"]);
    expect(formOfState({ ...state, view: "rows" }, at).groupBy).toEqual([]);
  });

  test.each([
    ["-4h", 12 * 3_600_000],
    ["-8d", 30 * 86_400_000],
    ["-400d", 400 * 86_400_000],
  ])("a range of %s has room", (from, rangeMsMax) => {
    expect(formOfState({ ...state, from }, at).rangeMsMax).toBe(rangeMsMax);
  });

  test("a filter that the token adds is not part of the query, and applies in the preview", () => {
    const draft = draftOfForm(form, state);
    expect(draft.filter).toEqual([isDe]);
    expect(draft.query?.filter).toBeUndefined();
    expect(draft.view).toBe("timeseries");
    expect(previewState(state, form).filters).toEqual([{ filter: isDe, off: false }]);
    expect(draftOfForm({ ...form, filter: [] }, state).query?.filter).toEqual([isDe]);
  });

  test.each([
    ["title", { title: " " }],
    ["views", { views: [] }],
    ["views", { views: ["table"] }],
    ["groupBy", { groupBy: ["time"] }],
    ["groupBy", { groupBy: ["service"] }],
    ["rangeMsMax", { rangeMsMax: 3_600_000 }],
    ["hosts", { hosts: "https://a.example/page" }],
    ["hosts", { hosts: "*" }],
    ["hiddenColumns", { hiddenColumns: ["service"] }],
  ])("a fault stands at its field: %s", (field, part) => {
    expect(Object.keys(faultsOfForm({ ...form, ...part }, state))).toEqual([field]);
  });

  test("the column of a forced filter may be hidden, that of the query's own may not", () => {
    const hidden = { ...form, hiddenColumns: ["country"] };
    expect(faultsOfForm(hidden, state)).toEqual({});
    expect(faultsOfForm({ ...hidden, filter: [] }, state)).toHaveProperty("hiddenColumns");
  });
});
