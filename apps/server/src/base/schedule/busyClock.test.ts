import { expect, test } from "vitest";
import { BusyClock } from "./busyClock.js";

test("works that overlap count once, and pauses between them not at all", async () => {
  let nowMs = 100;
  const clock = new BusyClock(() => nowMs);
  const ends: (() => void)[] = [];
  const begin = (): Promise<void> =>
    clock.time(() => new Promise<void>((resolve) => ends.push(resolve)));
  const first = begin();
  nowMs += 10;
  const second = begin();
  nowMs += 5;
  ends[0]!();
  await first;
  nowMs += 3;
  expect(clock.elapsedMs).toBe(18);
  ends[1]!();
  await second;
  nowMs += 1_000;
  expect(clock.elapsedMs).toBe(18);
  await expect(
    clock.time(async () => {
      nowMs += 2;
      throw new Error("failed");
    }),
  ).rejects.toThrow("failed");
  expect(clock.elapsedMs).toBe(20);
});
