import { expect, test } from "vitest";
import { CrashBackoff } from "./crashBackoff.js";

/** The waits of a process that runs for these times between its starts. */
function waitsOf(runsMs: readonly number[]): readonly number[] {
  const backoff = new CrashBackoff();
  let nowMs = 1_000;
  return runsMs.map((ranMs) => {
    nowMs += ranMs;
    const { waitMs } = backoff.next(nowMs);
    nowMs += waitMs;
    return waitMs;
  });
}

const times = (count: number, ranMs: number): number[] => Array(count).fill(ranMs);

test.each([
  ["four crashes are quick", times(4, 100), times(4, 50)],
  [
    "the fifth within a minute and those after it back off",
    times(12, 100),
    [...times(4, 50), 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000],
  ],
  ["a crash every 15 s stays quick", times(20, 15_100), times(20, 50)],
  [
    "after a minute without a crash it is quick again",
    [...times(6, 100), 60_000, 100],
    [...times(4, 50), 1_000, 2_000, 50, 50],
  ],
  [
    "less than a minute is not enough",
    [...times(6, 100), 59_000],
    [...times(4, 50), 1_000, 2_000, 4_000],
  ],
])("%s", (_, runsMs, waitsMs) => {
  expect(waitsOf(runsMs)).toEqual(waitsMs);
});
