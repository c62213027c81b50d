import { expect, test } from "vitest";
import type { BatchReceipt } from "../file/segmentHead.js";
import type { SealedSegment } from "../segment/sealedSegment.js";
import { StageWatch } from "./stageWatch.js";

const segment = (generation: number, rowCount: number, firstGeneration = generation) =>
  ({ generation, firstGeneration, rowCount }) as SealedSegment;

const table = (openRowCount: number, sealed: readonly SealedSegment[], openGeneration = 9) => ({
  ...{ sealed, undecided: [] as { receipt: BatchReceipt; rows: { sinceMs: number } }[] },
  rowCount: sealed.reduce((sum, { rowCount }) => sum + rowCount, openRowCount),
  openGeneration: openRowCount === 0 ? null : openGeneration,
});

test("rows are counted where they are: open, sealed and small, merged or full", () => {
  const one = table(5, [segment(1, 10), segment(2, 43_690), segment(3, 43_691), segment(5, 30, 4)]);
  expect(new StageWatch().look([one, table(2, [])], 100)).toEqual([
    { stage: "durable", rows: 0, lagMs: 0 },
    { stage: "open", rows: 7, lagMs: 0 },
    { stage: "sealed", rows: 43_700, lagMs: 0 },
    { stage: "merged", rows: 43_721, lagMs: 0 },
  ]);
});

const [durable, open, sealed] = [0, 1, 2];

test("open rows wait since the first look at their generation", () => {
  const watch = new StageWatch();
  const first = { ...table(5, []) };
  watch.look([first], 100);
  expect(watch.look([first], 350)[open]).toMatchObject({ rows: 5, lagMs: 250 });
  first.openGeneration = 10;
  expect(watch.look([first], 400)[open]?.lagMs).toBe(0);
  first.openGeneration = null;
  first.rowCount = 0;
  expect(watch.look([first], 900)[open]).toMatchObject({ rows: 0, lagMs: 0 });
});

test("the oldest of several small segments says how far merging is behind", () => {
  const watch = new StageWatch();
  const [a, b, c] = [segment(1, 10), segment(2, 10), segment(3, 10)];
  watch.look([table(0, [a])], 100);
  // One alone has no neighbour to be merged with.
  expect(watch.look([table(0, [a])], 200)[sealed]).toMatchObject({ rows: 10, lagMs: 0 });
  expect(watch.look([table(0, [a, b])], 300)[sealed]).toMatchObject({ rows: 20, lagMs: 200 });
  expect(watch.look([table(0, [b, c])], 350)[sealed]).toMatchObject({ rows: 20, lagMs: 50 });
});

test("rows of units that are not decided are on the disk, and not visible", () => {
  const waiting = table(3, []);
  waiting.undecided.push({ receipt: ["a", "hash", 20], rows: { sinceMs: 70 } });
  waiting.undecided.push({ receipt: ["b", "hash", 5], rows: { sinceMs: 90 } });
  const stages = new StageWatch().look([waiting], 100);
  expect(stages[durable]).toMatchObject({ rows: 25, lagMs: 30 });
  expect(stages[open]).toMatchObject({ rows: 3 });
});
