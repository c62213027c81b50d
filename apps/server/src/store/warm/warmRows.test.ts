import { chmod, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LeafStore } from "../leaf/leafStore.js";
import type { TableContext } from "../segment/tableContext.js";
import { createLeafContext } from "../testing/leafContext.js";
import {
  batchOfRows,
  type PlainRow,
  type PlainValue,
  readPlainRows,
} from "../testing/plainRows.js";
import { WarmRows } from "./warmRows.js";

let folder = "";
/** Stands for /dev/shm. */
let base = "";
let warnings: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-warm-"));
  base = await mkdtemp(join(tmpdir(), "hadal-shared-"));
  warnings = [];
});
afterEach(() => Promise.all([folder, base].map((path) => rm(path, { recursive: true }))));

interface Leaf {
  readonly store: LeafStore;
  readonly context: TableContext;
  readonly rows: (table?: string) => string[];
  /** Ends it in order. */
  readonly end: () => Promise<void>;
}

/** As a process starts a leaf. */
async function startLeaf(folderId: string | null = "folder-1"): Promise<Leaf> {
  const context = createLeafContext(512 * 2 ** 20, (text) => warnings.push(text));
  const warm = new WarmRows(folder, folderId, context, base);
  const store = await LeafStore.open(folder, context, { openWarm: warm.take() });
  warm.end();
  return {
    ...{ store, context },
    rows: (table = "events") => readPlainRows(store.find(table)?.snapshot() ?? [], context),
    end: async () => {
      await store.close();
      await warm.save(store.tables, folderId);
    },
  };
}

let batchNumber = 0;
async function append(store: LeafStore, rows: readonly PlainRow[], table = "events") {
  const found = await store.findOrCreate(table);
  const batchId = `batch-${batchNumber++}`;
  return found.append({ batch: batchOfRows(rows), batchId, contentHash: "hash" });
}

/** Columns of every kind: integers of several encodings, codes, texts, lists, sets, sample rates. */
function rowsOfAllKinds(count: number, firstMs: number): PlainRow[] {
  return Array.from({ length: count }, (_, i) => {
    const values: Record<string, PlainValue> = {
      n: BigInt(i) * 3n - 1_000n,
      wide: BigInt.asIntN(64, BigInt(i) * 0x9e37_79b9_7f4a_7c15n),
      service: `service-${i % 7}`,
      message: `request ${i} of user ${(i * 7_919) % 10_007} took ${i % 977} ms`,
      tags: new Set([`tag-${i % 3}`, "é"]),
      stack: ["main", `frame ${i % 11}`, `line ${(i * 31) % 50_021}`],
      sample_rate: BigInt(1 + (i % 3)),
    };
    if (i % 3 === 0) values.rare = BigInt(i);
    return { time: firstMs + ((i * 7_919) % count) * 50, values: new Map(Object.entries(values)) };
  });
}

/** Two segments of a table, and one of another. */
async function fill(store: LeafStore): Promise<void> {
  for (const firstMs of [0, 1_000_000]) {
    await append(store, rowsOfAllKinds(2_000, firstMs));
    await seal(store);
  }
  await append(store, rowsOfAllKinds(500, 0), "other");
  await seal(store);
}

async function seal(store: LeafStore): Promise<void> {
  for (const table of store.tables) {
    const { openGeneration } = table;
    if (openGeneration === null) continue;
    table.sealOpen();
    await vi.waitFor(() => expect(table.segmentsOnDisk.at(-1)?.generation).toBe(openGeneration));
  }
}

