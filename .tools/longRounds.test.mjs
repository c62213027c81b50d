import { describe, expect, it } from "vitest";
import { trials } from "../apps/server/test/oracle/seed/seed.ts";
import { longRounds, longTrials, resumedRun } from "./lib/longRounds.mjs";

describe("a long run of random queries", () => {
  it("is asked in rounds, each with the next seed, that add up to all", () => {
    const rounds = longRounds(5_000, 7);
    expect(rounds.map(({ seed, queries }) => [seed, queries])).toEqual([
      [7, 2_200],
      [8, 2_200],
      [9, 600],
    ]);
  });

  it("gives unit tests their long rounds, which they do not have otherwise", () => {
    expect(trials(3, 9)).toBe(3);
    const { HADAL_TEST_TRIALS: before } = process.env;
    try {
      Object.assign(process.env, longTrials);
      expect(trials(3, 9)).toBe(9);
    } finally {
      if (before === undefined) delete process.env.HADAL_TEST_TRIALS;
      else process.env.HADAL_TEST_TRIALS = before;
    }
  });

  it("goes on with what has not passed", () => {
    const rounds = longRounds(6_000, 7, { 7: "passed", 8: "failed" });
    expect(rounds.map(({ hasPassed }) => hasPassed)).toEqual([true, false, false]);
  });

  it("starts again when it is asked for something else", () => {
    const kept = { queries: 2_000, firstSeed: 7, rounds: { 7: "passed" } };
    expect(resumedRun(kept, 2_000, undefined, 99)).toBe(kept);
    expect(resumedRun(kept, 2_000, 7, 99)).toBe(kept);
    expect(resumedRun(kept, 2_000, 8, 99)).toEqual({ queries: 2_000, firstSeed: 8, rounds: {} });
    expect(resumedRun(kept, 1_000, undefined, 99).firstSeed).toBe(99);
    expect(resumedRun(null, 1_000, undefined, 99).firstSeed).toBe(99);
  });
});
