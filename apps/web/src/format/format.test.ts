import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Change, formatChange, formatCompleteness, formatShare } from "./change.js";
import { durationInWords, formatMs, printDuration } from "./duration.js";
import { formatBounded, formatErrorBar } from "./errorBar.js";
import { namePartsOf, shortenName } from "./name.js";
import { formatCompact, formatExact, formatRatio } from "./number.js";
import { formatDated, formatInstant, formatRange, formatTick, zoneOffsetMs } from "./time.js";
import { formatMeasure, formatMeasureExact, formatSpan } from "./value.js";

describe("numbers", () => {
  test.each([
    [0, "0"],
    [7, "7"],
    [999, "999"],
    [1_000, "1 k"],
    [12_431, "12.4 k"],
    [999_600, "1 M"],
    [1_310_000, "1.31 M"],
    [-45_600, "−45.6 k"],
    [0.0421, "0.042"],
    [8.5251, "8.53"],
    [12_345_678_901_234_567_890n, "12.3 E"],
    ["81.25", "81.3"],
  ])("%s reads %s", (value, text) => expect(formatCompact(value)).toBe(text));

  test.each([
    [1_234_567, "1\u202f234\u202f567"],
    [-1_234.5, "−1\u202f234.5"],
    [9_007_199_254_740_993n, "9\u202f007\u202f199\u202f254\u202f740\u202f993"],
    ["12.000001", "12.000001"],
  ])("%s is exactly %s", (value, text) => expect(formatExact(value)).toBe(text));

  test("exact keeps every digit of an integer", () => {
    fc.assert(
      fc.property(fc.bigInt(), (value) => {
        expect(formatExact(value).replaceAll("\u202f", "").replace("−", "-")).toBe(`${value}`);
      }),
    );
  });
});

describe("measures", () => {
  test.each([
    [81_234, { unit: "us" }, "81.2 ms"],
    [640, { unit: "us" }, "640 µs"],
    [2_400, { unit: "ms" }, "2.4 s"],
    [3_565_158, { unit: "bytes" }, "3.4 MiB"],
    [812, { unit: "bytes" }, "812 B"],
    [210, { per: "minute" }, "210 /min"],
    [12_400, {}, "12.4 k"],
    [null, {}, "–"],
  ])("%s of %o reads %s", (value, measure, text) =>
    expect(formatMeasure(value, measure)).toBe(text),
  );
  test("exact has the stored unit", () => {
    expect(formatMeasureExact(81_234, { unit: "us" })).toBe("81\u202f234 µs");
    expect(formatMeasureExact(812, { unit: "bytes" })).toBe("812 bytes");
    expect(formatMeasureExact(12.25, { unit: "percent" })).toBe("12.25 %");
  });
});

describe("changes and shares", () => {
  test.each<[Change, string]>([
    [12.41, "+12.4 %"],
    [-3, "−3 %"],
    [-99.99, "−99.9 %"],
    [-100, "−100 %"],
    [0, "±0 %"],
    [0.01, "+<0.1 %"],
    ["new", "new"],
    ["gone", "gone"],
    [null, "–"],
    [123_456, "+123 k %"],
  ])("%s is %s", (percent, text) => expect(formatChange(percent)).toBe(text));

  test.each([
    [1, "100 %"],
    [0.99996, "99.9 %"],
    [0.977, "97.7 %"],
    [0.5, "50 %"],
    [0, "0 %"],
  ])("completeness %s is %s", (fraction, text) => expect(formatCompleteness(fraction)).toBe(text));

  test("only all of the rows are 100 %", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (fraction) => {
        expect(formatCompleteness(fraction) === "100 %").toBe(fraction === 1);
      }),
    );
  });
  test("shares", () =>
    expect([0.124, 0.0031, 0.0001].map(formatShare)).toEqual(["12 %", "0.3 %", "<0.1 %"]));
});

test.each<[number | string, readonly [number, number] | null, string]>([
  [1000, [980, 1020], "±2 %"],
  [1000, [1000, 1120], "+12 %"],
  [1000, [700, 1100], "+10 % −30 %"],
  [10, [1, 80], "1 to 80"],
  ["9007199254740993", [9.002e15, 9.0125e15], "±<0.1 %"],
  [0, [0, 12], "0 to 12"],
  [5, [5, 5], ""],
  [5, null, ""],
])("an error bar of %s within %j reads %s", (value, bar, text) =>
  expect(formatErrorBar(value, bar)).toBe(text),
);

