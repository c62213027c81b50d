import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createKernel,
  createSharedMemory,
  kernelReservedBytes,
  loadKernelModule,
} from "@hadal/kernel-wasm";
import { batchRowsMax } from "../../src/base/row/rowBatch.js";
import { adviseHugePages } from "../../src/memory/hugePages.js";
import { divideMemory } from "../../src/memory/leafMemory.js";
import { LeafStore } from "../../src/store/leaf/leafStore.js";
import { segmentRowsMax } from "../../src/store/segment/segmentView.js";
import type { TableContext } from "../../src/store/segment/tableContext.js";
import { WarmRows } from "../../src/store/warm/warmRows.js";
import type { BenchResult } from "../report/benchReport.js";
import type { BenchTable } from "../table/benchTable.js";
import { sampledEvents } from "../table/eventTables.js";
import { logLines } from "../table/logTable.js";

const memoryBytes = 2 * 2 ** 30;
const queryPoolBytes = 2 ** 26;
/** As dense as in 50 M rows. */
const rowsOfKernel = 50_000_000;
const folderId = "bench";
const filled: readonly (readonly [BenchTable, number])[] = [
  [sampledEvents, 128 * segmentRowsMax],
  [logLines, 24 * segmentRowsMax],
];

/**
 * What the start of a leaf takes until it has its rows again: from files that the system has in its
 * memory, from the log of rows that were never sealed, and from shared memory (`--warm-restart`). Its
 * memory is touched for the first time, as it is then.
 */
export async function benchRestart(): Promise<readonly BenchResult[]> {
  const folder = await mkdtemp(join(tmpdir(), "hadal-restart-"));
  try {
    const first = await openStore(folder, false);
    for (const [table, rowCount] of filled) await fill(first.store, table, rowCount);
    await first.store.close();
    const files = await openStore(folder, false);
    await files.close(true);
    const shared = await openStore(folder, true);
    await shared.close(false);
    return [resultOf("restart-files", files), resultOf("restart-shared", shared)];
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface OpenedStore {
  readonly store: LeafStore;
  readonly tookMs: number;
  readonly notes: readonly string[];
  readonly close: (leavesRows: boolean) => Promise<void>;
}

async function openStore(folder: string, isWarm: boolean): Promise<OpenedStore> {
  const context = await startContext();
  const notes: string[] = [];
  const warm = new WarmRows(folder, folderId, { ...context, warn: (text) => notes.push(text) });
  const startedMs = performance.now();
  const openWarm = isWarm ? { openWarm: warm.take() } : {};
  const store = await LeafStore.open(folder, context, openWarm);
  const tookMs = performance.now() - startedMs;
  warm.end();
  return {
    ...{ store, tookMs, notes },
    close: async (leavesRows) => {
      await store.close();
      if (leavesRows) await warm.save(store.tables, folderId);
    },
  };
}

async function startContext(): Promise<TableContext> {
  const memory = createSharedMemory(memoryBytes);
  await adviseHugePages(memory);
  const module = await loadKernelModule(new URL("./kernel.wasm", import.meta.url));
  return {
    memory: divideMemory(memory, kernelReservedBytes, queryPoolBytes),
    kernel: createKernel(memory, module),
    warn: (text) => console.error(text),
  };
}

async function fill(store: LeafStore, table: BenchTable, rowCount: number): Promise<void> {
  const found = await store.findOrCreate(table.name);
  for (let first = 0; first < rowCount; first += batchRowsMax) {
    const batch = table.rows(first, batchRowsMax, rowsOfKernel);
    await found.append({ batch, batchId: `${first}`, contentHash: "" });
  }
}

function resultOf(query: string, { store, tookMs, notes }: OpenedStore): BenchResult {
  const tables = [...store.tables];
  const rowCount = tables.reduce((sum, one) => sum + one.rowCount, 0);
  const bytes = tables.reduce((sum, one) => sum + one.bytes, 0);
  const expected = filled.reduce((sum, [, count]) => sum + count, 0);
  const speed = bytes / 2 ** 30 / (tookMs / 1_000);
  return {
    ...{ query, hadalMs: tookMs, peers: {}, ratio: null },
    ...{ bytesScanned: bytes, checked: rowCount === expected },
    rowsPerSecond: rowCount / (tookMs / 1_000),
    note: [`${speed.toFixed(2)} GB/s of the leaf's memory`, ...notes].join("; "),
  };
}
