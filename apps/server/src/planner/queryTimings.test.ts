import { expect, test } from "vitest";
import { costOf } from "./costLine.js";
import type { QueryTiming } from "./costSamples.js";
import type { QueryShape } from "./queryShape.js";
import { QueryTimings, treeCosts } from "./queryTimings.js";
import { treeShape } from "./treeShape.js";

const scan: QueryShape = { kind: "scan", key: "scan of visits" };
const oneMachine = treeShape({ machines: 1, leaves: 2, fanOut: 5 });

const timing = (parts: Partial<QueryTiming> = {}): QueryTiming => ({
  ...{ rows: 1_000, groups: 1, waitMs: 12, wayMs: 2, mergeMs: 0.5, rootMs: 1 },
  ...parts,
});

test("nothing is predicted before anything was measured", () => {
  const timings = new QueryTimings();
  expect(timings.predictMs(scan, 1_000, oneMachine)).toBeNull();
  expect(timings.costsOfKind("scan")).toBeNull();
});

test("one machine: the leaf, its way, both merges and the root", () => {
  const timings = new QueryTimings();
  timings.note(scan, timing());
  expect(timings.predictMs(scan, 1_000, oneMachine)).toBeCloseTo(12 + 2 * 0.5 + 1, 9);
});

test("two levels: each adds its way and its merges", () => {
  const timings = new QueryTimings();
  timings.note(scan, timing());
  const tree = treeShape({ machines: 20, leaves: 8, fanOut: 5 });
  const expected = 12 + 2 * 2 + (5 + 4 + 8) * 0.5 + 1;
  expect(timings.predictMs(scan, 1_000, tree)).toBeCloseTo(expected, 9);
});

test("a shape that is new is predicted by others of its kind, and by itself from then on", () => {
  const timings = new QueryTimings();
  timings.note(scan, timing());
  const other: QueryShape = { kind: "scan", key: "another" };
  expect(timings.predictMs(other, 1_000, oneMachine)).toBeCloseTo(14, 9);
  timings.note(other, timing({ waitMs: 102 }));
  expect(timings.predictMs(other, 1_000, oneMachine)).toBeCloseTo(104, 9);
  expect(timings.predictMs({ kind: "groups", key: "third" }, 1_000, oneMachine)).toBeNull();
});

test("one disturbed query does not move the prediction, and old ones are forgotten", () => {
  const timings = new QueryTimings();
  for (let i = 0; i < 20; i++) timings.note(scan, timing());
  timings.note(scan, timing({ waitMs: 9_000, wayMs: 900, rootMs: 5_000 }));
  expect(timings.predictMs(scan, 1_000, oneMachine)).toBeCloseTo(14, 9);
  for (let i = 0; i < 40; i++) timings.note(scan, timing({ waitMs: 32 }));
  expect(timings.predictMs(scan, 1_000, oneMachine)).toBeCloseTo(34, 9);
});

test("the root's time of queries that waited is left out", () => {
  const timings = new QueryTimings();
  timings.note(scan, timing({ rootMs: Number.NaN }));
  expect(timings.costsOfKind("scan")?.root).toEqual({ fixedMs: 0, perUnitMs: 0 });
  timings.note(scan, timing({ rootMs: 3 }));
  timings.note(scan, timing({ rootMs: Number.NaN }));
  expect(timings.predictMs(scan, 1_000, oneMachine)).toBeCloseTo(12 + 1 + 3, 9);
});

test("more rows take longer, and more groups", () => {
  const timings = new QueryTimings();
  const series: QueryShape = { kind: "time-series", key: "series" };
  for (const rows of [1_000, 10_000, 100_000]) {
    const groups = rows / 100;
    timings.note(
      series,
      timing({ rows, groups, waitMs: 2 + rows / 1_000, mergeMs: groups / 50, rootMs: groups / 10 }),
    );
  }
  const costs = timings.costsOfKind("time-series")!;
  expect(costOf(costs.root, 500)).toBeCloseTo(50, 9);
  expect(costs).toMatchObject({ queries: 3, rowsMax: 100_000, groupsMax: 1_000 });
  const { ts, ta, td, tg } = treeCosts(costs, { rows: 50_000, groups: 500 });
  expect([ts, ta, td, tg].map((ms) => Math.round(ms * 1e6) / 1e6)).toEqual([52, 10, 1, 1]);
});

test("shapes are bounded: the one that was used longest ago is forgotten", () => {
  const timings = new QueryTimings();
  const shape = (i: number): QueryShape => ({ kind: "scan", key: `shape ${i}` });
  timings.note(shape(0), timing({ waitMs: 102 }));
  timings.note(shape(1), timing({ waitMs: 102 }));
  for (let i = 2; i < 256; i++) timings.note(shape(i), timing());
  timings.note(shape(0), timing({ waitMs: 102 }));
  timings.note(shape(256), timing());
  expect(timings.predictMs(shape(0), 1_000, oneMachine)).toBeCloseTo(104, 9);
  // Forgotten: predicted like others of its kind.
  expect(timings.predictMs(shape(1), 1_000, oneMachine)).toBeCloseTo(14, 9);
});
