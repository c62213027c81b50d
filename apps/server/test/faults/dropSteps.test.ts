import { cp, mkdtemp, readdir, readFile, rename, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  createKernel,
  createSharedMemory,
  kernelReservedBytes,
  loadKernelModuleSync,
} from "@hadal/kernel-wasm";
import type { TableSettings } from "@hadal/sdk";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { LeafRequestBody } from "../../src/cluster/leafProtocol.js";
import { RowCountLedger } from "../../src/ingest/ledger/rowCountLedger.js";
import { type RetainingLeaf, Retention } from "../../src/ingest/retention/retention.js";
import { TableSettingsStore } from "../../src/ingest/retention/tableSettings.js";
import { divideMemory } from "../../src/memory/leafMemory.js";
import { openRegistry } from "../../src/registry/openRegistry.js";
import { LeafStore } from "../../src/store/leaf/leafStore.js";
import { batchOfRows, type PlainRow, readPlainRows } from "../../src/store/testing/plainRows.js";

const module = loadKernelModuleSync();
const minuteMs = 60_000;
const leafId = "leaf-1";
const segments = 5;
const rowsPerSegment = 40;
/** Rows of the first three segments are older than a minute by then. */
const nowMs = 4 * minuteMs;
const oldSegments = 3;

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-drop-steps-"));
});
afterEach(async () => {
  for (const end of ["", ...kills.map((kill) => `-${kill}`)]) {
    await rm(`${folder}${end}`, { recursive: true, force: true });
  }
  kills.length = 0;
});

/** A gateway and its one leaf, as they stand after a start over these files. */
interface Started {
  readonly store: LeafStore;
  readonly ledger: RowCountLedger;
  readonly retention: Retention;
  append(segment: number): Promise<void>;
  rows(): string[];
  expected(): number;
  stop(): Promise<void>;
}

/** `before`: what to do before each request that reaches the leaf. */
async function start(
  at: string,
  before: (kind: LeafRequestBody["kind"]) => Promise<void> = async () => undefined,
  set: Partial<TableSettings> = { retention: { maxAgeMs: minuteMs, maxBytes: null } },
): Promise<Started> {
  const warn = (text: string): void => {
    // A journal whose last line was torn by the kill says so.
    if (!text.includes("torn lines")) expect.fail(text);
  };
  const memory = createSharedMemory(192 * 2 ** 20);
  const kernel = createKernel(memory, module);
  const leaf = divideMemory(memory, kernelReservedBytes, 16 * 2 ** 20);
  const context = { memory: leaf, kernel, warn };
  const store = await LeafStore.open(join(at, "leaf"), context);
  const ledger = await RowCountLedger.open(join(at, "ledger"), warn);
  const registry = await openRegistry({ dataDir: at, databaseUrl: null, warn });
  const settings = await TableSettingsStore.open(registry);
  const unset = { retention: { maxAgeMs: null, maxBytes: null }, thinning: [], columns: [] };
  await settings.set("events", { ...unset, ...set });
  const leaves: readonly RetainingLeaf[] = [
    {
      ...{ id: leafId, state: "alive", status: null },
      request: async (request) => {
        await before(request.kind);
        return { header: { id: 1, ...(await answer(store, request)) } as never };
      },
    },
  ];
  const retention = new Retention({
    leaves: () => leaves,
    ledger,
    settings,
    nowMs: async () => nowMs,
    sleep,
    warn,
  });
  return {
    ...{ store, ledger, retention },
    append: (segment) => append(store, ledger, segment),
    rows: () => readPlainRows(store.find("events")?.snapshot() ?? [], context),
    expected: () => ledger.expected("events", 0, 100 * minuteMs).get(leafId) ?? 0,
    stop: async () => {
      await Promise.all([store.close(), ledger.close(), registry.close()]);
    },
  };
}

const timeOf = (row: string): number => Number(row.slice(0, row.indexOf("|")));

const nothing = { generations: [], rows: { minutes: [], counts: [] } };

