import { HadalError, type Result } from "@hadal/sdk";
import { expect, test } from "vitest";
import { StopController } from "../../base/schedule/stopController.js";
import type { RunOptions } from "../run/queryDeps.js";
import { SharedAnswers } from "./sharedAnswers.js";

/** Results differ only in their `asOf`. */
const result = (asOf: number) => ({ asOf }) as Result;

interface Run {
  readonly options: RunOptions;
  finish(result: Result): void;
  fail(error: unknown): void;
}

function create() {
  const shared = new SharedAnswers();
  const runs: Run[] = [];
  const table = { changes: 0 };
  const run = (options: RunOptions): Promise<Result> =>
    new Promise((resolve, reject) => {
      options.onBegin?.();
      // What is asked from now on may not be joined for its rows alone.
      table.changes++;
      runs.push({ options, finish: resolve, fail: reject });
      options.signal.addEventListener("abort", () => reject(new HadalError("cancelled")));
    });
  const ask = (
    { key = "q", since = 0, askedAt = 0 } = {},
    options: RunOptions = { signal: new StopController().signal },
  ) => shared.ask({ key, table: "t", since, askedAt, changes: () => table.changes }, run, options);
  return { shared, runs, ask, table };
}

test("who asks the same meanwhile shares one run; later ones start again", async () => {
  const { runs, ask } = create();
  const all = [ask({ askedAt: 10 }), ask({ since: 5, askedAt: 12 }), ask({ since: 10 })];
  expect(runs).toHaveLength(1);
  runs[0]!.finish(result(1));
  expect(await Promise.all(all)).toEqual([
    { result: result(1), joined: false },
    { result: result(1), joined: true },
    { result: result(1), joined: true },
  ]);
  const next = ask();
  expect(runs).toHaveLength(2);
  runs[1]!.finish(result(2));
  expect(await next).toEqual({ result: result(2), joined: false });
});

test("other questions, and fresher ones, run by themselves", async () => {
  const { shared, runs, ask } = create();
  void ask({ askedAt: 10 });
  void ask({ key: "other", askedAt: 11 });
  void ask({ since: 11, askedAt: 12 });
  expect(runs).toHaveLength(3);
  // The newest is the one that is joined.
  void ask({ since: 12, askedAt: 13 });
  expect(runs).toHaveLength(3);
  shared.forget("t");
  void ask({ askedAt: 14 });
  expect(runs).toHaveLength(4);
  for (const { finish } of runs) finish(result(0));
});

test("a run is joined by whoever asks while it waits, and while no row has come since it began", async () => {
  const { runs, ask, table } = create();
  const never = { since: Number.POSITIVE_INFINITY };
  const first = ask(never);
  const [run] = runs;
  run!.options.onWait?.();
  table.changes++;
  const whileItWaits = ask(never);
  run!.options.onBegin?.();
  const sameRows = ask(never);
  expect(runs).toHaveLength(1);
  table.changes++;
  const moreRows = ask(never);
  expect(runs).toHaveLength(2);
  run!.finish(result(1));
  runs[1]!.finish(result(2));
  const answers = await Promise.all([first, whileItWaits, sameRows, moreRows]);
  expect(answers.map((one) => one.result.asOf)).toEqual([1, 1, 1, 2]);
});

test("who leaves is refused at once and stops no other; the last one who leaves stops the run", async () => {
  const { runs, ask } = create();
  const stops = [new StopController(), new StopController(), new StopController()];
  const asked = stops.map(({ signal }) => ask({}, { signal }));
  const outcomes = asked.map((one) => one.then(({ result: { asOf } }) => asOf, String));
  stops[0]!.abort();
  expect(await outcomes[0]).toContain("cancelled");
  expect(runs[0]!.options.signal.aborted).toBe(false);
  stops[2]!.abort();
  expect(runs[0]!.options.signal.aborted).toBe(false);
  expect(await outcomes[2]).toContain("cancelled");
  stops[1]!.abort();
  expect(await outcomes[1]).toContain("cancelled");
  expect(runs[0]!.options.signal.aborted).toBe(true);
  // No one joins a run that was stopped.
  const next = ask();
  expect(runs).toHaveLength(2);
  runs[1]!.finish(result(7));
  expect((await next).result).toEqual(result(7));
  await expect(ask({}, { signal: stops[0]!.signal })).rejects.toMatchObject({ code: "cancelled" });
});

test("a fault is everybody's, and is not kept", async () => {
  const { runs, ask } = create();
  const both = [ask(), ask()].map((one) => one.catch(({ code }) => code));
  runs[0]!.fail(new HadalError("no-leaves"));
  expect(await Promise.all(both)).toEqual(["no-leaves", "no-leaves"]);
  void ask();
  expect(runs).toHaveLength(2);
  runs[1]!.finish(result(0));
});

test("partial answers go to all who watch; who comes later sees the last one at once; who wants none waits with them", async () => {
  const { runs, ask } = create();
  const seen: number[][] = [[], []];
  const watch = (at: number): RunOptions => ({
    signal: new StopController().signal,
    onPartial: ({ asOf }) => seen[at]!.push(asOf),
  });
  const alone = ask();
  const first = ask({}, watch(0));
  expect(runs).toHaveLength(2);
  expect(runs[0]!.options.onPartial).toBeUndefined();
  runs[0]!.finish(result(4));
  expect(await alone).toEqual({ result: result(4), joined: false });
  const run = runs[1]!;
  const silent = ask();
  run.options.onPartial?.(result(1));
  const second = ask({}, watch(1));
  run.options.onPartial?.(result(2));
  run.finish(result(3));
  expect((await Promise.all([first, second, silent])).map((one) => one.result.asOf)).toEqual([
    3, 3, 3,
  ]);
  expect(runs).toHaveLength(2);
  expect(seen).toEqual([
    [1, 2],
    [1, 2],
  ]);
});

test("a run is joined while the rows of its question are the same, whatever else comes into the table", async () => {
  const { runs, ask } = create();
  const never = { since: Number.POSITIVE_INFINITY };
  const rows = { version: "a" as string | null };
  const all = [ask(never)];
  runs[0]!.options.onBound?.(() => rows.version);
  all.push(ask(never));
  expect(runs).toHaveLength(1);
  rows.version = null;
  all.push(ask(never));
  expect(runs).toHaveLength(2);
  for (const { finish } of runs) finish(result(1));
  await Promise.all(all);
});

test("M4: after ten seconds a run is joined by no one any more", async () => {
  const { runs, ask } = create();
  const all = [ask({ askedAt: 0 }), ask({ askedAt: 10_000 })];
  expect(runs).toHaveLength(1);
  all.push(ask({ askedAt: 10_001 }));
  expect(runs).toHaveLength(2);
  for (const { finish } of runs) finish(result(1));
  await Promise.all(all);
});
