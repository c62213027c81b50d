import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HadalError } from "../problem/problem.js";
import { boardOfGrafana, isGrafanaBoard } from "./grafanaBoard.js";
import { timeOfGrafana, zoneOfGrafana } from "./grafanaTime.js";

const at = (x: number, y: number, w: number, h: number) => ({ gridPos: { x, y, w, h } });
const text = { type: "text", options: { mode: "markdown", content: "# On call" } };
const series = {
  ...{ type: "timeseries", title: "Requests" },
  targets: [{ refId: "A", expr: 'rate(requests_total{job="web"}[5m])' }],
};
const exported = (more: object) => ({
  ...{ title: "Site", uid: "abc", schemaVersion: 39, time: { from: "now-6h", to: "now" } },
  ...more,
});
const tilesOf = (...panels: readonly object[]) =>
  boardOfGrafana(exported({ panels })).board.sections?.flatMap(({ tiles }) => tiles) ?? [];

test("title, time, zone, rows and texts", () => {
  const found = boardOfGrafana(
    exported({
      timezone: "utc",
      panels: [
        { ...text, ...at(0, 0, 24, 4), title: "Read me" },
        { type: "row", title: "Traffic", ...at(0, 4, 24, 1) },
        { ...series, ...at(0, 5, 12, 8) },
        {
          type: "row",
          title: "Hosts",
          collapsed: true,
          panels: [{ ...series, ...at(0, 14, 6, 8) }],
        },
      ],
    }),
  );
  expect(found).toMatchObject({ title: "Site", uid: "abc" });
  expect(found.board).toMatchObject({ from: "-6h", to: "now", timeZone: "UTC" });
  expect(found.board.sections).toMatchObject([
    { tiles: [{ title: "Read me", text: "# On call", x: 0, y: 0, w: 12, h: 2 }] },
    { title: "Traffic", tiles: [{ title: "Requests", x: 0, y: 0, w: 6, h: 4 }] },
    { title: "Hosts", folded: true, tiles: [{ y: 0, w: 3, h: 4 }] },
  ]);
  expect(found.gaps).toEqual([
    "“Requests”: a panel of the type timeseries asks another data source.",
    "“Requests”: a panel of the type timeseries asks another data source.",
  ]);
});

test("neighbours on the grid stay neighbours", () => {
  const places = tilesOf(
    { ...text, ...at(0, 0, 5, 8) },
    { ...text, ...at(5, 0, 5, 8) },
    { ...text, ...at(10, 0, 14, 8) },
    { ...text, ...at(0, 8, 24, 7) },
  ).map(({ x, y, w, h }) => [x, y, w, h]);
  expect(places).toEqual([
    [0, 0, 3, 4],
    [3, 0, 2, 4],
    [5, 0, 7, 4],
    [0, 4, 12, 4],
  ]);
});

describe("what has no equivalent", () => {
  test("a panel of another source is a text with its query, fenced", () => {
    const expr = "a ``` b\n<img src=x onerror=alert(1)>";
    const [tile] = tilesOf({ type: "a`b", title: "T", targets: [{ expr }], ...at(0, 0, 4, 4) });
    expect(tile).toMatchObject({ title: "T", text: expect.stringContaining("`` a`b ``") });
    expect(tile).toMatchObject({ text: expect.stringContaining(`\`\`\`\`\n${expr}\n\`\`\`\``) });
  });

  test("HTML, variables, annotations, times and zones are named", () => {
    const { gaps, board } = boardOfGrafana(
      exported({
        time: { from: "now-1fQ/fQ", to: "now" },
        timezone: "Mars/Base",
        templating: { list: [{ name: "job", type: "query" }, 5] },
        annotations: { list: [{ builtIn: 1, name: "Own" }, { name: "Deploys" }] },
        panels: [{ type: "text", title: "H", options: { mode: "html", content: "<b>x</b>" } }],
      }),
    );
    expect(board.from).toBeUndefined();
    expect(gaps).toEqual([
      "Its time range has no equivalent: the default is used.",
      "Its time zone is not known here: the reader's own is used.",
      "The variable “job”: add one of a column of yours.",
      "The annotations “Deploys”: see Annotations.",
      "“H”: its HTML is shown as text.",
    ]);
  });

  test("panels beyond what a board may have are counted", () => {
    const panels = Array.from({ length: 700 }, () => text);
    const { board, gaps } = boardOfGrafana(exported({ panels }));
    expect(board.sections?.[0]?.tiles).toHaveLength(500);
    expect(gaps).toEqual(["200 panels are left out: a board has at most 500."]);
  });
});