/** What queries read of segments beside their values. */
function factsOf({ store }: Leaf) {
  return [...store.tables].map((table) => ({
    name: table.name,
    minutes: [...table.minutes],
    batches: [...table.segmentsOnDisk].map(
      ({ generation, firstGeneration, thinned, thinnedKeys }) => [
        ...[generation, firstGeneration, thinned, [...(thinnedKeys ?? [])]],
      ],
    ),
    segments: table.segmentsOnDisk.map(({ minMs, maxMs, weightMax, weightTotal, sums }) => ({
      ...{ minMs, maxMs, weightMax, weightTotal, sums: [...sums].sort(byName) },
    })),
    histograms: table.segmentsOnDisk.map(({ histograms }) =>
      [...histograms].sort(byName).map(([name, one]) => [name, one.count, one.weightBytes]),
    ),
  }));
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : 1;

const imageFiles = async (): Promise<string[]> => {
  const names = await readdir(base, { recursive: true, withFileTypes: true });
  return names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
};
const used = (): string[] => warnings.filter((text) => text.startsWith("read "));

test("a restart reads sealed segments from shared memory, and everything is as it was", async () => {
  const first = await startLeaf();
  for (let i = 0; i < 5; i++) await append(first.store, rowsOfAllKinds(16_000, i * 1_000_000));
  await append(first.store, rowsOfAllKinds(500, 0), "other");
  await seal(first.store);
  const byKey = { keepOneIn: 2, basis: { kind: "key", column: "n" } } as const;
  const other = first.store.find("other")!;
  const { generations } = await other.planThinning({ beforeMs: Number.MAX_VALUE, ...byKey });
  await other.reduceSegments(generations, byKey, async () => undefined);
  expect(other.segmentsOnDisk[0]?.thinnedKeys).toEqual(new Map([["n", 2]]));
  await append(first.store, rowsOfAllKinds(100, 0));
  await first.end();
  const [expected, facts] = [first.rows(), factsOf(first)];
  expect(expected).toHaveLength(80_100);
  const second = await startLeaf();
  expect(used()).toEqual([expect.stringMatching(/^read 3 segments of \d+ MiB from shared memory/)]);
  expect(second.rows()).toEqual(expected);
  expect(factsOf(second)).toEqual(facts);
  expect(await imageFiles()).toEqual([]);
  // Compressed in memory alone: the next image has them so.
  await second.store.ageTexts(Date.now(), 0, async () => undefined);
  await second.end();
  const third = await startLeaf();
  expect(third.rows()).toEqual(expected);
  expect(third.rows("other")).toEqual(first.rows("other"));
  // New values go on in the same dictionaries, and the files on the disk have all of it.
  await append(third.store, rowsOfAllKinds(1_000, 10_000_000));
  await seal(third.store);
  await third.store.close();
  const cold = await startLeaf();
  expect(cold.rows()).toEqual(third.rows());
  expect(factsOf(cold)).toEqual(factsOf(third));
  await cold.store.close();
});

test("a damaged, cut off or missing file of the image is not used, and nothing is lost", async () => {
  const first = await startLeaf();
  await fill(first.store);
  await first.end();
  const [expected, other] = [first.rows(), first.rows("other")];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("flip", "cut", "remove"),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      async (damage, whichFile, where) => {
        const files = (await imageFiles()).filter((path) => path.endsWith(".hdw"));
        const path = files.sort()[Math.floor(whichFile * files.length)]!;
        const bytes = await readFile(path);
        const at = Math.floor(where * bytes.length);
        if (damage === "remove") await rm(path);
        else if (damage === "cut") await truncate(path, at);
        else {
          bytes[at]! ^= 1 << (at % 8);
          await writeFile(path, bytes);
        }
        warnings = [];
        const leaf = await startLeaf();
        expect(leaf.rows()).toEqual(expected);
        expect(leaf.rows("other")).toEqual(other);
        const reasons = warnings.filter((text) => text.includes("is not used"));
        expect(reasons).toHaveLength(damage === "remove" ? 0 : 1);
        await leaf.end();
      },
    ),
    { numRuns: 40 },
  );
});

const damages: readonly (readonly [string, (image: string) => Promise<void>, RegExp])[] = [
  [
    "of another version",
    async (image) => {
      const path = join(image, "valid.json");
      const mark = JSON.parse(await readFile(path, "utf8"));
      await writeFile(path, JSON.stringify({ ...mark, version: 2 }));
    },
    /it has version 2, expected 1/,
  ],
  ["that was not finished", (image) => rm(join(image, "valid.json")), /no such file.*valid\.json/],
  ["that others may write to", (image) => chmod(image, 0o777), /others may write to it/],
];
test.each(damages)("an image %s is not used", async (_, damage, reason) => {
  const first = await startLeaf();
  await fill(first.store);
  await first.end();
  const [image] = await readdir(base);
  await damage(join(base, image!));
  warnings = [];
  const second = await startLeaf();
  expect(second.rows()).toEqual(first.rows());
  expect(warnings).toEqual([expect.stringMatching(reason)]);
  expect(await readdir(base)).toEqual([]);
  await second.store.close();
});

test("an image of a leaf that lost its folder is not used", async () => {
  const first = await startLeaf();
  await fill(first.store);
  await first.end();
  warnings = [];
  await startLeaf("folder-2").then(({ store }) => store.close());
  expect(warnings).toEqual([expect.stringMatching(/it is of another leaf/)]);
});

test("an image is read once", async () => {
  const first = await startLeaf();
  await fill(first.store);
  await first.end();
  // It ends without a clean end.
  await (await startLeaf()).store.close();
  warnings = [];
  const third = await startLeaf();
  expect(third.rows()).toEqual(first.rows());
  expect(used()).toEqual([]);
  await third.store.close();
});

test("a segment that was removed or changed on the disk since does not come back", async () => {
  const first = await startLeaf();
  await fill(first.store);
  await first.end();
  const [image] = await readdir(base);
  const mark = await readFile(join(base, image!, "valid.json"));
  // Another program, without shared memory, takes the oldest segment away and thins the next.
  const context = createLeafContext(512 * 2 ** 20, () => undefined);
  const between = await LeafStore.open(folder, context);
  const [oldest, next] = between.find("events")!.segmentsOnDisk;
  await between.drop("events", [oldest!.generation]);
  const thinning = await between
    .find("events")!
    .planThinning({ beforeMs: next!.maxMs + 1, keepOneIn: 4 });
  await between.reduce("events", thinning.generations, { keepOneIn: 4 }, async () => undefined);
  await between.close();
  const expected = readPlainRows(between.find("events")!.snapshot(), context);
  await writeFile(join(base, image!, "valid.json"), mark);
  const last = await startLeaf();
  expect(last.rows()).toEqual(expected);
  expect(warnings.filter((text) => text.includes("another one since"))).toHaveLength(1);
  await last.store.close();
});