test("a number of a part of the rows is what there is at least, and about", () => {
  const half = { shareOfRows: 0.5, unit: "bytes" };
  expect(formatBounded(2048, half, formatMeasure)).toBe("≥ 2 KiB");
  expect(formatBounded(null, half)).toBe("missing");
  expect(formatBounded(2048, { unit: "bytes" }, formatMeasure)).toBe("2 KiB");
  const about = (bar: readonly [number, number]) => formatErrorBar(2048, bar, half);
  expect([about([2048, 9000]), about([2048, 3072]), about([5120, 9000])]).toEqual([
    "about 4 KiB",
    "about 3 KiB",
    "about 5 KiB",
  ]);
  expect(formatErrorBar(0, [0, 2048], half)).toBe("0 B to 2 KiB");
});

describe("times", () => {
  const noon = Date.UTC(2026, 10, 21, 12, 3, 7);
  test("durations", () => {
    expect([0.5, 48, 1_000, 90_000, 7_200_000].map(formatMs)).toEqual([
      "500 µs",
      "48 ms",
      "1 s",
      "1.5 min",
      "2 h",
    ]);
    expect(durationInWords("1w")).toBe("1 week");
    expect([10_800_000, 604_800_000, 90_500].map(printDuration)).toEqual(["3h", "1w", "90500ms"]);
  });
  test("instants name the zone's own hour", () => {
    expect(formatInstant(noon, "UTC")).toBe("21 Nov 12:03:07");
    expect(formatInstant(noon + 5, "Europe/Berlin")).toBe("21 Nov 13:03:07.005");
    expect(zoneOffsetMs(noon, "Asia/Kolkata")).toBe(19_800_000);
  });
  test("a zone's offset changes when its clocks do, cached or not", () => {
    const [goose, monrovia] = ["America/Goose_Bay", "Africa/Monrovia"];
    const spring = Date.UTC(1995, 3, 2, 4, 1);
    const again = [spring - 1, spring, spring - 1].map((timeMs) => zoneOffsetMs(timeMs, goose));
    expect(again).toEqual([-14_400_000, -10_800_000, -14_400_000]);
    const jump = Date.UTC(1972, 0, 7, 0, 44, 30);
    expect([jump - 1, jump].map((timeMs) => zoneOffsetMs(timeMs, monrovia))).toEqual([
      -2_670_000, 0,
    ]);
  });
  test("ticks show the day where it begins", () => {
    expect(formatTick(Date.UTC(2026, 10, 21), "UTC", 3_600_000)).toBe("21 Nov");
    expect(formatTick(noon, "UTC", 3_600_000)).toBe("12:03");
  });
  test("ranges name a year that is not this one", () =>
    expect(formatRange(Date.UTC(2020, 0, 1), Date.UTC(2020, 0, 2), "UTC", noon)).toBe(
      "1 Jan 2020 00:00 – 2 Jan 2020 00:00",
    ));
  test("ranges name the years where the ends are in two", () => {
    const year = [Date.UTC(2025, 0, 1), Date.UTC(2026, 0, 1)] as const;
    expect(formatRange(...year, "UTC")).toBe("1 Jan 2025 00:00 – 1 Jan 2026 00:00");
    expect(formatRange(...year, "UTC", Date.UTC(2025, 6, 1))).toBe(
      "1 Jan 2025 00:00 – 1 Jan 2026 00:00",
    );
  });
  test("a time to be read later has its year", () =>
    expect(formatDated(noon, "Asia/Tokyo")).toBe("21 Nov 2026 21:03:07"));
  test("ranges name a shared day once", () =>
    expect(formatRange(Date.UTC(2026, 10, 21, 9), Date.UTC(2026, 10, 21, 12), "UTC")).toBe(
      "21 Nov 09:00 – 12:00",
    ));
});

test("long names keep both ends", () => {
  expect(shortenName("abcdefghij", 7)).toBe("abc…hij");
  expect(shortenName("short", 7)).toBe("short");
});

test.each([
  [10_000, 20_000, "us", "10 – 20 ms"],
  [500, 1_000, "us", "500 µs – 1 ms"],
  [1_000, 2_000, undefined, "1 – 2 k"],
  [-5, 5, undefined, "−5 – 5"],
  [null, 5, undefined, "below 5"],
  [100n, null, undefined, "100 and more"],
])("the span from %s to %s of %s reads %s", (low, high, unit, expected) => {
  expect(formatSpan(low, high, { unit })).toBe(expected);
});

test("a name is cut before its last letters, whatever they are made of", () => {
  expect(namePartsOf("recommendations")).toEqual(["recommenda", "tions"]);
  expect(namePartsOf("web")).toEqual(["web", ""]);
  expect(namePartsOf("service of 🐙🐙🐙🐙🐙")).toEqual(["service of ", "🐙🐙🐙🐙🐙"]);
  expect(namePartsOf("שירות ההזמנות")).toEqual(["שירות ההזמנות", ""]);
});

test("a ratio that rounds to nothing is not none", () => {
  expect([5.234, 12, 0.42, 0.004, 0].map(formatRatio)).toEqual([
    "5.23×",
    "12×",
    "0.42×",
    "<0.01×",
    "0×",
  ]);
});
