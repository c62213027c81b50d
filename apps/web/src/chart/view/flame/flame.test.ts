import type { Result, ResultRow } from "@hadal/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildFlame, type Flame, type FlameFrame } from "./buildFlame.js";
import { describeFrame, flameTooltip } from "./flameWords.js";
import { filtersOfFrame } from "./frameFilter.js";
import { functionTotals } from "./functionTotals.js";
import { boxAt, findFrames, frameAt, layoutFlame, pathOf, stepFrom } from "./layoutFlame.js";

const measure = {
  name: "count",
  label: "count",
  measure: {},
  zeroWhenAbsent: true,
  additive: true,
  total: "sum",
} as const;

function resultOf(rows: readonly ResultRow[], more: Partial<Result> = {}): Result {
  const names = ["stack", "count", "count.compare"];
  return {
    columns: names.map((name, i) => ({
      name,
      type: i === 0 ? "vector" : "int",
      role: i === 0 ? "group" : "aggregate",
    })),
    rows,
    completeness: {
      fraction: 1,
      rowsExpected: 1,
      rowsAnswered: 1,
      leaves: { answered: 1, total: 1, missing: [] },
    },
    intervals: {},
    asOf: 0,
    final: true,
    truncated: null,
    stats: {
      rowsScanned: 0,
      rowsMatched: 0,
      bytesScanned: 0,
      segments: 0,
      segmentsSkipped: 0,
      cache: "miss",
      elapsedMs: 0,
      scanMs: 0,
      mergeMs: 0,
    },
    ...more,
  };
}

const flameOf = (result: Result, fromLast = false, total: Result | null = null): Flame =>
  buildFlame({ result, stackColumn: "stack", measure: "count", fromLast, total });

/** Name, total, itself; deeper frames further in. */
const drawn = ({ root }: Flame): string[] => {
  const lines: string[] = [];
  const walk = (frame: FlameFrame): void => {
    lines.push(`${" ".repeat(frame.depth)}${frame.name} ${frame.now.total} ${frame.now.self}`);
    frame.children.forEach(walk);
  };
  walk(root);
  return lines;
};

const sample = resultOf([
  [["main", "b", "c"], 5, 1],
  [["main", "a"], 3, 6],
  [["main", "b"], 2, 2],
  [null, 7, 0],
  [[], 1, 0],
]);

