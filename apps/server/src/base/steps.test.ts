import { expect, test } from "vitest";
import { inTurns, StepMeter, type Steps } from "./steps.js";
import { StopController } from "./stopController.js";

/** So many steps of about a millisecond each. */
function* slowSteps(count: number, taken: number[] = []): Steps<string> {
  for (let i = 0; i < count; i++) {
    const endMs = performance.now() + 1;
    while (performance.now() < endMs);
    taken.push(i);
    yield;
  }
  return "all";
}

function* quickSteps(): Steps<void> {
  for (let i = 0; i < 10; i++) yield;
}

test("long work lets timers ring, and gives what it came to", async () => {
  let rung = 0;
  const timer = setInterval(() => rung++, 1);
  const result = await inTurns(slowSteps(100), new StopController().signal);
  clearInterval(timer);
  expect(result).toBe("all");
  expect(rung).toBeGreaterThanOrEqual(5);
});

test("short work waits for nobody", async () => {
  let hasTurned = false;
  setImmediate(() => {
    hasTurned = true;
  });
  await inTurns(quickSteps(), new StopController().signal);
  expect(hasTurned).toBe(false);
});

test("an abort ends it at its next turn", async () => {
  const controller = new StopController();
  const taken: number[] = [];
  const work = inTurns(slowSteps(10_000, taken), controller.signal);
  setTimeout(() => controller.abort(), 5);
  await expect(work).rejects.toMatchObject({ code: "cancelled" });
  expect(taken.length).toBeLessThan(1_000);
});

test("long values make short steps", () => {
  const meter = new StepMeter();
  const stepsOf = (length: number): number =>
    Array.from({ length: 1_000 }, () => meter.isFull(length)).filter((isFull) => isFull).length;
  expect(stepsOf(0)).toBeLessThan(20);
  expect(stepsOf(100_000)).toBe(1_000);
});
