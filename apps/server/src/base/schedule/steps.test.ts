import { expect, test } from "vitest";
import { inTurns, neverStops, StepMeter, type Steps } from "./steps.js";
import { StopController } from "./stopController.js";

/** This many steps of about a millisecond each. */
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

test("short work waits for no one", async () => {
  let hasTurned = false;
  setImmediate(() => {
    hasTurned = true;
  });
  await inTurns(quickSteps(), new StopController().signal);
  expect(hasTurned).toBe(false);
});

test("however many have long work, others wait for one turn of it", async () => {
  let longestMs = 0;
  let lastMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    lastMs = nowMs;
  }, 1);
  const many = Array.from({ length: 40 }, () => inTurns(slowSteps(20), neverStops));
  await new Promise((resolve) => setImmediate(resolve));
  longestMs = 0;
  lastMs = performance.now();
  await Promise.all(many);
  clearInterval(timer);
  expect(longestMs).toBeLessThan(100);
});

test("short work is done before long work that came first", async () => {
  const ended: string[] = [];
  const long = Array.from({ length: 10 }, async () => {
    await inTurns(slowSteps(50), neverStops);
    ended.push("long");
  });
  await inTurns(slowSteps(12), neverStops);
  ended.push("short");
  await Promise.all(long);
  expect(ended.indexOf("short")).toBe(0);
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
