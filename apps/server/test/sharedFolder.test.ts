import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { spawnHadal, startCluster } from "./support/startCluster.js";
import { waitUntil } from "./support/waitUntil.js";

/** Every file of a folder with its size and the time of its last change. */
async function filesOf(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true });
  const files = await Promise.all(
    names.map(async (name) => {
      const { size, mtimeMs } = await stat(join(folder, name));
      return `${name} ${size} ${mtimeMs}`;
    }),
  );
  return files.sort();
}

test("a second server on a data folder ends with one line and touches nothing, whatever the lock file says", async () => {
  const first = await startCluster({ leaves: 1 });
  try {
    const rows = first.client.ingest("t");
    await rows.push({ time: Date.now(), n: 1 });
    await rows.close();
    // The order of columns is written after the rows are acknowledged, in two steps, either of which may be first.
    await waitUntil("the order of all columns to be on disk", async () => {
      const names = await readdir(first.dataDir);
      if (!names.includes("columns.json") || names.includes("columns.json.tmp")) return null;
      const order = await readFile(join(first.dataDir, "columns.json"), "utf8");
      return order.includes('"n"') && order.includes('"time"') ? true : null;
    });
    const before = await filesOf(first.dataDir);
    const lock = await readFile(join(first.dataDir, "lock"), "utf8");
    const second = spawnHadal([
      ...["serve", "--port", "0", "--data-dir", first.dataDir],
      ...["--no-demo", "--leaves", "1"],
    ]);
    expect(await second.exited).not.toBe(0);
    expect(second.output.err.trim().split("\n")).toHaveLength(1);
    expect(second.output.err).toContain("the data folder is in use by another server");
    expect(await filesOf(first.dataDir)).toEqual(before);
    expect(await readFile(join(first.dataDir, "lock"), "utf8")).toBe(lock);
    const answer = await first.client.query({
      table: "t",
      from: "-1h",
      to: "now",
      aggregates: [{ fn: "count" }],
    });
    expect(answer.rows).toEqual([[1, 1]]);
  } finally {
    await first.stop();
  }
});
