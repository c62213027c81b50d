import { afterEach, expect, test, vi } from "vitest";
import StandstillReporter from "./lib/standstillReporter.mjs";

afterEach(() => vi.useRealTimers());

const module = (name) => ({ relativeModuleId: name });

test("a run in which nothing ends is ended, and what was running is named", () => {
  vi.useFakeTimers();
  const endRun = vi.fn();
  const reporter = new StandstillReporter({ endRun });
  reporter.onTestRunStart();
  reporter.onTestModuleQueued(module("fine.test.ts"));
  reporter.onTestModuleQueued(module("loop.test.ts"));
  reporter.onTestCaseReady({ module: module("loop.test.ts"), fullName: "never ends" });
  vi.advanceTimersByTime(9 * 60_000);
  reporter.onTestModuleEnd(module("fine.test.ts"));
  vi.advanceTimersByTime(9 * 60_000);
  expect(endRun).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2 * 60_000);
  expect(endRun.mock.calls).toEqual([
    ["Nothing has ended for ten minutes. Still running:\n  loop.test.ts > never ends"],
  ]);
});

test("a run that has ended is not ended again", () => {
  vi.useFakeTimers();
  const endRun = vi.fn();
  const reporter = new StandstillReporter({ endRun });
  reporter.onTestRunStart();
  reporter.onTestRunEnd();
  vi.advanceTimersByTime(60 * 60_000);
  expect(endRun).not.toHaveBeenCalled();
});
