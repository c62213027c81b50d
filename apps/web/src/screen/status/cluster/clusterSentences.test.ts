import type { LeafCopyState, MachineInfo } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { clusterSentences } from "./clusterSentences.js";

const machine = (name: string, parts: Partial<MachineInfo> = {}): MachineInfo => ({
  ...{ name, state: "alive", address: "", version: "", protocol: 2, rows: 1_200, copies: [] },
  leaves: [`${name}-leaf-1`, `${name}-leaf-2`],
  ...parts,
});
const copyOf = (leaf: string, state: LeafCopyState) => ({
  ...{ leaf, machine: "m1", state, lagMs: null },
});
const textsOf = (machines: readonly MachineInfo[], registryProblem: string | null = null) =>
  clusterSentences({ machines, registryProblem }).map(({ tone, text }) => `${tone}: ${text}`);

describe("what is not whole", () => {
  test("is nothing while all machines are alive", () => {
    expect(textsOf([machine("m1"), machine("m2")])).toEqual([]);
  });

  test("names the leaves of a dead machine, and what to do", () => {
    const [text] = textsOf([machine("m1"), machine("m2", { state: "dead" })]);
    expect(text).toMatch(
      /^bad: m2 is dead: answers lack the rows of m2-leaf-1, m2-leaf-2, and say so/,
    );
    expect(text).toContain("Start it again");
  });

  test("does not say that rows are missing where copies answer; some leaves without one are named", () => {
    const whole = ["m2-leaf-1", "m2-leaf-2"].map((leaf) => copyOf(leaf, "whole"));
    const dead = machine("m2", { state: "dead" });
    expect(textsOf([machine("m1", { copies: whole }), dead])).toEqual([
      "warn: m2 is dead: copies answer for its leaves.",
    ]);
    const half = [copyOf("m2-leaf-1", "whole"), copyOf("m2-leaf-2", "building")];
    const [text, building] = textsOf([machine("m1", { copies: half }), dead]);
    expect(text).toContain("answers lack the rows of m2-leaf-2, and say so");
    expect(building).toBe("warn: A copy of m2-leaf-2 is being built on m1.");
    const others = [copyOf("m2-leaf-1", "away"), copyOf("m2-leaf-2", "old")];
    expect(textsOf([machine("m1", { copies: others }), machine("m2")])).toEqual([
      "warn: The copy of m2-leaf-1 on m1 cannot be reached.",
      "bad: m2-leaf-2 has lost its data folder; m1 keeps a copy of what was in it.",
    ]);
  });

  test("says that a machine is not reached that is alive", () => {
    const problem = "nothing answers at 10.0.0.9:7401; is that where it is?";
    expect(
      textsOf([machine("m1", { problem }), machine("m2", { state: "suspect", problem })]),
    ).toEqual([
      `bad: m1 says that it is alive, but ${problem}`,
      expect.stringMatching(/^warn: m2 has not been heard from/),
    ]);
  });

  test("says why a copy does not go on, unless its machine is away", () => {
    const problem = "no space left on device";
    const building = { ...copyOf("m2-leaf-1", "building"), problem };
    const away = { ...copyOf("m2-leaf-2", "away"), problem };
    expect(textsOf([machine("m1", { copies: [building, away] }), machine("m2")])).toEqual([
      "bad: The copy of m2-leaf-1 on m1 does not go on: no space left on device.",
      "warn: The copy of m2-leaf-2 on m1 cannot be reached.",
    ]);
  });

  test("says what a machine waits for that is emptied, and when it may be stopped", () => {
    expect(textsOf([machine("m1", { state: "draining" })])[0]).toMatch(
      /^warn: m1 is draining: new rows go to other machines, and it answers for its 1.2 k rows until/,
    );
    expect(textsOf([machine("m1", { state: "drained" })])[0]).toMatch(/^good: .* may be stopped/);
  });

  test("names leaves with fewer copies than wanted, and counts many", () => {
    const textOf = (notWhole: readonly string[]) =>
      clusterSentences({ machines: [machine("m1")], registryProblem: null, notWhole })[0]?.text;
    expect(textOf([])).toBe(undefined);
    expect(textOf(["a", "b"])).toMatch(/^The rows of a, b are on fewer machines than wanted/);
    expect(textOf(["a", "b", "c", "d", "e"])).toMatch(/^The rows of 5 leaves are on fewer/);
  });

  test("begins with the registry that is away", () => {
    const texts = textsOf([machine("m1", { state: "suspect" })], "ECONNREFUSED");
    expect(texts).toHaveLength(2);
    expect(texts[0]).toMatch(/^warn: The registry cannot be reached \(ECONNREFUSED\)/);
  });
});
