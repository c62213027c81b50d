import { HadalError, type Result } from "@hadal/sdk";
import { expect, test } from "vitest";
import { ChartReports } from "./reports.js";

const result = (final: boolean): Result =>
  ({
    ...{ final, rows: [[1]], asOf: 7, stats: { elapsedMs: 3 } },
    completeness: { fraction: 0.5, leaves: { missing: ["leaf-1"] } },
  }) as unknown as Result;

function reports() {
  const events: (readonly [string, unknown])[] = [];
  const made = new ChartReports({ emit: (name, detail) => void events.push([name, detail]) });
  return { events, made };
}

test("ready comes once, complete with each final answer", () => {
  const { events, made } = reports();
  const whole = result(true);
  made.shown(result(false), "bar");
  made.shown(whole, "bar");
  made.shown(whole, "bar");
  made.shown(result(true), "bar");
  expect(events.map(([name]) => name)).toEqual(["ready", "complete", "complete"]);
  const detail = { fraction: 0.5, missingLeaves: ["leaf-1"], rows: 1, asOf: 7, elapsedMs: 3 };
  expect(events[1]).toEqual(["complete", detail]);
});

test("a problem is reported once, and is over with the next answer", () => {
  const { events, made } = reports();
  const problem = new HadalError("connection-lost");
  made.failed(problem);
  made.failed(problem);
  made.failed(new HadalError("connection-lost"));
  const { code, status, message } = problem;
  expect(events).toEqual([["error", { code, status, message }]]);
  expect(made.isFailed).toBe(true);
  made.shown(result(false), "bar");
  expect(made.isFailed).toBe(false);
  made.failed(problem);
  expect(events.map(([name]) => name)).toEqual(["error", "ready", "error"]);
});

test("a mark has the filters of its rows, or none where none would select them", () => {
  const { events, made } = reports();
  const service = { column: "service", op: "=", value: "web" } as const;
  const fast = { column: "latency_us", op: "<", value: 9 } as const;
  const mark = { group: [], label: "web", text: "web", x: 0, y: 0 };
  const range = { fromMs: 1, toMs: 2 };
  made.selected({ ...mark, filters: [service], also: [fast], range });
  made.selected({ ...mark, filters: [service], noFilter: "a list" });
  expect(events.map(([, detail]) => detail)).toEqual([
    { label: "web", text: "web", filters: [service, fast], range },
    { label: "web", text: "web", filters: null, range: null },
  ]);
});

test("whoever waits is woken where nothing will come, and the answer is not settled by it", async () => {
  const { made } = reports();
  const waited = made.whenSettled();
  made.wake();
  await waited;
  expect(made.isSettled).toBe(false);
});

test("whoever waits is woken when nothing more comes", async () => {
  const { made } = reports();
  let isWoken = false;
  const waited = made.whenSettled().then(() => {
    isWoken = true;
  });
  made.settled(false);
  await Promise.resolve();
  expect(isWoken).toBe(false);
  made.settled(true);
  await waited;
  expect(made.isSettled).toBe(true);
});
