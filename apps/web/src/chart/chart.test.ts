import type { Result, ResultRow } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { buildSeries, type ChartMeasure, countMeasure } from "./kit/answer/series.js";
import {
  changeOf,
  differenceOf,
  holdOrder,
  totalsOfResult,
  totalsOfSeries,
} from "./kit/answer/totals.js";
import { sortTotals } from "./kit/groups/sortTotals.js";
import { cellText, shownColumns } from "./kit/rows/rowColumns.js";
import { drawnValue } from "./kit/time/plot/build.js";
import { scaleOf } from "./kit/time/plot/valueScale.js";
import { bucketsAround, nearestIndex } from "./kit/time/point/interact.js";
import { timeTooltip } from "./kit/time/point/tooltipContent.js";
import { testTheme } from "./testing/answers.js";
import { drawingOf, inputOf, minute, p95, resultOf, rows, t0 } from "./testing/overTime.js";
import { barHeight, buildBarOption } from "./view/bar/build.js";

describe("series", () => {
  test("gaps are nothing for counts and unknown for percentiles", () => {
    const { timesMs, series } = buildSeries(inputOf(resultOf(rows)));
    expect(timesMs).toEqual([0, 1, 2, 3].map((i) => t0 + i * minute));
    expect(series[0]?.values).toEqual([
      [0, 10, 0, 30],
      [null, 900, null, 1100],
    ]);
  });

  test("a bucket that began before the range is kept", () => {
    const early: ResultRow[] = [[t0 - 30_000, "cart", 1, 1]];
    const { timesMs } = buildSeries({ ...inputOf(resultOf(early)) });
    expect(timesMs[0]).toBe(t0 - 30_000);
  });

  test("a day without rows is 0 of a count and a gap of a percentile", () => {
    const day = 86_400_000;
    const berlin = Date.UTC(2024, 9, 25, 22);
    const input = {
      ...inputOf(
        resultOf([
          [berlin, "cart", 1, 5],
          [berlin + 3 * day + 3_600_000, "cart", 2, 6],
        ]),
      ),
      ...{ bucketMs: day, timeZone: "Europe/Berlin", fromMs: berlin, toMs: berlin + 4 * day },
    };
    const { timesMs, series } = buildSeries(input);
    // The second of them is the Sunday of 25 hours.
    expect(timesMs.map((timeMs) => (timeMs - berlin) / 3_600_000)).toEqual([0, 24, 49, 73]);
    expect(series[0]?.values).toEqual([
      [1, 0, 0, 2],
      [5, null, null, 6],
    ]);
    const drawing = drawingOf(input);
    expect(timeTooltip(drawing, 1, 0).title).toBe("27 Oct 00:00 – 28 Oct 00:00 Europe/Berlin");
  });

  test("what lies beyond the last row of an answer that was cut is not known to be 0", () => {
    const cut: ResultRow[] = [
      [t0, "cart", 1, 1],
      [t0, "web", 2, 1],
      [t0 + minute, "cart", 3, 1],
      [t0 + 2 * minute, "cart", 4, 1],
    ];
    const result = { ...resultOf(cut), truncated: { groups: 5 } };
    const { timesMs, series } = buildSeries(inputOf(result));
    expect(timesMs).toEqual([t0, t0 + minute]);
    expect(series.map(({ values }) => values[0])).toEqual([
      [1, 3],
      [2, 0],
    ]);
  });

  test("whole lists that read alike are groups of their own", () => {
    const lists: ResultRow[] = [
      [t0, ["a b"], 1, 1],
      [t0, ["a", "b"], 2, 1],
      [t0, "a b", 3, 1],
      [t0, [], 4, 1],
    ];
    const { series } = buildSeries(inputOf(resultOf(lists)));
    expect(series.map(({ label, values }) => [label, values[0]?.[0]])).toEqual([
      ["a b", 1],
      ["a, b", 2],
      ["a b", 3],
      ["(empty)", 4],
    ]);
  });

  test("missing is a group of its own, and not the text (missing)", () => {
    const both: ResultRow[] = [
      [t0, null, 1, 1],
      [t0, "(missing)", 2, 1],
      [t0, "null", 3, 1],
    ];
    expect(buildSeries(inputOf(resultOf(both))).series.map((s) => s.group[0]?.value)).toEqual([
      null,
      "(missing)",
      "null",
    ]);
  });

  test("totals add whole numbers exactly and take percentiles from the server", () => {
    const input = inputOf(resultOf([...rows, [t0 + 2 * minute, null, 3, 7]]));
    const asked = [
      {
        key: '["cart"]',
        group: [],
        label: "cart",
        values: [40, 1050],
        compare: [null, null],
        intervals: [null, null],
        unsure: [false, false],
      },
    ];
    const totals = totalsOfSeries(buildSeries(input), input, asked);
    expect(totals[0]?.values).toEqual([40, 1050]);
    expect(totals[1]?.values).toEqual([2n ** 60n + 3n, null]);
  });

  test("a total over buckets has their error bars, and a difference that may be none is unsure", () => {
    const result = {
      ...resultOf(
        [
          [t0, "cart", 50, 40, 1, 1],
          [t0 + minute, "cart", 60, 40, 1, 1],
          [t0, "web", 50, 40, 1, 1],
        ],
        { compared: true },
      ),
      intervals: {
        count: [
          [47, 53],
          [56, 64],
          [45, 55],
        ],
        "count.delta": [
          [4, 16],
          [12, 28],
          [-1, 21],
        ],
      },
    } as const;
    const input = inputOf(result, true);
    const totals = totalsOfSeries(buildSeries(input), input, []);
    // Squares add up: 3² and 4² of the counts.
    expect(totals.map(({ intervals }) => intervals[0])).toEqual([
      [105, 115],
      [45, 55],
    ]);
    expect(totals.map(({ unsure }) => unsure[0])).toEqual([false, true]);
    expect(totalsOfSeries(buildSeries(input), inputOf(result), [])[0]?.values[0]).toBe(110);
  });

  test("side B is read beside side A", () => {
    const compared = resultOf([[t0, "cart", 10, 8, 900, 450]], { compared: true });
    const input = inputOf(compared, true);
    const { series } = buildSeries(input);
    expect(series[0]?.compare?.[0]?.[0]).toBe(8);
    const [total] = totalsOfResult(compared, input);
    expect(total?.compare).toEqual([8, 450]);
  });
});

