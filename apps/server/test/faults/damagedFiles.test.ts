import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RowCountLedger } from "../../src/ingest/ledger/rowCountLedger.js";
import { TableSettingsStore } from "../../src/ingest/retention/tableSettings.js";
import { ColumnOrder } from "../../src/query/bind/columnOrder.js";
import { FunctionDocuments } from "../../src/registry/document/functionDocuments.js";
import { LinkDocuments } from "../../src/registry/document/linkDocuments.js";
import { openRegistry } from "../../src/registry/openRegistry.js";
import type { Registry } from "../../src/registry/registry.js";
import { checkFolder } from "../../src/role/checkFolder.js";
import { checkTable } from "../../src/store/leaf/checkTable.js";
import { HintFiles } from "../../src/store/leaf/hintFiles.js";
import { LeafStore } from "../../src/store/leaf/leafStore.js";
import type { SealedSegment } from "../../src/store/segment/sealedSegment.js";
import type { StoredSegment } from "../../src/store/segment/segmentView.js";
import type { Table } from "../../src/store/table/table.js";
import { createLeafContext } from "../../src/store/testing/leafContext.js";
import { batchOfRows, readPlainRows } from "../../src/store/testing/plainRows.js";
import { mutationsPerKind, oracleSeed, testMsFor } from "../oracle/seed/seed.js";
import { createSeededRandom, type SeededRandom } from "../oracle/seed/seededRandom.js";
import {
  allFiles,
  bodies,
  fillFolder,
  type Mutation,
  mutate,
  rowCount,
  rowsOf,
  tables,
} from "../support/damagedFolder.js";

/** Kinds of files of a leaf, and of the gateway, by their names. */
const leafKinds = {
  segments: /segment-\d+\.hds$/,
  logs: /log-\d+\.hdl$/,
  books: /rows-\d+\.json$/,
  "files of tables": /table\.json$/,
};
const gatewayKinds = {
  registry: /registry\.db$/,
  "orders of columns": /columns\.json$/,
  "snapshots of the ledger": /ledger\/snapshot-\d+\.json$/,
  "journals of the ledger": /ledger\/journal-\d+\.log$/,
};
const leafMutations = mutationsPerKind(150);
const gatewayMutations = mutationsPerKind(34);
const seed = process.env.HADAL_TEST_SEED === undefined ? 41 : oracleSeed();
const farMs = 8e15;

let original: string;
let work: string;
let linkId: string;
let warnings: string[] = [];
const warn = (text: string): void => {
  warnings.push(text);
};
const context = createLeafContext(512 * 2 ** 20, warn);

beforeAll(async () => {
  original = await mkdtemp(join(tmpdir(), "hadal-test-"));
  work = await mkdtemp(join(tmpdir(), "hadal-test-"));
  ({ linkId } = await fillFolder(original));
}, 120_000);
afterAll(async () => {
  await rm(original, { recursive: true, force: true });
  await rm(work, { recursive: true, force: true });
});

/** What a table's folder holds while it is whole: the cells of each row by its time, and its rows per minute. */
interface Truth {
  readonly name: string;
  readonly folder: string;
  readonly rows: ReadonlyMap<string, readonly string[]>;
  readonly minutes: ReadonlyMap<number, number>;
}

const cellsOf = (text: string): [time: string, cells: readonly string[]] => {
  const [time = "", ...cells] = text.split("|");
  return [time, cells];
};

/** Opens a folder of tables, lets a test look, and gives the memory back. */
async function withStore<T>(
  folder: string,
  look: (store: LeafStore) => T | Promise<T>,
): Promise<T> {
  warnings = [];
  const store = await LeafStore.open(folder, context);
  try {
    return await look(store);
  } finally {
    await store.close();
    for (const table of store.tables) table.releaseAll();
  }
}