async function answer(store: LeafStore, request: LeafRequestBody): Promise<object> {
  if (request.kind === "expire") {
    const { beforeMs, maxBytes } = request;
    const plan = await store.find(request.table)?.planExpiry({ beforeMs, maxBytes });
    return { kind: "expiring", ...(plan ?? nothing) };
  }
  if (request.kind === "planThinning") {
    const plan = await store.find(request.table)?.planThinning(request);
    return { kind: "expiring", ...(plan ?? nothing) };
  }
  if (request.kind === "planCut") {
    const plan = await store.find(request.table)?.planCut(request.maxBytes);
    return { kind: "expiring", ...(plan ?? nothing) };
  }
  if (request.kind === "planDrop") {
    await store.find(request.table)?.planDrop();
    return { kind: "expiring", ...nothing };
  }
  if (request.kind === "reduce") {
    const { table, generations, reduction } = request;
    await store.reduce(table, generations, reduction, async () => undefined);
    return { kind: "done" };
  }
  if (request.kind !== "drop") throw new Error(`${request.kind} is no matter of retention`);
  await store.drop(request.table, request.generations);
  return { kind: "dropped" };
}

const rowsOf = (segment: number): PlainRow[] =>
  Array.from({ length: rowsPerSegment }, (_, i) => {
    const values = new Map([["id", BigInt(segment * rowsPerSegment + i)]]);
    return { time: segment * minuteMs + i, values };
  });

/** As the ingest does: an intent, the rows, the outcome. They are sealed as a segment of their own. */
async function append(store: LeafStore, ledger: RowCountLedger, segment: number): Promise<void> {
  const own = { table: "events", batchId: `batch-${segment}`, contentHash: "hash" };
  const rows = { minutes: [segment], counts: [rowsPerSegment] };
  const intent = { leaf: leafId, key: null, requestHash: "", rows, atMs: nowMs };
  await ledger.begin({ ...own, ...intent });
  const table = await store.findOrCreate("events");
  const batch = batchOfRows(rowsOf(segment));
  await table.append({ ...own, batch, bytes: new Uint8Array() });
  ledger.settle("events", own.batchId, "stored");
  // The writer is at rest in the next turn.
  await new Promise(setImmediate);
  table.sealOpen();
  while (table.openGeneration !== null) await new Promise(setImmediate);
  while ((await readdir(table.folder)).some((file) => file.startsWith("log-"))) {
    await new Promise(setImmediate);
  }
}

const kills: string[] = [];

/** The files as a kill at this moment leaves them. */
async function killedCopy(name: string): Promise<string> {
  const copy = `${folder}-${name}`;
  kills.push(name);
  await rm(copy, { recursive: true, force: true });
  await cp(folder, copy, { recursive: true });
  return copy;
}

/** The table's folder on the leaf; null when there is none. */
async function tableFolder(at: string): Promise<string | null> {
  const [inside] = await readdir(join(at, "leaf"));
  return inside === undefined ? null : join(at, "leaf", inside);
}

async function removeSegments(at: string, count: number): Promise<void> {
  const table = await tableFolder(at);
  for (let one = 1; one <= count; one++) await rm(join(table!, `segment-${one}.hds`));
}

/** Cuts the last line of the newest journal in half. */
async function tearJournal(at: string): Promise<void> {
  const ledger = join(at, "ledger");
  const numberOf = (file: string): number => Number(/\d+/.exec(file)?.[0]);
  const journals = (await readdir(ledger)).filter((file) => file.startsWith("journal-"));
  const last = join(ledger, journals.sort((a, b) => numberOf(a) - numberOf(b)).at(-1)!);
  const lines = (await readFile(last, "utf8")).trimEnd().split("\n");
  const kept = lines.slice(0, -1).join("\n").length;
  await truncate(last, kept + Math.ceil(lines.at(-1)!.length / 2));
}

const printed = (...numbers: readonly number[]): string[] =>
  numbers
    .flatMap(rowsOf)
    .map(({ time, values }) => ({ time, id: values.get("id") as bigint }))
    .map(({ time, id }) => `${time} ${id}`)
    .sort();

/** Time and id of each row. */
const idsOf = (rows: readonly string[]): string[] =>
  rows
    .map((row) => row.match(/-?\d+/g)!)
    .map(([time, id]) => `${time} ${id}`)
    .sort();