describe("time series", () => {
  test("error bars are shown in tooltips", () => {
    const result = {
      ...resultOf([[t0, "cart", 10, 900]]),
      intervals: { count: [[-5, 190]] },
    } as Result;
    const drawing = drawingOf(inputOf(result));
    expect(timeTooltip(drawing, 0, 0).rows[0]?.cells).toEqual(["10", "−5 to 190"]);
  });

  test("only what adds up is stacked", () => {
    const small = drawingOf(
      inputOf(
        resultOf([
          [t0, "a", 4, 1],
          [t0, "b", 5, 2],
        ]),
      ),
      { stacked: true },
    );
    expect(drawnValue(small, 1, 0, 0)).toBe(9);
    expect(drawnValue(small, 1, 1, 0)).toBe(2);
  });

  test("the axis makes room for rows that have not arrived, and does not jump back", () => {
    const part = drawingOf(inputOf(resultOf([[t0, "cart", 50, 1]], { final: false })));
    const first = scaleOf(part, 0).ceiling;
    expect(first).toBe(100);
    const whole = drawingOf(inputOf(resultOf([[t0, "cart", 98, 1]])), { ceilings: [first] });
    expect(scaleOf(whole, 0).ceiling).toBe(100);
  });

  test("in a tooltip a change that may be none is quiet, as in the table", () => {
    const compared = {
      ...resultOf(
        [
          [t0, "cart", 10, 8, 900, 450],
          [t0, "web", 9, 2, 900, 450],
        ],
        { compared: true },
      ),
      intervals: {
        "count.delta": [
          [-2, 6],
          [5, 9],
        ],
      },
    } as never;
    const content = timeTooltip(drawingOf(inputOf(compared, true)), 0, 0);
    expect(content.rows.map(({ cells }) => cells)).toEqual([
      ["10", "8", { text: "+25 %", isQuiet: true }],
      ["9", "2", "+350 %"],
    ]);
    expect(content.note).toBe("grey: the change may be none");
  });

  test("tooltips are exact, largest first", () => {
    const input = inputOf(
      resultOf([
        [t0, "a", 4, 1],
        [t0, "b", 12_345, 2],
      ]),
    );
    const content = timeTooltip(drawingOf(input), 0, 0);
    expect(content.rows.map((row) => [row.name, row.cells])).toEqual([
      ["b", ["12\u202f345"]],
      ["a", ["4"]],
    ]);
  });

  test("a dragged range is widened to whole buckets within the range", () => {
    const drawing = drawingOf(inputOf(resultOf(rows)));
    const around = (a: number, b: number) => {
      const { fromMs, toMs } = bucketsAround(drawing, t0 + a * minute, t0 + b * minute);
      return [(fromMs - t0) / minute, (toMs - t0) / minute];
    };
    expect(around(1.2, 2.7)).toEqual([1, 3]);
    expect(around(3.9, 1.2)).toEqual([1, 4]);
    expect(around(1, 2)).toEqual([1, 2]);
  });

  test("the nearest bucket", () => {
    expect([0, 4, 6, 100].map((t) => nearestIndex([0, 10, 20], t))).toEqual([0, 0, 1, 2]);
  });
});