describe("a flame graph", () => {
  test("merges stacks that begin alike, by name", () => {
    const flame = flameOf(sample);
    expect(drawn(flame)).toEqual([
      "all stacks 11 1",
      " main 10 0",
      "  a 3 3",
      "  b 7 2",
      "   c 5 5",
    ]);
    expect(flame.stackless).toBe(7);
  });

  test("from the last frame, who called it is below and takes nothing itself", () => {
    expect(drawn(flameOf(sample, true))).toEqual([
      "all stacks 11 1",
      " a 3 3",
      "  main 3 0",
      " b 2 2",
      "  main 2 0",
      " c 5 5",
      "  b 5 0",
      "   main 5 0",
    ]);
  });

  test("stacks beyond the limit are a frame of their own, last, and no filter", () => {
    const cut = { ...sample, truncated: { groups: 3 } };
    const flame = flameOf(cut, false, resultOf([[null, 30, 29]], { columns: sample.columns }));
    const rest = flame.root.children.at(-1);
    expect([rest?.name, rest?.now.total, flame.root.now.total]).toEqual(["other stacks", 12, 23]);
    expect([rest?.was, flame.root.was.total]).toEqual([{ total: 20, self: 20 }, 29]);
    expect(rest && filtersOfFrame(rest, { column: "stack", fromLast: false })).toEqual([]);
  });

  test("a total from other leaves gives no rest", () => {
    const { completeness } = sample;
    const leaves = { ...completeness.leaves, missing: ["leaf-1"] };
    const total = resultOf([[null, 30, 29]], {
      columns: sample.columns,
      completeness: { ...completeness, fraction: 0.5, leaves },
    });
    const flame = flameOf({ ...sample, truncated: { groups: 3 } }, false, total);
    expect(flame.root.now.total).toBe(11);
  });

  test("what was taken by other stacks alone is theirs too", () => {
    const cut = { ...sample, truncated: { groups: 3 } };
    const flame = flameOf(cut, false, resultOf([[null, 18, 12]], { columns: sample.columns }));
    const rest = flame.root.children.at(-1);
    expect([rest?.isRest, rest?.now.total, rest?.was.total]).toEqual([true, 0, 3]);
  });

  test("what is below 0 has no width and is counted; digits beyond 2^53 are read", () => {
    const flame = flameOf(
      resultOf([
        [["a"], -4, 0],
        [["b"], "9223372036854775807", 0],
        [["c"], 2n ** 62n, 0],
      ]),
    );
    expect(flame.negativeCount).toBe(1);
    expect(flame.root.now.total).toBeCloseTo(2 ** 63 + 2 ** 62, -4);
    const frame = frameAt(flame, ["b"]);
    const words = { measure, compared: false, flame };
    expect(flameTooltip(frame, "red", words).rows[0]?.cells[0]).toBe("about 9.22 E");
  });

  test("errors of parts add up as squares, of missing leaves as they are", () => {
    const rows: ResultRow[] = [
      [["m", "a"], 100, 90],
      [["m", "b"], 100, 100],
    ];
    const intervals = {
      count: [
        [97, 103],
        [96, 104],
      ],
      "count.delta": [
        [4, 16],
        [-8, 8],
      ],
    } as const;
    const m = (flame: Flame) => frameAt(flame, ["m"]);
    const whole = m(flameOf(resultOf(rows, { intervals })));
    expect(whole.interval).toEqual([195, 205]);
    expect(whole.difference.total).toEqual({ value: 10, error: [0, 20], size: 200 });
    expect(whole.difference.self).toEqual({ value: 0, error: "exact", size: 0 });
    const part = { fraction: 0.9, rowsExpected: 10, rowsAnswered: 9 };
    const completeness = { ...sample.completeness, ...part };
    expect(m(flameOf(resultOf(rows, { intervals, completeness }))).interval).toEqual([193, 207]);
    const a = frameAt(flameOf(resultOf(rows, { intervals })), ["m", "a"]);
    expect(a.difference.total).toEqual({ value: 10, error: [4, 16], size: 100 });
    expect(a.difference.self).toEqual(a.difference.total);
  });

  test("a change within its error bars, or of unknown error, is muted in the tooltip", () => {
    const rows: ResultRow[] = [
      [["m", "a"], 100, 90],
      [["m", "b"], 40, 10],
      [["m", "c"], 100, 20],
    ];
    const intervals = { "count.delta": [[-2, 22], null, [70, 90]] } as const;
    const count = [[98, 102], null, [95, 105]] as const;
    const flame = flameOf(resultOf(rows, { intervals: { ...intervals, count } }));
    const isQuiet = (path: string[]) =>
      flameTooltip(frameAt(flame, path), "red", { measure, compared: true, flame }).rows.map(
        ({ cells }) => typeof cells.at(-1) === "object",
      );
    expect(isQuiet(["m", "a"])).toEqual([true, true]);
    expect(isQuiet(["m", "b"])).toEqual([true, true]);
    expect(isQuiet(["m", "c"])).toEqual([false, false]);
    // 120 more, give or take the root of 12² + 40² + 10².
    expect(isQuiet(["m"])).toEqual([false, false]);
    expect(functionTotals(flame).map(({ name, unsure }) => [name, unsure])).toEqual([
      ["m", false],
      ["a", true],
      ["c", false],
      ["b", true],
    ]);
  });

  test("frames are described with their change, and new ones as new", () => {
    const flame = flameOf(sample);
    const words = { measure, compared: true, flame };
    expect(describeFrame(frameAt(flame, ["main", "a"]), words)).toBe(
      "a: 3, 27 % of all, itself 3, −50 %",
    );
    const fresh = flameOf(resultOf([[["x"], 3, 0]]));
    expect(describeFrame(frameAt(fresh, ["x"]), { ...words, flame: fresh })).toContain("new");
  });
});

describe("rows of a frame", () => {
  test("select the stacks that contain its path", () => {
    const frame = frameAt(flameOf(sample), ["main", "b"]);
    expect(filtersOfFrame(frame, { column: "stack", fromLast: false })).toEqual([
      { column: "stack", op: "starts with", value: ["main", "b"] },
    ]);
    const reached = frameAt(flameOf(sample, true), ["c", "b"]);
    expect(filtersOfFrame(reached, { column: "stack", fromLast: true })).toEqual([
      { column: "stack", op: "ends with", value: ["b", "c"] },
    ]);
    expect(filtersOfFrame(flameOf(sample).root, { column: "stack", fromLast: false })).toEqual([]);
  });
});

