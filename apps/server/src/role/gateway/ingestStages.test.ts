import { expect, test } from "vitest";
import type { LeafConnection } from "../../cluster/leafConnection.js";
import { ingestStages } from "./ingestStages.js";

const leaf = (stages: NonNullable<LeafConnection["status"]>["stages"] | null) =>
  ({ status: stages === null ? null : { stages } }) as Pick<LeafConnection, "status">;

test("rows add up over leaves, and the oldest of all decides the lag", () => {
  const pending = [
    { rows: { minutes: [1, 2], counts: [3, 4] }, atMs: 900 },
    { rows: { minutes: [1], counts: [10] }, atMs: 400 },
  ];
  const leaves = [
    leaf([
      { stage: "open", rows: 5, lagMs: 30 },
      { stage: "merged", rows: 100, lagMs: 0 },
    ]),
    leaf([{ stage: "open", rows: 6, lagMs: 20 }]),
    leaf(undefined),
    leaf(null),
  ];
  expect(ingestStages(pending, leaves, 1_000)).toEqual([
    { stage: "accepted", rows: 17, lagMs: 600 },
    { stage: "durable", rows: 0, lagMs: 0 },
    { stage: "open", rows: 11, lagMs: 30 },
    { stage: "sealed", rows: 0, lagMs: 0 },
    { stage: "merged", rows: 100, lagMs: 0 },
  ]);
});

test("an intent of a clock that was ahead has no negative lag", () => {
  const pending = [{ rows: { minutes: [1], counts: [1] }, atMs: 2_000 }];
  expect(ingestStages(pending, [], 1_000)[0]).toMatchObject({ rows: 1, lagMs: 0 });
});