describe("tables", () => {
  const totals = totalsOfResult(
    resultOf(
      [
        [t0, "a", 5, 10, 1, 1],
        [t0, "b", 7, null, 1, 1],
        [t0, "c", 6, 3, 1, 1],
      ],
      { compared: true },
    ),
    inputOf(resultOf([]), true),
  );
  const order = (by: string, desc: boolean) =>
    sortTotals(totals, [countMeasure, p95], { by, desc }).map((total) => total.label);
  test.each([
    ["count", true, ["b", "c", "a"]],
    ["service", false, ["a", "b", "c"]],
    ["count.delta_pct", true, ["c", "a", "b"]],
    ["count.delta", false, ["a", "c", "b"]],
  ] as const)("by %s", (by, desc, labels) => expect(order(by, desc)).toEqual(labels));

  test("error bars stand beside their numbers, and a difference that may be none is marked", () => {
    const result = {
      ...resultOf(
        [
          [t0, "a", 5, 10, 1, 1],
          [t0, "b", 7, 1, 1, 1],
        ],
        { compared: true },
      ),
      intervals: {
        count: [[4, 6], null],
        "count.delta": [
          [-6, 1],
          [2, 9],
        ],
      },
    } as const;
    const [first, second] = totalsOfResult(result, inputOf(result, true));
    expect([first?.intervals, first?.unsure]).toEqual([
      [[4, 6], null],
      [true, false],
    ]);
    expect([second?.intervals, second?.unsure]).toEqual([
      [null, null],
      [false, false],
    ]);
  });
  test("changes are exact and have no base of 0", () => {
    expect(differenceOf(2n ** 60n, 1)).toBe(2n ** 60n - 1n);
    expect(changeOf(0, 0)).toBe(0);
    expect([changeOf(-5, -10), changeOf(-20, -10), changeOf(5, -10)]).toEqual([50, -100, 150]);
  });
  test("what only one side has is new or gone", () => {
    expect([changeOf(5, 0), changeOf(5, null)]).toEqual(["new", "new"]);
    expect([changeOf(null, 5), changeOf(0, 5)]).toEqual(["gone", -100]);
    expect(changeOf(null, null)).toBeNull();
  });
  test("the order does not change while parts arrive", () => {
    const next = [{ key: "c" }, { key: "b" }, { key: "a" }];
    expect(holdOrder(next, ["a", "b", "x"]).map((one) => one.key)).toEqual(["a", "b", "c"]);
  });
});

