import { describe, expect, test } from "vitest";
import { countMeasure } from "../../kit/answer/series.js";
import { inputOf, resultOf } from "../../testing/answers.js";
import { bigNumbers, normalText } from "./build.js";

const before = (counts: (number | null)[], unit = "d") =>
  Object.fromEntries(
    counts.map((count, i) => [
      `before ${i + 1}${unit}`,
      resultOf(["count", "count.compare"], [[1, count]]),
    ]),
  );
const of = (value: number | bigint, extras = {}, more = {}) => {
  const [one] = bigNumbers(inputOf(resultOf(["count"], [[value]], more)), extras);
  if (one === undefined) throw new Error("no number");
  return one;
};

describe("big numbers", () => {
  test("exact beyond 2^53, with error bar and side B", () => {
    expect(of(2n ** 63n - 1n).value).toBe(2n ** 63n - 1n);
    const intervals = { count: [[90, 110]], "count.delta": [[-1, 5]] };
    const result = resultOf(["count", "count.compare"], [[100, 98]], { intervals } as object);
    const [one] = bigNumbers(inputOf(result), {});
    expect(one).toMatchObject({
      errorBar: [90, 110],
      base: 98,
      normal: null,
      unsure: "within the error bars",
    });
  });
  test.each([
    [50, "usual"],
    [90, "higher"],
    [1, "lower"],
  ])("%d is %s", (value, verdict) => {
    const one = of(value, before([40, 60, 55, 45]));
    expect(one.normal).toEqual({ verdict, low: 40, high: 60, periods: 4, unit: "days" });
  });
  test("a number whose error bar reaches earlier values is usual; few or empty periods decide nothing", () => {
    const intervals = { count: [[55, 125]] };
    expect(of(90, before([40, 60, 55]), { intervals }).normal?.verdict).toBe("usual");
    expect(of(90, before([40, 60])).normal).toBeNull();
    expect(of(90, before([40, 0, null, 60])).normal).toBeNull();
  });
  test("the verdict in words", () => {
    const normal = of(90, before([40, 60, 55], "w")).normal;
    expect(normal && normalText(normal, countMeasure)).toBe(
      "Higher than in the 3 weeks before, at this time: 40 – 60.",
    );
  });
  test("the course leaves out buckets that are not over; gaps break the line, a lone point is a dash", () => {
    const overTime = resultOf(
      ["time", "count"],
      [
        [0, 4],
        [60_000, 8],
        [180_000, 1],
      ],
      {
        incomplete: [180_000],
      },
    );
    const [one] = bigNumbers(inputOf(resultOf(["count"], [[13]])), { overTime });
    expect(one?.line).toEqual([4, 8, 0, null]);
    // Thinned rows stand for all: their buckets are whole.
    const thinned = { ...overTime, coverage: [[60_000, 0.1, "thinned"] as const] };
    const [whole] = bigNumbers(inputOf(resultOf(["count"], [[13]])), { overTime: thinned });
    expect(whole?.line).toEqual([4, 8, 0, null]);
  });
});
