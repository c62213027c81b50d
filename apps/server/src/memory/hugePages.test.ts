import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { adviseHugePages } from "./hugePages.js";

const pages = 1536;
const pageKib = 64;

/** KiB of this process's memory for which huge pages are asked (`hg` in VmFlags). */
function advisedKib(): number {
  const mappings = readFileSync("/proc/self/smaps", "utf8").split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  return mappings
    .filter((mapping) => /^VmFlags:.* hg\b/m.test(mapping))
    .reduce((sum, mapping) => sum + Number(/^Size: +(\d+) kB/m.exec(mapping)![1]), 0);
}

/** Of a Linux that has none there is nothing to ask. */
const hasHugePages = existsSync("/sys/kernel/mm/transparent_hugepage");

test.runIf(hasHugePages)("a leaf's memory asks for huge pages", async () => {
  const before = advisedKib();
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  expect(await adviseHugePages(memory)).toBeNull();
  expect(advisedKib() - before).toBeGreaterThanOrEqual(pages * pageKib);
  const view = new Uint8Array(memory.buffer);
  expect([view[0], view.at(-1)]).toEqual([0, 0]);
});
