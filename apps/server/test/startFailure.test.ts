import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { expect, test } from "vitest";
import { registryFile } from "../src/registry/openRegistry.js";
import { spawnHadal, startCluster } from "./support/startCluster.js";

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

test("a registry of a newer version ends the start: one line, no second try", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "hadal-test-"));
  try {
    const first = await startCluster({ leaves: 1, dataDir });
    await first.stop();
    const database = new Database(join(dataDir, registryFile));
    database.exec("insert into kysely_migration (name, timestamp) values ('999-later', 'x')");
    database.close();
    const running = spawnHadal([
      ...["serve", "--port", "0", "--data-dir", dataDir, "--no-demo", "--leaves", "1"],
    ]);
    expect(await running.exited).toBe(1);
    expect(running.output.err).toMatch(/^hadal: The registry was made by a newer Hadal.*\n$/);
    expect(running.output.out).toBe("");
  } finally {
    await rm(dataDir, { recursive: true });
  }
}, 40_000);
