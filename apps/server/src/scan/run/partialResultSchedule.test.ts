import { describe, expect, test } from "vitest";
import { PartialResultSchedule } from "./partialResultSchedule.js";

/** The instants at which a scan of this length sends, when sending takes `costMs`. */
function sentAt(scanMs: number, groupsMax: number, costMs = 0, countersMax = 0): number[] {
  const startMs = 1_000;
  const pace = new PartialResultSchedule(startMs);
  const instants: number[] = [];
  for (let ms = 0; ms < scanMs; ms++) {
    if (!pace.isDue(startMs + ms, { share: ms / scanMs, groupsMax, countersMax })) continue;
    pace.reported(startMs + ms, startMs + ms + costMs);
    instants.push(ms);
  }
  return instants;
}

describe("a scan reports its partial result", () => {
  test("for the first time soon, then now and then, and not near its end", () =>
    expect(sentAt(300, 100)).toEqual([15, 75, 135, 195]));

  test("not when it is over soon", () => expect(sentAt(74, 100)).toEqual([]));

  test("not before its time when there are many groups to read", () =>
    expect(sentAt(300, 10_001)).toEqual([60, 120, 180, 240]));

  test("not at all when reading its histograms takes more than a ninth of its time", () => {
    expect(sentAt(139, 5_000, 16, 2_000_000)).toEqual([]);
    expect(sentAt(150, 5_000, 16, 2_000_000)).toEqual([15]);
    // Most of them may be counters of groups that no row has.
    expect(sentAt(400, 5_000, 1, 40_000_000)).toEqual([80, 141, 202, 263, 324]);
    expect(sentAt(400, 5_000, 480, 60_000_000)).toEqual([]);
  });

  test("less often the longer a report takes", () =>
    expect(sentAt(1_000, 100, 40)).toEqual([15, 375, 735]));
});
