import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Deadlines } from "./deadlines.js";

/** Of these tests alone: the clock that others share would keep timers that never fire. */
let deadlines: Deadlines;
beforeEach(() => {
  vi.useFakeTimers();
  deadlines = new Deadlines();
});
afterEach(() => void vi.useRealTimers());

const afterMs: Deadlines["after"] = (ms, onDue) => deadlines.after(ms, onDue);
const pass = (ms: number) => vi.advanceTimersByTime(ms);

test("each comes in its time, also the early one that was asked for late", () => {
  const startedMs = performance.now();
  const came: [string, number][] = [];
  const note = (name: string) => () => void came.push([name, performance.now() - startedMs]);
  afterMs(60, note("late"));
  afterMs(20, note("early"));
  afterMs(60, note("late too"));
  pass(30);
  afterMs(10, note("between"));
  pass(60);
  expect(came.map(([name]) => name)).toEqual(["early", "between", "late", "late too"]);
  expect(came[0]?.[1]).toBeGreaterThanOrEqual(20);
  expect(came[2]?.[1]).toBeGreaterThanOrEqual(60);
});

test("what was called off never comes, and holds up nothing", () => {
  const came: string[] = [];
  const callOff = afterMs(10, () => void came.push("called off"));
  afterMs(30, () => void came.push("kept"));
  callOff();
  pass(60);
  callOff();
  expect(came).toEqual(["kept"]);
});

test("one may set the next, and call off another that is due with it", () => {
  const came: string[] = [];
  let callOff: () => void = () => {};
  afterMs(10, () => {
    came.push("first");
    callOff();
    afterMs(10, () => void came.push("next"));
  });
  callOff = afterMs(10, () => void came.push("called off"));
  pass(80);
  expect(came).toEqual(["first", "next"]);
});

test("deadlines from before the clock was replaced keep to their own", async () => {
  vi.useRealTimers();
  const real = new Deadlines();
  vi.useFakeTimers();
  const rung = new Promise<void>((resolve) => void real.after(1, resolve));
  vi.useRealTimers();
  // The timer keeps no process running.
  const running = setInterval(() => undefined, 1_000);
  await rung;
  clearInterval(running);
});