async function readTruths(): Promise<readonly Truth[]> {
  const truths: Truth[] = [];
  for (const leaf of ["leaf-1", "leaf-2"]) {
    const folder = join(work, leaf);
    await cp(join(original, leaf, "tables"), folder, { recursive: true });
    await withStore(folder, (store) => {
      for (const table of store.tables) {
        const rows = new Map(readPlainRows(table.snapshot(), context).map(cellsOf));
        const own = join(original, leaf, "tables", basename(table.folder));
        const minutes = new Map(table.minutes);
        truths.push({ name: table.name, folder: own, rows, minutes });
      }
    });
    expect(warnings).toEqual([]);
    await rm(folder, { recursive: true });
  }
  return truths;
}

const lostColumnsOf = (segment: StoredSegment): ReadonlySet<string> =>
  (segment as Partial<SealedSegment>).lostColumns ?? new Set();

const sumOf = (counts: Iterable<number>): number => {
  let sum = 0;
  for (const count of counts) sum += count;
  return sum;
};

/** Every value that can be read is right, and no row is there twice. Returns whether none is missing. */
function expectRightValues(table: Table, truth: Truth, about: string): boolean {
  const seen = new Set<string>();
  let isWhole = true;
  for (const segment of table.snapshot()) {
    const lost = lostColumnsOf(segment);
    if (lost.size > 0) isWhole = false;
    for (const [time, cells] of readPlainRows([segment], context).map(cellsOf)) {
      const expected = truth.rows.get(time)?.filter((cell) => !lost.has(cell.split("=")[0]!));
      // An expectation for each of a million rows would take most of the time.
      if (cells.join("|") !== expected?.join("|")) expect(cells, about).toEqual(expected);
      if (seen.has(time)) expect.fail(`${about}: row ${time} is there twice`);
      seen.add(time);
    }
  }
  return isWhole && seen.size === truth.rows.size;
}

/** What a leaf says it holds is there, with all columns that it reads. */
function expectHonestShares(table: Table, about: string): void {
  const columnSets = [[], ["n"], ["service", "line"], ["tags", "rare", "n"]];
  for (const columns of [...columnSets.map((names) => new Set(names)), null]) {
    const { segments, unreadable } = table.readable(columns);
    const lacking = sumOf(unreadable?.minuteRows.minutes.values() ?? []);
    const held = sumOf(table.minutes.values()) - lacking;
    expect(held, about).toBe(segments.reduce((sum, segment) => sum + segment.rowCount, 0));
    for (const segment of segments) {
      for (const lost of lostColumnsOf(segment)) expect(columns?.has(lost), about).toBe(false);
    }
  }
}

/** By its books the leaf holds no more than it ever did. Returns whether the ledger misses rows that the leaf knows nothing of. */
function lacksRows(table: Table, truth: Truth, about: string): boolean {
  let lacks = false;
  for (const minute of [...table.minutes.keys(), ...table.lost.rows.minutes.keys()])
    expect(truth.minutes.has(minute), about).toBe(true);
  for (const [minute, rows] of truth.minutes) {
    const own = (table.minutes.get(minute) ?? 0) + (table.lost.rows.minutes.get(minute) ?? 0);
    if (own > rows) expect.fail(`${about}: ${own} rows of ${rows} in minute ${minute}`);
    lacks ||= own < rows;
  }
  return lacks;
}

/** What the check of the folder cannot know: how much there was. */
const isUnknowable = ({ kind, path }: Mutation): boolean =>
  kind !== "flip" && path.endsWith(".hdl");

test("the folder holds what was sent, and the check says that it is whole", async () => {
  const truths = await readTruths();
  for (const table of tables) {
    const held = truths.filter(({ name }) => name === table);
    expect(sumOf(held.map(({ rows }) => rows.size))).toBe(rowCount);
    const all = new Map(held.flatMap(({ rows }) => [...rows]));
    for (let body = 0; body < bodies; body++) {
      for (const { time, n } of rowsOf(table, body)) expect(all.get(`${time}`)).toContain(`n=${n}`);
    }
  }
  const names = (await allFiles(original)).map((path) => basename(path)).join();
  expect(names).toMatch(/segment-.*hds/);
  expect(names).toMatch(/log-.*hdl/);
  expect(await checkFolder(original)).toMatchObject({
    ...{ problems: [], tables: truths.length, rows: rowCount * tables.length },
  });
});