test("bars are drawn at full height with side B paler", () => {
  const totals = totalsOfResult(
    resultOf([[t0, "a", 5, 10, 1, 1]], { compared: true }),
    inputOf(resultOf([])),
  );
  const { option } = buildBarOption({
    totals,
    measures: [countMeasure],
    hues: [2],
    compared: true,
    theme: testTheme,
    width: 600,
    ceilings: [],
    streaming: false,
  });
  const bars = option.series as {
    id: string;
    data: { value: unknown; itemStyle: { opacity: number } }[];
  }[];
  expect(bars.map((bar) => [bar.id, bar.data[0]?.value, bar.data[0]?.itemStyle.opacity])).toEqual([
    ["0:values", 5, 1],
    ["0:compare", 10, 0.4],
  ]);
  expect(barHeight(10)).toBe(332);
});

test("a bar of a part of the rows says that all have at least as much", () => {
  const result = resultOf([[t0, "cart", 40, 1]]);
  const labelOf = (measure: ChartMeasure): unknown => {
    const { option } = buildBarOption({
      ...{ totals: totalsOfResult(result, inputOf(result)), measures: [measure], hues: [2] },
      ...{ compared: false, theme: testTheme, width: 600, ceilings: [], streaming: false },
    });
    const [bar] = option.series as { label: { formatter: (at: object) => string } }[];
    return bar?.label.formatter({ dataIndex: 0 });
  };
  expect(labelOf(countMeasure)).toBe("40");
  expect(labelOf({ ...countMeasure, measure: { shareOfRows: 0.5 } })).toBe("≥ 40");
});

test("a bar has whiskers where its number may be off, and the axis has room for them", () => {
  const result = { ...resultOf([[t0, "a", 5, 1]]), intervals: { count: [[4, 18]] } } as Result;
  const { option, ceilings } = buildBarOption({
    totals: totalsOfResult(result, inputOf(result)),
    measures: [countMeasure],
    hues: [2],
    compared: false,
    theme: testTheme,
    width: 600,
    ceilings: [],
    streaming: false,
  });
  const [, whiskers] = option.series as { id: string; data: unknown }[];
  expect([whiskers?.id, whiskers?.data]).toEqual(["0:error", [[4, 18, 0]]]);
  expect(ceilings).toEqual([20]);
});

test("the axis of bars contains side B and the error bars, and its name fits its column", () => {
  const result = {
    ...resultOf([[t0, "a", 5, -70, 1, 1]], { compared: true }),
    intervals: { count: [[-4, 18]] },
  } as Result;
  const measures = [
    { ...countMeasure, label: "p99.9 of upstream_response_time_microseconds where it is" },
    p95,
  ];
  const floorsOf = (compared: Result) => {
    const { option } = buildBarOption({
      totals: totalsOfResult(compared, inputOf(compared)),
      measures: compared === result ? measures : [countMeasure],
      ...{ hues: [2], compared: true, theme: testTheme, width: 400 },
      ...{ ceilings: [], streaming: false },
    });
    return option.xAxis as { min: number; max: number; name: string }[];
  };
  const [first, second] = floorsOf(result);
  expect([first?.min, first?.max, second?.min]).toEqual([-80, 20, 0]);
  expect([first?.name.length, second?.name]).toEqual([23, "p95 latency_us"]);
  expect(first?.name).toMatch(/^p99\.9.*…/);
  const unsure = { ...resultOf([[t0, "a", 5, 1]]), intervals: { count: [[-4, 18]] } } as Result;
  expect(floorsOf(unsure)[0]?.min).toBe(-4);
});

test("raw rows show time first and sets and vectors as text", () => {
  const result: Result = {
    ...resultOf([]),
    columns: [
      { name: "service", type: "string", role: "sample" },
      { name: "time", type: "time", role: "sample" },
      { name: "stack", type: "vector", role: "sample" },
    ],
    rows: [["cart", t0, ["main", "render"]]],
  };
  const shown = shownColumns(result, "UTC");
  expect(shown.map(({ column }) => column.name)).toEqual(["time", "service", "stack"]);
  expect(
    shown.map(({ column, index }) => cellText(result.rows[0]?.[index] ?? null, column, "UTC")),
  ).toEqual(["21 Nov 09:00:00", "cart", "main › render"]);
});
