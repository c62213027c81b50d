import type { Result, ResultRow } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { drawingOf, inputOf, minute, resultOf, t0 } from "../../testing/overTime.js";
import { numberText, titleOf } from "../groups/numberText.js";
import { panelLines } from "../time/plot/panelLines.js";
import { buildTimePlot } from "../time/plot/plot.js";
import { timeTooltip } from "../time/point/tooltipContent.js";
import { coverLabel, coversOf, coverWords, thinnedWords } from "./coverage.js";
import { differencesOf, isUnsure } from "./difference.js";
import { buildSeries, countMeasure } from "./series.js";
import { totalsOfSeries } from "./totals.js";

const at = (minutes: number): number => t0 + minutes * minute;
const answer = (rows: ResultRow[], more: Partial<Result>, compared = false): Result => ({
  ...resultOf(rows, { compared }),
  ...more,
});

describe("time buckets that are not whole", () => {
  const rows: ResultRow[] = [
    [at(1), "cart", 10, 900],
    [at(2), "cart", 4, 900],
    [at(3), "cart", 6, 900],
  ];
  const result = answer(rows, {
    coverage: [
      [at(0), 0, "before-data"],
      [at(2), 0.5, "missing-leaves"],
      [at(3), 0.25, "open"],
    ],
  });

  test("without rows a count is unknown where nothing is known, else 0", () => {
    const { series } = buildSeries(inputOf(result));
    expect(series[0]?.values[0]).toEqual([null, 10, 4, 6]);
    const unknown = answer([rows[0]!], {
      coverage: [
        [at(0), 0, "future"],
        [at(2), 0, "missing-leaves"],
        [at(3), 0.5, "open"],
      ],
    });
    expect(buildSeries(inputOf(unknown)).series[0]?.values[0]).toEqual([null, 10, null, 0]);
  });

  test("a row with a future time is shown", () => {
    const early = answer([[at(3), "cart", 2, 1]], { coverage: [[at(3), 0, "future"]] });
    expect(buildSeries(inputOf(early)).series[0]?.values[0]).toEqual([0, 0, 0, 2]);
  });

  test("gaps are empty, missing leaves hatched, the open bucket dashed", () => {
    const plot = buildTimePlot(drawingOf(inputOf(result)));
    expect(plot.covered.map(({ fromMs, toMs, look }) => [fromMs, toMs, look])).toEqual([
      [at(0), at(1), "gap"],
      [at(2), at(3), "hatched"],
      [at(3), at(4), "dashed"],
    ]);
    const [panel] = plot.panels;
    const drawn = panelLines(panel ?? { lines: [] }).lines;
    expect(drawn.map(({ line, points }) => [line?.side, points])).toEqual([
      ["main", [null, 10, 4, null]],
      ["open", [null, null, 4, 6]],
    ]);
  });

  test("a dashed part of a stack is filled above those below it", () => {
    const two = answer([...rows, [at(3), "web", 5, 1]], { coverage: [[at(3), 0.5, "open"]] });
    const [panel] = buildTimePlot(drawingOf(inputOf(two), { stacked: true })).panels;
    const open = panel?.lines.filter(({ side }) => side === "open");
    expect(open?.map(({ points, area }) => [points, area?.base])).toEqual([
      [
        [null, null, 4, 6],
        [null, null, 0, 0],
      ],
      [
        [null, null, 4, 11],
        [null, null, 4, 6],
      ],
    ]);
  });

  test("buckets side by side that are alike are one span", () => {
    const expired = answer(rows, {
      coverage: [0, 1, 2].map((start) => [at(start), 0, "expired"] as const),
    });
    const [span, ...others] = buildTimePlot(drawingOf(inputOf(expired))).covered;
    expect([span?.fromMs, span?.toMs, others]).toEqual([at(0), at(3), []]);
  });

  test("thinned rows are shaded, a span for each share that was kept; their lines are whole", () => {
    const thinned = answer(rows, {
      coverage: [
        [at(0), 0.01, "thinned"],
        [at(1), 0.1, "thinned"],
        [at(2), 0.1, "thinned"],
      ],
    });
    const input = inputOf(thinned);
    const plot = buildTimePlot(drawingOf(input));
    expect(
      plot.covered.map(({ fromMs, toMs, look, cover }) => [fromMs, toMs, look, coverLabel(cover)]),
    ).toEqual([
      [at(0), at(1), "thinned", "one row of 100 kept"],
      [at(1), at(3), "thinned", "one row of 10 kept"],
    ]);
    const drawn = panelLines(plot.panels[0] ?? { lines: [] }).lines;
    expect(drawn.map(({ line, points }) => [line?.side, points])).toEqual([
      ["main", [0, 10, 4, 6]],
    ]);
    expect(timeTooltip(drawingOf(input), 1, 0).note).toBe("about one row of 10 was kept");
    expect(thinnedWords(coversOf(input))).toBe("one row of 10 to 100 kept");
    expect(thinnedWords(new Map([[at(0), { share: 0.1, reason: "thinned" }]]))).toBe(
      "one row of 10 kept",
    );
    expect(thinnedWords(coversOf(inputOf(result)))).toBe(null);
  });

  test("an open bucket that leaves are missing of too is hatched, and its line dashed", () => {
    const both = answer(rows, {
      coverage: [[at(3), 0.5, "missing-leaves"]],
      incomplete: [at(3)],
      asOf: at(3.5),
    });
    const { covered, panels } = buildTimePlot(drawingOf(inputOf(both)));
    expect(covered.map(({ look }) => look)).toEqual(["hatched"]);
    expect(panels[0]?.lines.map(({ side, points }) => [side, points[3]])).toEqual([
      ["main", null],
      ["open", 6],
    ]);
  });

  test("leaves that have not answered yet are no missing ones", () => {
    const partial = { ...result, final: false };
    expect([...coversOf(inputOf(partial)).keys()]).toEqual([at(0), at(3)]);
  });

  test("a bucket that the range cuts differs from one that is compared with another length", () => {
    const cut = { ...inputOf(answer(rows, { incomplete: [at(0), at(2)] })), fromMs: at(0.25) };
    expect([...coversOf(cut)]).toEqual([
      [at(0), { share: 0.75, reason: "cut" }],
      [at(2), { share: 1, reason: "unlike" }],
    ]);
  });

  test("the tooltip says why", () => {
    const missing = { ...result.completeness.leaves, missing: ["leaf-2"] };
    expect(timeTooltip(drawingOf(inputOf(result)), 0, 0).rows).toEqual([]);
    const completeness = { ...result.completeness, leaves: missing };
    const drawing = drawingOf(inputOf({ ...result, completeness }));
    const notes = [0, 1, 2, 3].map((bucket) => timeTooltip(drawing, bucket, 0).note);
    expect(notes).toEqual([
      "before the table's first row",
      null,
      "50 % of its rows: no answer from leaf-2",
      "still open: 25 % of its time has passed",
    ]);
    const half = { ...countMeasure, measure: { shareOfRows: 0.5 } };
    const bound = { ...drawing, input: { ...drawing.input, measures: [half] } };
    const cells = [1, 2].map((bucket) => timeTooltip(bound, bucket, 0).rows[0]?.cells);
    expect(cells).toEqual([["10"], ["≥ 4"]]);
    expect(coverWords({ share: 0.01, reason: "thinned" }, [])).toBe(
      "about one row of 100 was kept",
    );
    expect(coverLabel({ share: 0.5, reason: "missing-leaves" })).toBe("≥ 50 % of rows");
  });
});

