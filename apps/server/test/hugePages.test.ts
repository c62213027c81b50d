import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { leafMemoryMin } from "../src/base/limit/settings.js";
import { type Cluster, startCluster } from "./support/startCluster.js";

let cluster: Cluster;
beforeAll(async () => {
  const environment = { HADAL_LEAF_MEMORY: String(leafMemoryMin) };
  cluster = await startCluster({ leaves: 1, environment });
}, 60_000);
afterAll(() => cluster?.stop());

/** KiB of a process's memory for which huge pages are asked (`hg` in VmFlags). */
function advisedKib(pid: number): number {
  const mappings = readFileSync(`/proc/${pid}/smaps`, "utf8").split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  return mappings
    .filter((mapping) => /^VmFlags:.* hg\b/m.test(mapping))
    .reduce((sum, mapping) => sum + Number(/^Size: +(\d+) kB/m.exec(mapping)![1]), 0);
}

/** Of a Linux that has none there is nothing to ask. */
const hasHugePages = existsSync("/sys/kernel/mm/transparent_hugepage");

test.runIf(hasHugePages)("a leaf asks for huge pages, for all of its memory", async () => {
  const [pid] = (await cluster.leafPids()).values();
  expect(advisedKib(pid!)).toBeGreaterThanOrEqual(leafMemoryMin * 1024);
});