/** One file of a kind, damaged. */
async function mutateOne(folder: string, kind: RegExp, random: SeededRandom): Promise<Mutation> {
  const paths = (await allFiles(folder)).filter((path) => kind.test(path));
  return mutate(random.pick(paths), random);
}

/** Only tables of which there is such a file. */
async function withFiles(truths: readonly Truth[], kind: RegExp): Promise<readonly Truth[]> {
  const files = await Promise.all(truths.map(({ folder }) => allFiles(folder)));
  return truths.filter((_, i) => files[i]?.some((path) => kind.test(path)));
}

test.each(Object.entries(leafKinds))(
  `${leafMutations} times a wrong byte, or fewer, in a leaf's %s: no wrong value, and what is lost is reported`,
  async (what, kind) => {
    const truths = await withFiles(await readTruths(), kind);
    const random = createSeededRandom(seed);
    let damaged = 0;
    let columnsLost = 0;
    for (let i = 0; i < leafMutations; i++) {
      const truth = random.pick(truths);
      const store = join(work, `store-${i}`);
      const folder = join(store, basename(truth.folder));
      await cp(truth.folder, folder, { recursive: true });
      const mutation = await mutateOne(folder, kind, random);
      const about = `mutation ${i}: ${mutation.kind} ${basename(mutation.path)} at ${mutation.at}`;
      const { problems } = await checkTable(folder);
      await withStore(store, (opened) => {
        const table = opened.find(truth.name);
        if (table === undefined) {
          expect(basename(mutation.path), about).toBe("table.json");
          expect(opened.unreadFolders, about).toHaveLength(1);
          expect(warnings.length, about).toBeGreaterThan(0);
          expect(problems.length, about).toBeGreaterThan(0);
          damaged++;
          return;
        }
        const isWhole = expectRightValues(table, truth, about);
        expectHonestShares(table, about);
        const isLacking = lacksRows(table, truth, about);
        const isReported = warnings.length > 0 || table.lost.reasons.length > 0 || isLacking;
        if (isWhole) return;
        damaged++;
        columnsLost += table.lost.hasColumns ? 1 : 0;
        expect(isReported, about).toBe(true);
        if (!isUnknowable(mutation)) expect(problems.length, about).toBeGreaterThan(0);
      });
      await rm(store, { recursive: true });
    }
    // They were put to the test; a book is not needed while its segment is whole.
    if (what !== "books") expect(damaged).toBeGreaterThan(leafMutations / 2);
    if (what === "segments") expect(columnsLost).toBeGreaterThan(leafMutations / 5);
  },
  testMsFor(120_000, 250, leafMutations),
);

test(
  `${leafMutations} times the same in a hinted batch: it is stored unchanged, or not at all`,
  async () => {
    const random = createSeededRandom(seed);
    const store = join(work, "hints");
    const batch = batchOfRows(
      Array.from({ length: 20 }, (_, i) => ({
        time: i,
        values: new Map<string, bigint | string>([
          ["n", BigInt(i * i)],
          ["text", `row ${i % 7}`],
        ]),
      })),
    );
    const batchIds = Array.from({ length: leafMutations }, (_, i) => `body/${i}`);
    await withStore(store, async (opened) => {
      const hints = new HintFiles(opened);
      const table = await opened.findOrCreate("events");
      for (const batchId of batchIds) {
        await hints.set("events", { batch, batchId, contentHash: "hash" });
        const mutation = await mutateOne(table.folder, /\.hda$/, random);
        const about = `${batchId}: ${mutation.kind} at ${mutation.at}`;
        const { problems, hintedRows } = await checkTable(table.folder);
        expect([problems.length, hintedRows], about).toEqual([
          mutation.kind === "delete" ? 0 : 1,
          0,
        ]);
        if (mutation.kind === "delete") expect(await hints.take("events", batchId)).toBeNull();
        else await expect(hints.take("events", batchId), about).rejects.toThrow("damaged");
        expect(table.rowCount, about).toBe(0);
        await hints.drop("events", batchId);
      }
    });
  },
  testMsFor(60_000, 250, leafMutations),
);

