import { HadalError, type Result, type ResultColumn, type Truncated } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { buildQuery } from "../../draft/ask/buildQuery.js";
import { rangeInWords } from "../../format/rangeInWords.js";
import { chartInputOf } from "../../panel/draw/chartInput.js";
import { isIncomplete, truncationWords, typicalError } from "../../panel/status/completeness.js";
import { type ExploreState, initialState } from "../../query/state/exploreState.js";
import { remedyOf } from "./result/remedy.js";
import { titleOf } from "./words.js";

const nowMs = Date.UTC(2026, 10, 21, 12);
const state: ExploreState = { ...initialState("requests"), groupBy: ["service"] };

describe("words", () => {
  test.each([
    ["-3h", "now", "last 3 hours"],
    ["-1d", "now", "last 1 day"],
    ["-1mo", "now", "last 1 month"],
    ["2026-11-21T09:00:00Z", "2026-11-21T10:00:00Z", "21 Nov 09:00 – 10:00"],
    ["1795251600000", "1795255200000", "21 Nov 09:00 – 10:00"],
    ["-3h", "-1h", "-3h – -1h"],
    ["2026-11-21T09:00:00Z", "now", "since 21 Nov 09:00:00"],
  ])("%s to %s is %s", (from, to, words) =>
    expect(rangeInWords(from, to, "UTC", nowMs)).toBe(words),
  );
  test("the title says what is shown", () => {
    const compared = { ...state, compare: { offset: "1w", filter: null } };
    expect(titleOf(compared, "UTC")).toBe(
      "count by service over time vs 1 week earlier · requests · last 3 hours · Hadal",
    );
    expect(titleOf({ ...state, view: "rows" }, "UTC")).toContain("rows of requests");
  });
});

describe("completeness", () => {
  const completeness = (fraction: number, missing: readonly string[] = []) => ({
    fraction,
    rowsExpected: 1000,
    rowsAnswered: 1000 * fraction,
    leaves: { answered: 2 - missing.length, total: 2, missing },
  });
  test("S81: amber from 99.5 % down, and whenever a leaf is missing", () => {
    expect([1, 0.996, 0.995, 0.5].map((f) => isIncomplete(completeness(f)))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(isIncomplete(completeness(1, ["leaf-2"]))).toBe(true);
  });
  test("what was cut off is said", () => {
    const service: ResultColumn = { name: "service", type: "string", role: "group" };
    const time: ResultColumn = { name: "time", type: "time", role: "group" };
    const words = (truncated: Truncated | null, ...columns: ResultColumn[]) =>
      truncationWords({ truncated, columns });
    expect(words({ series: 31 }, time)).toBe("31 more series not shown");
    expect(words({ groups: 5 }, service)).toBe("5 more groups not shown");
    expect(words({ groups: 5, series: 2 }, time, service)).toBe(
      "5 more points, 2 more series not shown",
    );
    expect(words({ groups: 0 })).toBeNull();
    expect(words(null)).toBeNull();
  });
});

test("the typical error is that of the first estimated number, where half of what is counted lies", () => {
  const result = {
    columns: [
      { name: "service", type: "string", role: "group" },
      { name: "max_x", type: "int", role: "aggregate" },
      { name: "count", type: "int", role: "aggregate" },
      { name: "count.raw", type: "int", role: "aggregate" },
    ],
    rows: [
      ["a", 1, 100],
      ["b", 1, 1000],
      ["c", 1, 0],
      ["d", 1, 10],
    ],
    intervals: {
      "count.raw": [[1, 1_000_000]],
      count: [
        [90, 120],
        [999, 1001],
        [0, 5],
        [5, 15],
      ],
    },
  } as unknown as Result;
  expect(typicalError(result)).toBe(0.001);
  expect(typicalError({ ...result, intervals: {} })).toBeNull();
});

describe("answers", () => {
  const result = {
    columns: [{ name: "sum_latency_us", type: "int", role: "aggregate", unit: "us" }],
    asOf: nowMs,
  } as unknown as Result;
  test("numbers of a part of the rows are what there is at least, once all have answered", () => {
    const built = buildQuery(
      { ...state, aggregates: [{ fn: "count" }] },
      { timeZone: "UTC", nowMs },
    );
    const subject = { state, built, timeZone: "UTC", key: "" };
    const completeness = { fraction: 0.5 } as Result["completeness"];
    const [final, partial] = [true, false].map((final) =>
      chartInputOf({ ...result, completeness, final, lowerBounds: ["count"] }, subject),
    );
    expect(final?.measures[0]?.measure.shareOfRows).toBe(0.5);
    expect(partial?.measures[0]?.measure.shareOfRows).toBeUndefined();
  });

  test("know which column says in words what a row is about", () => {
    const built = buildQuery({ ...state, view: "rows" }, { timeZone: "UTC", nowMs });
    const texts = { ...result, columns: [{ name: "message", type: "string", role: "sample" }] };
    const input = chartInputOf(texts as unknown as Result, {
      state,
      built,
      timeZone: "UTC",
      key: "",
    });
    expect(input.message).toBe("message");
  });

  test("a range that ends now ends by the server's clock", () => {
    const asked: ExploreState = {
      ...state,
      aggregates: [{ fn: "sum", column: "latency_us", per: "minute" }],
    };
    const built = buildQuery(asked, { timeZone: "UTC", nowMs: nowMs - 60_000 });
    const input = chartInputOf(result, { state: asked, built, timeZone: "UTC", key: "" });
    expect([input.fromMs, input.toMs]).toEqual([nowMs - 3 * 3_600_000, nowMs]);
    const compared = { ...asked, compare: { offset: "1w", filter: null } };
    const subject = { state: compared, built, timeZone: "UTC", key: "" };
    expect(chartInputOf(result, subject).measures[0]?.baseName).toBe("1 week earlier");
    expect(input.measures[0]).toMatchObject({
      measure: { unit: "us", per: "minute" },
      additive: true,
      total: null,
    });
  });
});

test("a question that is too large over time is offered longer steps", () => {
  const dispatched: unknown[] = [];
  const explore = {
    state,
    timeZone: "UTC",
    dispatch: (edit: unknown) => dispatched.push(edit),
    faultAt: () => null,
  };
  const remedy = remedyOf(new HadalError("query-memory"), explore);
  expect(remedy?.label).toBe("Use steps of 5m");
  remedy?.apply();
  expect(dispatched).toEqual([{ kind: "set bucket", bucket: "5m" }]);
  expect(remedyOf(new HadalError("no-leaves"), explore)).toBeNull();
});

test("a filter that is refused is laid aside with one click, an unknown table leads to the others", () => {
  const filter = { column: "service", op: ">", value: 5 } as const;
  const dispatched: unknown[] = [];
  const explore = {
    timeZone: "UTC",
    state: {
      ...state,
      filters: [
        { filter, off: true },
        { filter, off: false },
      ],
    },
    dispatch: (edit: unknown) => dispatched.push(edit),
    faultAt: (place: string) => (place.startsWith("filter") ? "needs a string" : null),
  };
  remedyOf(new HadalError("bad-request"), explore)?.apply();
  expect(dispatched).toEqual([{ kind: "switch filter", index: 1, off: true }]);
  const unknown = remedyOf(new HadalError("unknown-table", { table: "x" }), explore);
  expect(unknown?.label).toBe("Choose a table");
});
