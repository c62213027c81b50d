import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { oracleSeed, trials } from "../../../../test/oracle/seed/seed.js";
import type { Registry } from "../../../registry/registry.js";
import { type RegistryFolder, registryFolder } from "../../../registry/testing/registryFolder.js";
import { faultsOf } from "./checks.js";
import { type Plant, plants } from "./plants.js";
import { simulate } from "./simulate.js";

let folder: RegistryFolder;
let registry: Registry;
beforeAll(async () => {
  folder = await registryFolder();
  registry = await folder.open();
  // No power is lost here.
  await registry.read((database) => sql`pragma synchronous = off`.execute(database));
});
afterAll(() => folder.remove());

/** What a world with this seed has that must not be. */
async function faultsOfSeed(seed: number, plant: Plant | null = null): Promise<readonly string[]> {
  const history = await simulate(registry, seed, plant);
  expect(history.receivers.arrivals.length).toBeGreaterThan(20);
  return faultsOf(history);
}

test("scheduler and deliverer: under kills, pauses, jumping clocks, a registry and receivers that fail, each firing arrives once by its id", async () => {
  const first = oracleSeed();
  for (let seed = first; seed < first + trials(6, 1_000); seed++)
    expect({ seed, faults: await faultsOfSeed(seed) }).toEqual({ seed, faults: [] });
}, 3_600_000);

describe("a planted fault is found", () => {
  test.each(plants)(
    "%s",
    async (plant) => {
      const found = async (): Promise<boolean> => {
        for (let seed = 1; seed <= 20; seed++)
          if ((await faultsOfSeed(seed, plant)).length > 0) return true;
        return false;
      };
      expect(await found()).toBe(true);
    },
    600_000,
  );
});