async function readRegistry(registry: Registry) {
  try {
    const settings = await TableSettingsStore.open(registry);
    const functions = await FunctionDocuments.open(registry, []);
    const links = new LinkDocuments(registry, () => 0);
    return {
      settings: settings.of("visits"),
      source: functions.all.get("doubled")?.source ?? null,
      link: await links.find(linkId).catch(() => null),
    };
  } finally {
    await registry.close();
  }
}

/** What the gateway reads of its own files. */
async function readGateway(folder: string) {
  const registry = await openRegistry({ dataDir: folder, databaseUrl: null, warn }).catch(
    (error) => {
      // A damaged name of a migration is one that this version does not know.
      warn(error.message);
      return null;
    },
  );
  const documents = registry === null ? null : await readRegistry(registry);
  const order = await ColumnOrder.open(join(folder, "columns.json"), warn);
  const ledger = await RowCountLedger.open(join(folder, "ledger"), warn, { nowMs: () => 1 });
  const counts = tables.map((table) => ledger.expected(table, -farMs, farMs));
  const { damage } = ledger;
  await ledger.close();
  return {
    documents: { ...documents, order: [...order.of("visits")] },
    counts,
    damage,
  };
}

test.each(Object.entries(gatewayKinds))(
  `${gatewayMutations} times the same in the gateway's %s: what is read is right, or it is reported as gone`,
  async (what, kind) => {
    const random = createSeededRandom(seed);
    const copy = async (to: string): Promise<void> => {
      const isGateways = (path: string) => !/^leaf-\d/.test(relative(original, path));
      await cp(original, to, { recursive: true, filter: isGateways });
    };
    const pristine = join(work, `pristine ${what}`);
    await copy(pristine);
    warnings = [];
    const truth = await readGateway(pristine);
    expect(warnings).toEqual([]);
    expect(truth.damage).toBeNull();
    expect(truth.counts.map((counts) => sumOf(counts.values()))).toEqual([rowCount, rowCount]);
    for (let i = 0; i < gatewayMutations; i++) {
      const folder = join(work, `gateway-${i}`);
      await copy(folder);
      const mutation = await mutateOne(folder, kind, random);
      const about = `mutation ${i}: ${mutation.kind} ${basename(mutation.path)} at ${mutation.at}`;
      warnings = [];
      const found = await readGateway(folder);
      const isReported = warnings.length > 0 || found.damage !== null || mutation.kind === "delete";
      if (!isReported) expect(found.documents, about).toEqual(truth.documents);
      for (const [table, counts] of found.counts.entries()) {
        for (const [leaf, rows] of counts) {
          expect(rows, about).toBeLessThanOrEqual(truth.counts[table]!.get(leaf) ?? 0);
        }
        // A journal that ends early may have ended there: the leaves tell what it lacks.
        if (!isReported && mutation.kind !== "cut")
          expect(counts, about).toEqual(truth.counts[table]);
      }
      await rm(folder, { recursive: true });
    }
  },
  testMsFor(60_000, 34, gatewayMutations),
);

test("the check changes nothing, of what is damaged either, and says where the damage is", async () => {
  const random = createSeededRandom(43);
  const folder = join(work, "checked");
  await cp(original, folder, { recursive: true });
  const segment = (await allFiles(folder)).find((path) => path.endsWith(".hds"))!;
  await rm(join(dirname(segment), "table.json"));
  while ((await mutate(segment, random)).kind !== "flip");
  const contents = async () => {
    const paths = await allFiles(folder);
    const texts = await Promise.all(paths.map((path) => readFile(path, "latin1")));
    return { paths, texts, names: await readdir(folder) };
  };
  const before = await contents();
  const { problems } = await checkFolder(folder);
  expect(await contents()).toEqual(before);
  expect(problems.map(({ path }) => basename(path)).sort()).toEqual([
    basename(segment),
    "table.json",
  ]);
});