describe("a side B that begins within the range", () => {
  const rows: ResultRow[] = [
    [at(0), "cart", 10, 0, 1, null],
    [at(1), "cart", 10, null, 1, null],
    [at(2), "cart", 10, 8, 1, 1],
    [at(3), "cart", 15, 12, 1, 1],
  ];
  const input = inputOf(
    answer(
      rows,
      {
        compareCoverage: [
          [at(0), 0, "before-data"],
          [at(1), 0.5, "before-data"],
        ],
      },
      true,
    ),
    true,
  );
  const set = buildSeries(input);

  test("is no 0 before it", () => {
    expect(set.series[0]?.compare?.[0]).toEqual([null, 0, 8, 12]);
    const [row] = timeTooltip(drawingOf(input), 0, 0).rows;
    expect(row?.cells).toEqual(["10", "missing", { text: "–", isQuiet: true }]);
  });

  test("differences are of the time that both have", () => {
    const [total] = totalsOfSeries(set, input, []);
    if (total === undefined) throw new Error("there is no total");
    const textOf = (part: "value" | "delta" | "delta_pct") =>
      numberText(total, { m: 0, part }, { measures: input.measures, form: "exact" });
    expect([textOf("value"), textOf("delta"), textOf("delta_pct")]).toEqual(["45", "+5", "+25 %"]);
    expect(total.unsure[0]).toBe(false);
    expect(
      titleOf(total, { m: 0, part: "delta" }, input.measures, { unsure: false, whole: null }),
    ).toBe("+5, over the time that both have");
  });

  test("differences over other times are grey", () => {
    const differenceAt = differencesOf(input.result, "count");
    expect([0, 1, 2, 3].map((row) => isUnsure(differenceAt(row)))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    // Without time buckets the range is one.
    const columns = input.result.columns.filter(({ type }) => type !== "time");
    const whole = { ...input.result, columns, rows: [["cart", 45, 20, 1, 1]] };
    expect(isUnsure(differencesOf(whole, "count")(0))).toBe(true);
  });
});
