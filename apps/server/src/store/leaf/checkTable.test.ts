import { copyFile, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLeafContext } from "../testing/leafContext.js";
import { batchOfRows } from "../testing/plainRows.js";
import { damagePart } from "../testing/segmentBytes.js";
import { checkTable } from "./checkTable.js";
import { HintFiles } from "./hintFiles.js";
import { LeafStore } from "./leafStore.js";

let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-check-"));
});
afterEach(() => rm(folder, { recursive: true }));

const openStore = () =>
  LeafStore.open(
    folder,
    createLeafContext(192 * 2 ** 20, () => undefined),
  );
const batch = batchOfRows(
  [1, 2, 3].map((time) => ({ time, values: new Map([["n", BigInt(time)]]) })),
);
const jobOf = (batchId: string) => ({ batch, batchId, contentHash: "hash" });

test("hinted batches are counted separately, and damaged ones are reported", async () => {
  const store = await openStore();
  const hints = new HintFiles(store);
  await (await store.findOrCreate("events")).append(jobOf("stored"));
  for (const batchId of ["a", "b"]) await hints.set("events", jobOf(batchId));
  await store.close();
  const table = store.find("events")!.folder;
  expect(await checkTable(table)).toEqual({
    ...{ problems: [], files: 4, rows: 3, rowsLost: 0, hintedRows: 6 },
  });
  const name = (await readdir(table)).find((one) => one.endsWith(".hda"))!;
  const bytes = await readFile(join(table, name));
  bytes[40]! ^= 1;
  await writeFile(join(table, name), bytes);
  const { problems, hintedRows } = await checkTable(table);
  expect(hintedRows).toBe(3);
  expect(problems).toEqual([
    {
      path: join(table, name),
      what: "the hinted batch is damaged",
      lost: "a batch that was kept for another leaf, unless that one has it",
    },
  ]);
});

test("rows of a damaged segment that a log has are not lost; a copy that cannot be opened is reported", async () => {
  const store = await openStore();
  const table = await store.findOrCreate("events");
  await table.append(jobOf("stored"));
  const log = join(table.folder, "log-1.hdl");
  await copyFile(log, join(folder, "log"));
  while (table.openGeneration !== null) {
    table.sealOpen();
    await new Promise(setImmediate);
  }
  await store.close();
  await copyFile(join(folder, "log"), log);
  await damagePart(join(table.folder, "segment-1.hds"), "n");
  expect(await checkTable(table.folder)).toMatchObject({ problems: [], rows: 3 });
  await rm(log);
  // A link to itself.
  await symlink("log-9.hdl.damaged", join(table.folder, "log-9.hdl.damaged"));
  const { problems } = await checkTable(table.folder);
  expect(problems.map(({ path, lost }) => [basename(path), lost])).toEqual([
    ["segment-1.hds", "3 rows, where queries read this column"],
    ["log-9.hdl.damaged", "an unknown number of rows"],
  ]);
});
