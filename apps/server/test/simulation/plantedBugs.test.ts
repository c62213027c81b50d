import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runSimulation } from "./runSimulation.js";

interface PlantedBug {
  readonly name: string;
  /** The first seed that found it when it was planted. */
  readonly from: number;
  /** The invariants that may be the first to break. */
  readonly caughtBy: readonly string[];
}

const file = new URL("planted.json", import.meta.url);
const bugs = JSON.parse(readFileSync(file, "utf8")) as readonly PlantedBug[];
/** After other changes of the code another seed may be the first one. */
const seedsMax = 60;

describe("planted bugs are caught", () => {
  test.each(bugs)("$name", { timeout: 300_000 }, async ({ name, from, caughtBy }) => {
    const flags = ["--plant", name, "--from", String(from), "--seeds", String(seedsMax)];
    const { failed, broken } = await runSimulation([...flags, "--until-failure"]);
    expect(failed).toBe(1);
    expect(caughtBy).toContain(broken[0]);
  });
});
