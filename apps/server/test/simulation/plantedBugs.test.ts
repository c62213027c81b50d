import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runSimulation, type SimulationReport } from "./runSimulation.js";

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
const lanes = 2;

/** Several run at a time: each waits for the one that is `lanes` before it. */
function runAll(): ReadonlyMap<string, Promise<SimulationReport>> {
  const runs: Promise<SimulationReport>[] = [];
  for (const { name, from } of bugs) {
    const flags = ["--plant", name, "--from", String(from), "--seeds", String(seedsMax)];
    const before = runs[runs.length - lanes]?.catch(() => undefined) ?? Promise.resolve();
    runs.push(before.then(() => runSimulation([...flags, "--until-failure"])));
  }
  return new Map(runs.map((run, i) => [bugs[i]!.name, run]));
}

describe("planted bugs are caught", () => {
  const runs = runAll();
  for (const run of runs.values()) run.catch(() => undefined);

  test.each(bugs)("$name", { timeout: 600_000 }, async ({ name, caughtBy }) => {
    const { failed, broken } = await runs.get(name)!;
    expect(failed).toBe(1);
    expect(caughtBy).toContain(broken[0]);
  });
});
