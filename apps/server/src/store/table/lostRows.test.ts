import {
  type FileHandle,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { LeafStore } from "../leaf/leafStore.js";
import { createLeafContext } from "../testing/leafContext.js";
import { batchOfRows } from "../testing/plainRows.js";
import { damageHead } from "../testing/segmentBytes.js";
import type { Table } from "./table.js";

const minuteMs = 60_000;
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-lost-"));
});
afterEach(() => {
  vi.restoreAllMocks();
  return rm(folder, { recursive: true, force: true });
});

const openStore = () =>
  LeafStore.open(
    folder,
    createLeafContext(384 * 2 ** 20, () => {}),
  );

let batchNumber = 0;
/** Rows of one minute, in a segment of their own; on the disk when it resolves. */
async function appendSealed(store: LeafStore, minute: number, rowCount: number): Promise<Table> {
  const table = await store.findOrCreate("events");
  const rows = Array.from({ length: rowCount }, (_, i) => ({
    time: minute * minuteMs + i,
    values: new Map([["n", BigInt(i)]]),
  }));
  const batchId = `batch-${batchNumber++}`;
  await table.append({ batch: batchOfRows(rows), batchId, contentHash: "hash" });
  const hasLog = async () => (await readdir(table.folder)).some((name) => name.startsWith("log-"));
  while (table.openGeneration !== null || (await hasLog())) {
    // Not while its writer is still busy: then it is asked again.
    table.sealOpen();
    await new Promise(setImmediate);
  }
  return table;
}

async function mergeAll(table: Table): Promise<void> {
  while (await table.merge(1e15, async () => {}));
}

const filesOf = async (table: Table, prefix: string) =>
  (await readdir(table.folder)).filter((name) => name.startsWith(prefix)).sort();

async function flipBit(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes[bytes.length - 9]! ^= 1;
  await writeFile(path, bytes);
}

/** Rows that the table should have by its manifests. */
function shouldHold({ minutes, lost }: Table): Map<number, number> {
  const all = new Map(minutes);
  for (const [minute, rows] of lost.rows.minutes) all.set(minute, (all.get(minute) ?? 0) + rows);
  return all;
}

describe("a leaf that cannot read a segment", () => {
  test("counts the missing rows of each minute, start after start", async () => {
    const first = await openStore();
    await appendSealed(first, 5, 3);
    const { folder: tableFolder } = await appendSealed(first, 6, 4);
    await first.close();
    await damageHead(join(tableFolder, "segment-1.hds"));
    for (let start = 0; start < 2; start++) {
      const store = await openStore();
      const table = store.find("events")!;
      expect([...table.minutes]).toEqual([[6, 4]]);
      expect([...table.lost.rows.minutes]).toEqual([[5, 3]]);
      expect(table.lost.reasons).toEqual(["segment-1.hds could not be read"]);
      expect(table.lost.unknown).toEqual([]);
      await store.close();
    }
  });

  test("does not count them where the manifest is damaged too, or gone", async () => {
    for (const spoil of [flipBit, rm]) {
      await rm(folder, { recursive: true, force: true });
      const first = await openStore();
      const { folder: tableFolder } = await appendSealed(first, 5, 3);
      await first.close();
      await damageHead(join(tableFolder, "segment-1.hds"));
      await spoil(join(tableFolder, "rows-1.json"));
      // The second start finds the file that the first renamed.
      for (let start = 0; start < 2; start++) {
        const store = await openStore();
        expect(store.find("events")!.lost.unknown[0]).toMatch(/^segment-1\.hds /);
        expect(store.find("events")!.lost.rows.minutes.size).toBe(0);
        await store.close();
      }
    }
  });

  test("does not reveal paths where the system cannot open files", async () => {
    const first = await openStore();
    const { folder: tableFolder } = await appendSealed(first, 5, 3);
    await first.close();
    await damageHead(join(tableFolder, "segment-1.hds"));
    for (const name of ["rows-1.json", "log-2.hdl.damaged"]) {
      await rm(join(tableFolder, name), { force: true });
      // A link to itself.
      await symlink(name, join(tableFolder, name));
    }
    const store = await openStore();
    const { unknown } = store.find("events")!.lost;
    expect(unknown).toEqual([
      expect.stringMatching(/^segment-1\.hds could not be read, nor its manifest: .*symbolic link/),
      expect.stringMatching(/^log-2\.hdl is damaged: and not even .*symbolic link/),
    ]);
    expect(unknown.join()).not.toContain(folder);
    await store.close();
  });

  test("starts on a full disk where the manifest of a segment is gone, and writes it when there is room", async () => {
    const first = await openStore();
    const { folder: tableFolder } = await appendSealed(first, 5, 3);
    await first.close();
    await rm(join(tableFolder, "rows-1.json"));
    const file = await open(join(tableFolder, "table.json"));
    await file.close();
    const sync = vi.spyOn(Object.getPrototypeOf(file) as FileHandle, "sync");
    // The first ones are those of names: of the folder of all tables, in it, and in the table's.
    for (let i = 0; i < 3; i++) sync.mockResolvedValueOnce(undefined);
    sync.mockRejectedValueOnce(new Error("ENOSPC"));
    const second = await openStore();
    expect(second.find("events")?.rowCount).toBe(3);
    expect(await readdir(tableFolder)).not.toContain("rows-1.json");
    await second.close();
    const third = await openStore();
    expect(await readdir(tableFolder)).toContain("rows-1.json");
    await third.close();
  });

  test("merges nothing across it: its rows would seem to be in the merged one", async () => {
    const first = await openStore();
    for (let minute = 1; minute <= 3; minute++) await appendSealed(first, minute, 2);
    const table = first.find("events")!;
    await first.close();
    await damageHead(join(table.folder, "segment-2.hds"));
    const store = await openStore();
    await appendSealed(store, 4, 2);
    await mergeAll(store.find("events")!);
    await store.close();
    const again = await openStore();
    const found = again.find("events")!;
    expect([...found.lost.rows.minutes]).toEqual([[2, 2]]);
    expect(await filesOf(found, "segment-")).toEqual([
      "segment-1.hds",
      "segment-2.hds.damaged",
      "segment-4.hds",
    ]);
    await again.close();
  });

  test("gives its number to no new segment: the manifest of lost rows stays", async () => {
    const first = await openStore();
    const table = await appendSealed(first, 5, 3);
    await first.close();
    await damageHead(join(table.folder, "segment-1.hds"));
    // The first start renames the file; the second one finds only its manifest.
    for (let start = 0; start < 2; start++) await (await openStore()).close();
    const store = await openStore();
    await appendSealed(store, 6, 4);
    await store.close();
    const again = await openStore();
    const found = again.find("events")!;
    expect([...found.minutes]).toEqual([[6, 4]]);
    expect([...found.lost.rows.minutes]).toEqual([[5, 3]]);
    expect(await filesOf(found, "rows-")).toEqual(["rows-1.json", "rows-2.json"]);
    await again.close();
  });

  test("reports that the rows of a damaged log are unknown", async () => {
    const first = await openStore();
    const table = await first.findOrCreate("events");
    for (let i = 0; i < 3; i++) {
      const batch = batchOfRows([{ time: i, values: new Map([["n", 1n]]) }]);
      await table.append({ batch, batchId: `log-${i}`, contentHash: "hash" });
    }
    await first.close();
    const path = join(table.folder, "log-1.hdl");
    const bytes = await readFile(path);
    bytes[20]! ^= 1;
    await writeFile(path, bytes);
    for (let start = 0; start < 2; start++) {
      const store = await openStore();
      expect(store.find("events")!.lost.unknown).toEqual([
        expect.stringMatching(
          /^log-1\.hdl is damaged: \d+ bytes could not be read, beside 2 whole batches$/,
        ),
      ]);
      await store.close();
    }
  });
});