describe("killed between any two steps", () => {
  test("of expiry: the old rows go in the end, the others are there once, and the leaf never holds less than is expected", async () => {
    const young = Array.from({ length: segments - oldSegments }, (_, i) => oldSegments + i);
    const states: string[] = [];
    const first = await start(folder, async (kind) => {
      if (kind === "expire") states.push(await killedCopy("before"));
      if (kind !== "drop") return;
      states.push(await killedCopy("booked-out"));
      // The leaf has said what would go, and the ledger's line is not whole.
      const torn = await killedCopy("torn");
      await tearJournal(torn);
      states.push(torn);
    });
    for (let segment = 0; segment < segments; segment++) await first.append(segment);
    expect(idsOf(first.rows())).toEqual(printed(0, 1, 2, 3, 4));
    await first.retention.run();
    expect(idsOf(first.rows())).toEqual(printed(...young));
    // The leaf has let go, and the ledger does not know: as if its last line were not there.
    await first.ledger.close();
    const dropped = await killedCopy("dropped");
    await tearJournal(dropped);
    states.push(dropped, await killedCopy("after"));
    for (let removed = 1; removed <= oldSegments; removed++) {
      for (const noted of [false, true]) {
        const copy = `${folder}-booked-out`;
        const name = `removed-${removed}-${noted}`;
        kills.push(name);
        await cp(copy, `${folder}-${name}`, { recursive: true });
        // The table's own file says first which generations are not given out again.
        const file = join((await tableFolder(folder))!, "table.json");
        const at = `${folder}-${name}`;
        if (noted) await cp(file, join((await tableFolder(at))!, "table.json"));
        await removeSegments(at, noted ? removed : removed - 1);
        states.push(at);
      }
    }
    expect(states).toHaveLength(5 + 2 * oldSegments);
    for (const at of states) await expectExpired(at, young);
    await first.store.close();
  }, 120_000);

  test("of thinning: the same rows stay whenever it is done, none counts twice, and the leaf never holds less than is expected", async () => {
    const set = { thinning: [{ afterMs: minuteMs, keepOneIn: 4 }] };
    const states: string[] = [];
    const first = await start(
      folder,
      async (kind) => {
        if (kind === "planThinning") states.push(await killedCopy(`before-${states.length}`));
        if (kind !== "reduce") return;
        states.push(await killedCopy("booked-out"));
        const torn = await killedCopy("torn");
        await tearJournal(torn);
        states.push(torn);
      },
      set,
    );
    for (let segment = 0; segment < segments; segment++) await first.append(segment);
    await first.retention.run();
    const left = first.rows();
    const keptRows = (oldSegments * rowsPerSegment) / 4;
    expect(left.filter((row) => row.includes("sample_rate=4"))).toHaveLength(keptRows);
    expect(left).toHaveLength(keptRows + (segments - oldSegments) * rowsPerSegment);
    await first.ledger.close();
    const done = await killedCopy("done");
    await tearJournal(done);
    states.push(done, await killedCopy("after"));
    // The leaf was killed when it had written the new form of some of the files.
    for (let written = 1; written < oldSegments; written++) {
      const name = `written-${written}`;
      kills.push(name);
      const at = `${folder}-${name}`;
      await cp(`${folder}-booked-out`, at, { recursive: true });
      for (let one = 1; one <= written; one++) {
        const file = `segment-${one}.hds`;
        await cp(join((await tableFolder(folder))!, file), join((await tableFolder(at))!, file));
      }
      states.push(at);
    }
    expect(states).toHaveLength(6 + oldSegments - 1);
    for (const at of states) {
      const started = await start(at, undefined, set);
      expect(started.rows().length, at).toBeGreaterThanOrEqual(started.expected());
      await started.retention.run();
      expect(started.rows(), at).toEqual(left);
      expect(started.expected(), at).toBe(left.length);
      expect(started.ledger.drops.list()).toEqual([]);
      await started.stop();
    }
    await first.store.close();
  }, 120_000);

  test("of a bound on bytes: the same newest rows stay whenever the oldest segment is cut", async () => {
    const first = await start(folder);
    for (let segment = 0; segment < segments; segment++) await first.append(segment);
    const held = first.store.find("events")!.bytes;
    await first.stop();
    const set = { retention: { maxAgeMs: null, maxBytes: Math.floor(held * 0.9) } };
    const states: string[] = [];
    // So few rows take little beside what every segment takes: the first cut is not the last.
    const cutAll = async ({ retention, rows }: Started): Promise<string[]> => {
      for (let before = -1; before !== rows().length; await retention.run()) before = rows().length;
      return rows();
    };
    const second = await start(
      folder,
      async (kind) => {
        if (kind === "planCut" && states.length === 0) states.push(await killedCopy("before"));
        if (kind !== "reduce" || states.length > 1) return;
        states.push(await killedCopy("booked-out"));
        const torn = await killedCopy("torn");
        await tearJournal(torn);
        states.push(torn);
      },
      set,
    );
    const all = second.rows();
    const left = await cutAll(second);
    const newest = all.toSorted((a, b) => timeOf(a) - timeOf(b)).slice(all.length - left.length);
    expect(left.toSorted((a, b) => timeOf(a) - timeOf(b))).toEqual(newest);
    expect(all.length - left.length).toBeGreaterThan(0);
    expect(all.length - left.length).toBeLessThan(rowsPerSegment);
    await second.ledger.close();
    const done = await killedCopy("done");
    await tearJournal(done);
    states.push(done, await killedCopy("after"));
    expect(states).toHaveLength(5);
    for (const at of states) {
      const started = await start(at, undefined, set);
      expect(started.rows().length, at).toBeGreaterThanOrEqual(started.expected());
      expect(await cutAll(started), at).toEqual(left);
      expect(started.expected(), at).toBe(left.length);
      expect(started.ledger.drops.list()).toEqual([]);
      await started.stop();
    }
    await second.store.close();
  }, 120_000);

  test("of a table's deletion: it is gone in the end with all its rows, and may come again", async () => {
    const states: string[] = [];
    const first = await start(folder, async (kind) => {
      if (kind === "drop") states.push(await killedCopy("booked-out"));
    });
    for (let segment = 0; segment < segments; segment++) await first.append(segment);
    await first.retention.deleteTable("events", async () => undefined);
    expect(first.store.find("events")).toBeUndefined();
    await first.stop();
    const dropped = await killedCopy("dropped");
    await tearJournal(dropped);
    states.push(dropped, await killedCopy("after"));
    for (let removed = 0; removed <= segments; removed++) {
      const name = `renamed-${removed}`;
      kills.push(name);
      const at = `${folder}-${name}`;
      await cp(`${folder}-booked-out`, at, { recursive: true });
      await removeSegments(at, removed);
      const table = (await tableFolder(at))!;
      await rename(table, `${table}.dropped`);
      states.push(at);
    }
    expect(states).toHaveLength(4 + segments);
    for (const at of states) {
      const started = await start(at);
      expect(started.expected()).toBe(0);
      await started.retention.run();
      expect(started.rows()).toEqual([]);
      expect(await tableFolder(at)).toBeNull();
      expect(started.ledger.drops.list()).toEqual([]);
      await started.append(9);
      await started.retention.run();
      expect(idsOf(started.rows())).toEqual(printed(9));
      expect(started.expected()).toBe(rowsPerSegment);
      await started.stop();
    }
  }, 120_000);
});

async function expectExpired(at: string, young: readonly number[]): Promise<void> {
  const started = await start(at);
  const held = idsOf(started.rows());
  // Not one is lost that should stay, none is there twice, and completeness stays 1.
  expect(held).toEqual(expect.arrayContaining(printed(...young)));
  expect(new Set(held).size).toBe(held.length);
  expect(held.length, at).toBeGreaterThanOrEqual(started.expected());
  await started.retention.run();
  expect(idsOf(started.rows()), at).toEqual(printed(...young));
  expect(started.expected(), at).toBe(young.length * rowsPerSegment);
  expect(started.ledger.drops.list()).toEqual([]);
  // Its generations are new ones: the old order does not reach them.
  await started.append(8);
  await started.retention.run();
  await started.stop();
  const again = await start(at);
  expect(idsOf(again.rows()), at).toEqual(printed(...young, 8));
  expect(again.expected()).toBe((young.length + 1) * rowsPerSegment);
  await again.stop();
}
