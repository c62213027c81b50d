import { expect, test } from "vitest";
import { Lateness } from "./lateness.js";

const minuteMs = 60_000;
const at = (...minutes: number[]) => ({ minutes, counts: minutes.map(() => 1) });

test("the latest row of the last minute or two counts, a backfill does not", () => {
  const lateness = new Lateness();
  const nowMs = 1_000 * minuteMs;
  expect(lateness.of("t", nowMs)).toBe(0);
  lateness.note("t", nowMs + 30_000, at(1_000));
  expect(lateness.of("t", nowMs + 30_000)).toBe(30_000);
  lateness.note("t", nowMs + 30_000, at(998, 1_000));
  lateness.note("t", nowMs + 30_000, at(500));
  lateness.note("t", nowMs + 30_000, at(1_005));
  expect(lateness.of("t", nowMs + 30_000)).toBe(2.5 * minuteMs);
  expect(lateness.of("t", nowMs + 119_000)).toBe(2.5 * minuteMs);
  expect(lateness.of("t", nowMs + 120_000)).toBe(0);
  expect(lateness.of("other", nowMs)).toBe(0);
});