describe("the books of segments", () => {
  test("are written for segments of before there were any", async () => {
    const first = await openStore();
    const table = await appendSealed(first, 5, 3);
    await first.close();
    await rm(join(table.folder, "rows-1.json"));
    await (await openStore()).close();
    expect(await filesOf(table, "rows-")).toEqual(["rows-1.json"]);
    await damageHead(join(table.folder, "segment-1.hds"));
    const store = await openStore();
    expect([...store.find("events")!.lost.rows.minutes]).toEqual([[5, 3]]);
    await store.close();
  });

  test("exist as long as their segments, whatever is merged, dropped or damaged", async () => {
    const step = fc.oneof(
      fc.record({
        kind: fc.constant("append" as const),
        minute: fc.nat(3),
        rows: fc.integer({ min: 1, max: 5 }),
      }),
      fc.record({ kind: fc.constantFrom("merge" as const, "restart" as const) }),
      fc.record({ kind: fc.constantFrom("drop" as const, "damage" as const), which: fc.nat(5) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        await rm(folder, { recursive: true, force: true });
        let store = await openStore();
        const truth = new Map<number, number>();
        const add = (minute: number, rows: number) => {
          const sum = (truth.get(minute) ?? 0) + rows;
          if (sum === 0) truth.delete(minute);
          else truth.set(minute, sum);
        };
        for (const one of steps) {
          if (one.kind === "append") {
            await appendSealed(store, one.minute, one.rows);
            add(one.minute, one.rows);
          }
          const table = store.find("events");
          if (table === undefined) continue;
          if (one.kind === "merge") await mergeAll(table);
          const segments = table.snapshot();
          if (one.kind === "drop" && segments.length > 0) {
            const { generation } = segments[one.which % segments.length] as {
              generation: number;
            } & (typeof segments)[number];
            const before = new Map(table.minutes);
            await table.dropSegments([generation]);
            for (const [minute, rows] of before)
              add(minute, (table.minutes.get(minute) ?? 0) - rows);
          }
          if (one.kind !== "restart" && one.kind !== "damage") continue;
          await store.close();
          const files = (await filesOf(table, "segment-")).filter((name) => name.endsWith(".hds"));
          if (one.kind === "damage" && files.length > 0)
            await damageHead(join(table.folder, files[one.which % files.length]!));
          store = await openStore();
          const found = store.find("events")!;
          const held = [...shouldHold(found)].sort(([a], [b]) => a - b);
          expect(held).toEqual([...truth].sort(([a], [b]) => a - b));
          expect(found.lost.unknown).toEqual([]);
        }
        await store.close();
      }),
      { numRuns: 40 },
    );
  }, 60_000);
});
