import type { Annotation } from "@hadal/sdk";
import { expect, test } from "vitest";
import { flagsOf } from "./flags.js";
import type { TimePlot } from "./plot.js";

/** 1 px for each millisecond between the margins. */
const plot = {
  ...{ fromMs: 1_000, toMs: 2_000 },
  drawing: { width: 1_080, input: { fromMs: 1_000, toMs: 2_000 } },
} as unknown as TimePlot;

const annotation = (timeMs: number, untilMs: number | null = null): Annotation => ({
  ...{ id: `${timeMs}`, version: 1, title: `at ${timeMs}`, timeMs, untilMs },
  ...{ text: "", tags: [], tables: null, createdBy: null },
});

const shown = (annotations: readonly Annotation[]) =>
  flagsOf(plot, annotations).map(({ leftPx, rightPx, annotations: those }) => [
    ...[leftPx - 64, rightPx - 64],
    ...those.map(({ id }) => id),
  ]);

test("annotations at one place share a flag, the others have their own", () => {
  expect(shown([annotation(1_500), annotation(1_100), annotation(1_510)])).toEqual([
    [100, 100, "1100"],
    [500, 500, "1500", "1510"],
  ]);
});

test("what lasts is drawn to its end, within the range; what is outside is not", () => {
  expect(shown([annotation(500, 1_200), annotation(1_900, 9_000), annotation(2_000)])).toEqual([
    [0, 200, "500"],
    [900, 1_000, "1900"],
  ]);
  expect(shown([annotation(500), annotation(500, 900)])).toEqual([]);
});
