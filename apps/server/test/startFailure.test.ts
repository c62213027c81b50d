import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { spawnHadal } from "./support/startCluster.js";

const endMsMax = 20_000;

test("a leaf that cannot start ends, and the program with it: one line says why", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "hadal-test-"));
  await mkdir(join(dataDir, "leaf-1"));
  await writeFile(join(dataDir, "leaf-1", "tables"), "no folder");
  const running = spawnHadal(
    ["serve", "--port", "0", "--data-dir", dataDir, "--no-demo", "--leaves", "1"],
    {},
  );
  let overdue: NodeJS.Timeout | undefined;
  const late = new Promise<"still running">((resolve) => {
    overdue = setTimeout(() => resolve("still running"), endMsMax);
  });
  try {
    expect(await Promise.race([running.exited, late])).toBe(1);
    expect(running.output.err).toContain("leaf-1 ended with 1 before it was ready");
    expect(running.output.err).toContain("EEXIST");
  } finally {
    clearTimeout(overdue);
    running.child.kill("SIGTERM");
    await running.exited;
    await rm(dataDir, { recursive: true });
  }
}, 40_000);
