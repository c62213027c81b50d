import type { Dashboard, DashboardTile } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { boardDifferences } from "./boardDifferences.js";

const query = { table: "requests", from: "-3h", to: "now" };
const errors: DashboardTile = {
  ...{ id: "errors", title: "Errors", x: 0, y: 0, w: 6, h: 5, view: "timeseries" },
  query: { ...query, filter: [{ column: "status", op: ">=", value: 500 }] },
};
const note: DashboardTile = { id: "note", x: 6, y: 0, w: 3, h: 2, text: "**On call**" };
const start: Dashboard = {
  ...{ from: "-6h", to: "now" },
  variables: [{ name: "service", table: "requests", column: "service" }],
  sections: [
    { title: "Now", tiles: [errors, note] },
    { title: "Later", tiles: [] },
  ],
};
const [now = { tiles: [] }, later = { tiles: [] }] = start.sections ?? [];

/** Each change as `kind subject: words; part: before → after`. */
function said(after: Dashboard, title = "Site"): readonly string[] {
  return boardDifferences({ title: "Site", board: start }, { title, board: after }).map((one) => {
    const texts = (entries: readonly { readonly text: string }[]) =>
      entries.map(({ text }) => text).join(", ");
    const parts = one.parts.map((part) => {
      return `${part.name}: ${texts(part.before)} → ${texts(part.after)}`;
    });
    return `${one.kind} ${one.subject}: ${[...one.words, ...parts].join("; ")}`;
  });
}
const withTiles = (...tiles: readonly DashboardTile[]): Dashboard => ({
  ...start,
  sections: [{ ...now, tiles }, later],
});

describe("differences of two boards", () => {
  test("none between a board and itself", () => {
    expect(said(start)).toEqual([]);
    expect(said(structuredClone(start))).toEqual([]);
  });

  test.each<readonly [string, Dashboard, string]>([
    ["time", { ...start, from: "-1d" }, "Time: -6h to now → -1d to now"],
    ["zone", { ...start, timeZone: "UTC" }, "Time zone: the reader's own → UTC"],
    ["comparison", { ...start, compare: { offset: "7d" } }, "Compare:  → 7d"],
    [
      "filters",
      { ...start, filter: [{ column: "country", op: "=", value: "DE" }] },
      "Filters:  → country = DE",
    ],
    ["variables", { ...start, variables: [] }, "Variables: service = all (requests, service) → "],
  ])("%s of the board", (_, after, words) => {
    expect(said(after)).toEqual([`changed The dashboard: ${words}`]);
  });

  test("its title", () => {
    expect(said(start, "Sites")).toEqual(["changed The dashboard: Title: Site → Sites"]);
  });

  test.each<readonly [string, Dashboard["sections"], readonly string[]]>([
    ["renamed", [{ ...now, title: "Live" }, later], ["changed Section “Now”: renamed “Live”"]],
    ["folded", [now, { ...later, folded: true }], ["changed Section “Later”: folded"]],
    ["added", [now, later, { title: "More", tiles: [] }], ["added Section “More”: "]],
    ["removed", [now], ["removed Section “Later”: "]],
    ["moved", [later, now], ["changed The sections: in another order"]],
  ])("a section is %s", (_, sections, words) => {
    expect(said({ ...start, sections: sections ?? [] })).toEqual(words);
  });

  test.each<readonly [string, Dashboard, string]>([
    [
      "added",
      withTiles(errors, note, { id: "new", query, view: "bar" }),
      "added Tile “Bars of requests”: in section “Now”",
    ],
    ["removed", withTiles(errors), "removed Tile “Text”: from section “Now”"],
    ["moved", withTiles({ ...errors, y: 7 }, note), "changed Tile “Errors”: moved"],
    [
      "resized",
      withTiles({ ...errors, h: 9 }, note),
      "changed Tile “Errors”: resized from 6 × 5 to 6 × 9 cells",
    ],
    [
      "asked otherwise",
      withTiles({ ...errors, query }, note),
      "changed Tile “Errors”: Filters: status ≥ 500 → ",
    ],
    [
      "drawn otherwise",
      withTiles({ ...errors, view: "table" }, note),
      "changed Tile “Errors”: View: Time series → Table",
    ],
    [
      "named",
      withTiles({ ...errors, title: "Faults" }, note),
      "changed Tile “Errors”: Title: Errors → Faults",
    ],
    [
      "deaf to the bar",
      withTiles({ ...errors, ignores: ["time"] } as DashboardTile, note),
      "changed Tile “Errors”: Own, not the dashboard's:  → time",
    ],
    [
      "written otherwise",
      withTiles(errors, { ...note, text: "Ann" } as DashboardTile),
      "changed Tile “Text”: Content: **On call** → Ann",
    ],
    [
      "a saved query",
      withTiles(
        { id: "errors", title: "Errors", x: 0, y: 0, w: 6, h: 5, savedQuery: "6f1c" },
        note,
      ),
      '→ {"savedQuery":"6f1c"}',
    ],
  ])("a tile is %s", (_, after, words) => {
    expect(said(after)).toEqual([expect.stringContaining(words)]);
  });

  test("a tile moves to another section", () => {
    const sections = [
      { ...now, tiles: [errors] },
      { ...later, tiles: [note] },
    ];
    expect(said({ ...start, sections })).toEqual(["changed Tile “Text”: moved to section “Later”"]);
  });
});
