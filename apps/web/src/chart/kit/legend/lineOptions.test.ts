import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AxisChoice,
  printAxes,
  printShown,
  readAverage,
  readAxes,
  readLineOptions,
  readShown,
  thresholdsMax,
} from "./lineOptions.js";

const number = fc.oneof(fc.integer(), fc.constantFrom(0.5, 1e-7, 250_000));
const end = fc.option(number);
const axis: fc.Arbitrary<AxisChoice> = fc
  .record({
    isLog: fc.boolean(),
    min: end,
    max: end,
    thresholds: fc.uniqueArray(number, { maxLength: thresholdsMax }),
  })
  .map((choice) => ({
    ...choice,
    max:
      choice.min !== null && choice.max !== null && choice.max <= choice.min
        ? choice.min + 1
        : choice.max,
    thresholds: choice.thresholds.toSorted((a, b) => a - b),
  }));
const name = fc.oneof(fc.constantFrom("count", "__proto__", 'p95 of "x"'), fc.string());

describe("choices of lines", () => {
  test("axes are parsed back from their text", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(name, axis), { selector: ([one]) => one }), (entries) => {
        const chosen = entries.filter(
          ([one, choice]) => printAxes(new Map([[one, choice]])) !== null,
        );
        const read = readAxes(printAxes(new Map(entries)) ?? "");
        expect(new Map(read)).toEqual(new Map(chosen));
      }),
    );
  });

  test("shown lines are parsed back from their text, whatever their names are", () => {
    const keys = fc.array(fc.string({ unit: "grapheme" }), { minLength: 1 });
    fc.assert(
      fc.property(fc.constantFrom("only" as const, "hide" as const), keys, (kind, list) => {
        expect(readShown(printShown({ kind, keys: list }))).toEqual({ kind, keys: list });
      }),
    );
  });

  test.each(["", "only", "only []", "only [1]", "only {}", 'some ["a"]', "hide nonsense"])(
    "%j hides nothing",
    (text) => expect(readShown(text)).toBeNull(),
  );

  test.each(["", "[]", "5", "null", '{"count":5}', "{"])("%j chooses no axis", (text) => {
    expect([...readAxes(text)]).toEqual([]);
  });

  test("reversed ends are ignored, thresholds are ascending and few", () => {
    const [choice] = readAxes('{"count":{"min":5,"max":5,"at":[3,1,3,"x",9,8,7,6,5]}}').values();
    expect(choice).toEqual({ isLog: false, min: null, max: null, thresholds: [1, 3, 5, 6, 7, 8] });
  });

  test.each([
    ["5", 5],
    ["1000", 1_000],
    ["1", null],
    ["1001", null],
    ["2.5", null],
    ["", null],
  ])("an average of %j is one of %s buckets", (text, count) => {
    expect(readAverage(text)).toBe(count);
  });

  test("absent options have the chart's defaults", () => {
    expect(readLineOptions({ versus: "sideways", draw: "dots", average: "-1" })).toEqual({
      axes: new Map(),
      averageOf: 1,
      isBars: false,
      versus: "auto",
      shown: null,
    });
  });
});
