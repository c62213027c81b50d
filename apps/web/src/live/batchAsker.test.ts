import { type BatchOptions, HadalError, type Query, type Result, type TileQuery } from "@hadal/sdk";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createBatchAsker } from "./batchAsker.js";

const query = (table: string): Query => ({ table, from: "-1h", to: "now" });
const resultOf = (final: boolean) => ({ final }) as unknown as Result;

/** Batches as a client was asked for them. */
function recorder() {
  const batches: {
    names: string[];
    tables: string[];
    freshness: unknown[];
    options: BatchOptions;
    first: readonly string[];
    stopped: boolean;
  }[] = [];
  const batch = (queries: readonly TileQuery[], options: BatchOptions) => {
    const tables = queries.map((one) => (one.query as Query).table);
    const names = queries.map(({ tile }) => tile);
    const first: readonly string[] = [];
    const freshness = queries.map((one) => (one.query as Query).freshnessMs);
    const entry = { names, tables, freshness, options, first, stopped: false };
    batches.push(entry);
    return {
      prioritize(tiles: readonly string[]) {
        entry.first = tiles;
      },
      stop() {
        entry.stopped = true;
      },
    };
  };
  return { batches, batch };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("queries of one turn are one request, and each hears its own answers", () => {
  const { batches, batch } = recorder();
  const asker = createBatchAsker({ batch });
  const heard: unknown[] = [];
  for (const table of ["a", "b"]) {
    asker.live(query(table), {
      onResult: ({ final }) => heard.push([table, final]),
      onProblem: ({ code }) => heard.push([table, code]),
    });
  }
  vi.runAllTimers();
  expect(batches.map(({ tables }) => tables)).toEqual([["a", "b"]]);
  const [{ names = [], options } = {}] = batches;
  options?.onResult(names[1] ?? "", resultOf(false));
  options?.onProblem(names[0] ?? "", new HadalError("unknown-table", { table: "a", nearest: "" }));
  options?.onResult(names[1] ?? "", resultOf(true));
  expect(heard).toEqual([
    ["b", false],
    ["a", "unknown-table"],
    ["b", true],
  ]);
});

test("a batch that no one wants is cancelled; one that someone wants is not", () => {
  const { batches, batch } = recorder();
  const asker = createBatchAsker({ batch });
  const [one, other, never] = ["a", "b", "c"].map((table) => asker.live(query(table), {}));
  never?.stop();
  vi.runAllTimers();
  expect(batches[0]?.tables).toEqual(["a", "b"]);
  one?.stop();
  expect(batches[0]?.stopped).toBe(false);
  other?.stop();
  expect(batches[0]?.stopped).toBe(true);
});

test("what is not wanted any more goes last, and does not outlast the others", () => {
  const { batches, batch } = recorder();
  const asker = createBatchAsker({ batch });
  const [one] = ["a", "b", "c"].map((table) => asker.live(query(table), {}));
  vi.runAllTimers();
  const [asked] = batches;
  const [, b = "", c = ""] = asked?.names ?? [];
  one?.stop();
  expect(asked?.first).toEqual([b, c]);
  asked?.options.onResult(b, resultOf(true));
  expect(asked?.first).toEqual([c]);
  expect(asked?.stopped).toBe(false);
  asked?.options.onResult(c, resultOf(true));
  expect(asked?.stopped).toBe(true);
});

test("live queries are asked again together, without those that were stopped", () => {
  const { batches, batch } = recorder();
  const asker = createBatchAsker({ batch });
  const live = ["a", "b", "c"].map((table) => asker.live(query(table), { everyMs: 5_000 }));
  asker.live(query("once"), {});
  vi.advanceTimersByTime(0);
  const [{ names = [], options } = {}] = batches;
  names.forEach((name, i) => {
    vi.advanceTimersByTime(i);
    options?.onResult(name, resultOf(true));
  });
  live[1]?.stop();
  vi.advanceTimersByTime(6_000);
  expect(batches.map(({ tables }) => tables)).toEqual([
    ["a", "b", "c", "once"],
    ["a", "c"],
  ]);
});

test("live queries take answers that others were given since the last round; others do not", () => {
  const { batches, batch } = recorder();
  const asker = createBatchAsker({ batch });
  asker.live(query("a"), { everyMs: 5_000 });
  asker.live({ ...query("b"), freshnessMs: 100 }, { everyMs: 5_000 });
  asker.live(query("c"), {});
  vi.advanceTimersByTime(0);
  expect(batches[0]?.freshness).toEqual([5_000, 100, undefined]);
});
