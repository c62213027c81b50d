import { mkdtemp, rm } from "node:fs/promises";
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