test("the form of before 2018: rows with panels in twelfths", () => {
  const rows = [{ title: "Old", collapse: true, panels: [{ ...series, span: 4 }] }];
  const { board } = boardOfGrafana({ title: "Old board", schemaVersion: 14, rows });
  expect(board.sections).toMatchObject([{ title: "Old", folded: true, tiles: [{ w: 4 }] }]);
});

test.each<readonly [unknown, string | null]>([
  ["now", "now"],
  ["now-90m", "-90m"],
  ["now-1M", "-1mo"],
  ["now/d", "now/1d"],
  ["now-1d/d", "-1d/1d"],
  ["now+1h", "now+1h"],
  ["2026-11-21T00:00:00.000Z", "2026-11-21T00:00:00.000Z"],
  [1_795_254_000_000, "1795254000000"],
  ["now-1fy", null],
  ["now-1constructor", null],
  ["yesterday", null],
  [{}, null],
])("the time %j is %j", (value, expected) => expect(timeOfGrafana(value)).toBe(expected));

test.each<readonly [unknown, string | null | undefined]>([
  ["", null],
  ["browser", null],
  ["utc", "UTC"],
  ["Europe/Berlin", "Europe/Berlin"],
  ["Mars/Base", undefined],
  [5, undefined],
])("the zone %j is %j", (value, expected) => expect(zoneOfGrafana(value)).toBe(expected));

test.each<readonly [unknown, boolean]>([
  [exported({ panels: [] }), true],
  [{ dashboard: exported({ panels: [] }), meta: {} }, true],
  [{ title: "x", rows: [] }, true],
  [{ kind: "dashboard", title: "x", body: {} }, false],
  [null, false],
  [[], false],
  [{ title: "x" }, false],
])("%.60j is one of Grafana's: %s", (value, expected) => {
  expect(isGrafanaBoard(value)).toBe(expected);
});

const pathsOf = (value: unknown): readonly (string | undefined)[] => {
  try {
    boardOfGrafana(value);
    return [];
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return error.errors.map(({ path }) => path);
  }
};

test.each<readonly [unknown, readonly string[]]>([
  [null, [""]],
  ["{}", [""]],
  [exported({ panels: {} }), ["panels"]],
  [exported({ panels: [text, null] }), ["panels[1]"]],
  [exported({ panels: [{ type: "row", panels: [3] }] }), ["panels[0].panels[0]"]],
  [exported({ title: 5 }), ["title"]],
])("%.80j: each fault at its place", (value, paths) => expect(pathsOf(value)).toEqual(paths));

test("any panels make a sound board, or a problem: never another error", () => {
  const loose = fc.oneof(fc.double(), fc.string(), fc.constant(null), fc.object());
  const panel = fc.record(
    {
      type: fc.oneof(fc.constantFrom("row", "text", "graph"), loose),
      ...{ title: loose, options: loose, targets: loose, description: loose, collapsed: loose },
      gridPos: fc.oneof(loose, fc.record({ x: loose, y: loose, w: loose, h: loose })),
      panels: fc.oneof(loose, fc.array(loose, { maxLength: 2 })),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(panel, loose), { maxLength: 6 }), loose, (panels, other) => {
      pathsOf({ title: "x", panels, time: other, timezone: other, templating: other });
    }),
  );
});
