import { HadalError } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { type ExploreState, initialState } from "../../query/state/exploreState.js";
import {
  bodyOfState,
  differsFrom,
  newerVersionOf,
  pathOfBody,
  savedDraft,
  stateOfBody,
} from "./savedState.js";

const at = { timeZone: "UTC", nowMs: Date.UTC(2026, 4, 13) };
const state: ExploreState = {
  ...initialState("requests"),
  view: "table",
  groupBy: ["service"],
  compare: { offset: "7d", filter: null },
  filters: [{ filter: { column: "status", op: ">=", value: 500 }, off: false }],
};
const colors = new Map([['["web"]', 3]]);

describe("a saved query", () => {
  test("keeps the whole state, its query and its colours", () => {
    const body = bodyOfState({ ...state, saved: "other" }, at, colors);
    expect(body.query).toMatchObject({ table: "requests", groupBy: ["service"] });
    expect(body.path).not.toContain("saved=");
    expect(stateOfBody(body, "id", at)).toEqual({ ...state, saved: "id" });
    expect(pathOfBody(body, "id", at)).toMatch(/^\/explore\?.*saved=id&color=web:3$/);
  });

  test("without an address is shown by its query", () => {
    const { query } = bodyOfState(state, at, new Map());
    const shown = stateOfBody({ query }, "id", at);
    expect(shown).toMatchObject({ table: "requests", groupBy: ["service"], saved: "id" });
    expect(shown.compare).toEqual(state.compare);
    expect(savedDraft("t", { query })).toEqual({ kind: "query", title: "t", body: { query } });
  });

  test("differs by anything but where it came from", () => {
    expect(differsFrom(state, { ...state, saved: "id" })).toBe(false);
    expect(differsFrom(state, { ...state, limit: 5 })).toBe(true);
    expect(differsFrom(state, { ...state, live: true })).toBe(true);
  });

  test("a conflict has the newest version", () => {
    const current = { version: 4, title: "t", body: bodyOfState(state, at, new Map()) };
    const conflict = new HadalError("version-conflict", {}, [], { current });
    expect(newerVersionOf(conflict)).toEqual(current);
    expect(newerVersionOf(new HadalError("version-conflict"))).toBeNull();
    expect(newerVersionOf(new HadalError("overloaded"))).toBeNull();
    expect(newerVersionOf(new TypeError())).toBeNull();
  });
});