test("functions are counted once per stack, however often they call themselves", () => {
  const flame = flameOf(
    resultOf([
      [["f", "g", "f"], 4, 0],
      [["g"], 2, 8],
    ]),
  );
  expect(functionTotals(flame)).toEqual([
    { name: "g", self: 2, total: 6, was: 8, unsure: false },
    { name: "f", self: 4, total: 4, was: 0, unsure: false },
  ]);
});

describe("the drawing", () => {
  test("boxes lie below their callers, zoomed ones fill the width", () => {
    const flame = flameOf(sample);
    const rowsOf = (frame: FlameFrame) =>
      layoutFlame(frame, 110).rows.map((row) =>
        row.map((box) => `${box.frame.name} ${box.left}+${box.width}`),
      );
    expect(rowsOf(flame.root)).toEqual([
      ["all stacks 0+110"],
      ["main 0+100"],
      ["a 0+30", "b 30+70"],
      ["c 30+50"],
    ]);
    expect(rowsOf(frameAt(flame, ["main", "a"]))).toEqual([
      ["all stacks 0+110"],
      ["main 0+110"],
      ["a 0+110"],
    ]);
  });

  test("arrows walk to callers, neighbours, and the widest of what was called", () => {
    const flame = flameOf(sample);
    const layout = layoutFlame(flame.root, 110);
    const [main, a, b] = [["main"], ["main", "a"], ["main", "b"]].map((path) =>
      frameAt(flame, path),
    );
    if (main === undefined || a === undefined || b === undefined) throw new Error("no frames");
    expect(stepFrom(layout, main, "child")).toBe(b);
    expect(stepFrom(layout, b, "before")).toBe(a);
    expect(stepFrom(layout, a, "before")).toBe(a);
    expect(stepFrom(layout, a, "parent")).toBe(main);
    expect(stepFrom(layout, flame.root, "parent")).toBe(flame.root);
  });

  test("a text finds its frames, each stack counted once", () => {
    const flame = flameOf(sample);
    const found = findFrames(flame, " B ");
    expect([found?.frames.size, found?.total]).toEqual([1, 7]);
    expect(findFrames(flame, "main")?.total).toBe(10);
    expect(findFrames(flame, "")).toBeNull();
  });

  const name = fc.constantFrom("a", "b", "c", "__proto__", "constructor", "", "<b>", "🜂", "ש");
  const stacks = fc.uniqueArray(
    fc.tuple(fc.array(name, { maxLength: 6 }), fc.integer({ min: 1, max: 1000 })),
    { selector: ([stack]) => JSON.stringify(stack), minLength: 1, maxLength: 40 },
  );
  test("every stack's number is found again on its way, and under its pixels", () => {
    fc.assert(
      fc.property(stacks, fc.boolean(), (list, fromLast) => {
        const flame = flameOf(resultOf(list.map(([stack, count]) => [stack, count, 0])), fromLast);
        expect(flame.root.now.total).toBe(list.reduce((sum, [, count]) => sum + count, 0));
        for (const frame of flame.frames) {
          const below = frame.children.reduce((sum, child) => sum + child.now.total, 0);
          if (!fromLast) expect(frame.now.total).toBe(frame.now.self + below);
          expect(frameAt(flame, pathOf(frame))).toBe(frame);
        }
        for (const [stack, count] of list) {
          if (!fromLast) expect(frameAt(flame, stack).now.self).toBe(count);
        }
        const layout = layoutFlame(flame.root, 5000);
        for (const [depth, row] of layout.rows.entries()) {
          for (const box of row) {
            expect(boxAt(layout, depth, box.left + box.width / 2)).toBe(box);
          }
        }
      }),
    );
  });

  test("what a function takes does not depend on where merging begins", () => {
    fc.assert(
      fc.property(stacks, (list) => {
        const result = resultOf(list.map(([stack, count], i) => [stack, count, i]));
        const totals = (fromLast: boolean) =>
          functionTotals(flameOf(result, fromLast)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
        expect(totals(true)).toEqual(totals(false));
      }),
    );
  });
});
