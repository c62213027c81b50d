import { expect, test } from "vitest";
import { type LeafQueryStats, printStats, readStats } from "./leafReply.js";

const stats: LeafQueryStats = {
  ...{ rowsHeld: 9, share: 1, rowsScanned: 8, rowsMatched: 7, bytesScanned: 64 },
  ...{ segments: 2, segmentsSkipped: 1, scanMs: 3 },
};
const unreadable = { rows: 5, columns: ["url"] };
const snapshot: NonNullable<LeafQueryStats["snapshot"]> = { gateway: { upTo: 7, except: [3] } };
const thinnedByKey = [60_000, 119_999] as const;

test.each<Partial<LeafQueryStats>>([
  {},
  { unreadable },
  { snapshot },
  { thinnedByKey },
  { unreadable, thinnedByKey },
  { unreadable, snapshot, thinnedByKey },
])("what a leaf says of its rows arrives: %j", (more) => {
  const travelled = JSON.parse(JSON.stringify(printStats({ ...stats, ...more })));
  expect(readStats(travelled)).toEqual({ ...stats, ...more });
});
