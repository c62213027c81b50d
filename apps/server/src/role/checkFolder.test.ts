import { mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RowCountLedger } from "../ingest/ledger/rowCountLedger.js";
import { HintFiles } from "../store/leaf/hintFiles.js";
import { LeafStore } from "../store/leaf/leafStore.js";
import { createLeafContext } from "../store/testing/leafContext.js";
import { batchOfRows } from "../store/testing/plainRows.js";
import { checkFolder } from "./checkFolder.js";

test("rows of hinted batches are expected of their leaf and not lost; without their file they are", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "hadal-check-"));
  const context = createLeafContext(192 * 2 ** 20, () => undefined);
  const store = await LeafStore.open(join(dataDir, "leaf-2", "tables"), context);
  const hints = new HintFiles(store);
  const batch = batchOfRows([1, 2, 3].map((time) => ({ time, values: new Map() })));
  await hints.set("events", { batch, batchId: "a", contentHash: "hash" });
  const ledger = await RowCountLedger.open(join(dataDir, "ledger"), () => undefined);
  await ledger.begin({
    ...{ table: "events", batchId: "a", contentHash: "hash", leaf: "leaf-1", atMs: 0 },
    ...{ rows: { minutes: [0], counts: [3] }, key: null, requestHash: "" },
  });
  await ledger.beginHint("events", "a", "leaf-2");
  ledger.noteHintHeld("events", "a", "leaf-2");
  await ledger.close();
  expect((await checkFolder(dataDir)).problems).toEqual([]);
  await hints.drop("events", "a");
  await store.close();
  expect((await checkFolder(dataDir)).problems.map(({ lost }) => lost)).toEqual(["3 rows"]);
  await rm(dataDir, { recursive: true });
});

test("a damaged list of decided units is named, with what is lost by it; what a start renamed, too", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "hadal-check-"));
  const folder = join(dataDir, "leaf-1", "tables");
  const context = createLeafContext(192 * 2 ** 20, () => undefined);
  const store = await LeafStore.open(folder, context);
  await store.units.settle("gateway", { upTo: 9, except: [7], aborted: [7] });
  await store.close();
  const path = join(folder, "units.json");
  const whole = await readFile(path);
  const check = async () => (await checkFolder(dataDir)).problems;
  expect(await check()).toEqual([]);
  expect((await checkFolder(dataDir)).files).toBe(2);
  for (let at = 0; at < whole.length; at += 5) {
    await writeFile(
      path,
      whole.map((byte, i) => (i === at ? byte ^ 1 : byte)),
    );
    const [problem, ...others] = await check();
    expect(problem, `byte ${at}`).toMatchObject({ path, lost: expect.stringMatching(/hidden/) });
    expect(others).toEqual([]);
  }
  await writeFile(path, '[["gateway",{"upTo":"9","except":[],"aborted":[]}]]');
  expect((await check()).map(({ what }) => what)).toEqual(["it names no units"]);
  await rename(path, `${path}.damaged-1`);
  expect((await check()).map(({ what }) => what)).toEqual([
    "an earlier start renamed it as damaged",
  ]);
  await rm(dataDir, { recursive: true });
});
