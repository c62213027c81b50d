import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createKernel,
  createSharedMemory,
  kernelReservedBytes,
  loadKernelModuleSync,
} from "@hadal/kernel-wasm";
import { expect, test } from "vitest";
import type { RowBatch } from "../base/row/rowBatch.js";
import { divideMemory, type LeafMemory } from "../memory/leafMemory.js";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";
import { LeafStore } from "../store/leaf/leafStore.js";
import { StoreUpkeep } from "../store/leaf/storeUpkeep.js";
import type { Table } from "../store/table/table.js";
import { QueryMemory } from "./memory/queryMemory.js";
import { allocateScratch } from "./memory/scratch.js";
import { ScanRun } from "./run/scanRun.js";
import { lowerNow } from "./testing/lowerNow.js";

const hourMs = 3_600_000;
const batches = 720;
const roundBatches = 12;

interface Load {
  readonly batchRows: number;
  /** Event time between two batches. */
  readonly batchStepMs: number;
  /** Rows are kept for so long. */
  readonly maxAgeMs: number;
  /** Every round's rows are sealed as they are, and merged with their neighbours. */
  readonly isMerged: boolean;
}

/** Four days, of which one is kept: about 17 segments. */
const fullSegments: Load = {
  ...{ batchRows: 6_000, batchStepMs: 480_000, maxAgeMs: 24 * hourMs, isMerged: false },
};
/**
 * Twelve hours, of which six are kept: 30 rounds of 12 minutes, of which those of an hour are
 * merged.
 */
const smallSegments: Load = {
  ...{ batchRows: 1_000, batchStepMs: 60_000, maxAgeMs: 6 * hourMs, isMerged: true },
};

/** Rows of one step of time, widths and texts changing from batch to batch. */
function createBatch(index: number, { batchRows, batchStepMs }: Load): RowBatch {
  const width = 10 ** (index % 7);
  const stepMs = Math.floor(batchStepMs / batchRows);
  return {
    rowCount: batchRows,
    times: Float64Array.from({ length: batchRows }, (_, i) => index * batchStepMs + i * stepMs),
    columns: [
      {
        name: "n",
        type: "int",
        decimals: 0,
        values: BigInt64Array.from({ length: batchRows }, (_, i) => BigInt(i * width)),
        present: null,
      },
      {
        name: "service",
        type: "string",
        dictionary: Array.from({ length: 50 }, (_, k) => `service-${k}`),
        codes: Uint32Array.from({ length: batchRows }, (_, i) => (i + index) % 51),
      },
    ],
  };
}

const sumOf = (index: number, { batchRows }: Load): bigint =>
  (BigInt(10 ** (index % 7)) * BigInt(batchRows * (batchRows - 1))) / 2n;

/** Count and sum of n from a time on. */
function ask(
  table: Table,
  fromMs: number,
  context: { leaf: LeafMemory; scan: (task: ReturnType<typeof lowerNow>["task"]) => ScanRun },
): { rows: number; sum: bigint } {
  const query: ResolvedQuery = {
    table: "events",
    sides: [{ fromMs, toMs: 1e12, filter: { kind: "all", filters: [] }, buckets: null }],
    groupBy: [],
    states: [{ kind: "rows" }, { kind: "sum", column: "n", decimals: 0 }],
    sample: null,
    cut: { max: 100, bySeries: false, ranks: [] },
  };
  const memory = new QueryMemory(context.leaf);
  const inRange = table.snapshot().filter(({ maxMs }) => maxMs >= fromMs);
  const run = context.scan(lowerNow(1, query, [inRange], memory).task);
  while (!run.done) run.step();
  const [rows, sum] = run.answer().sides[0]!.states;
  memory.release();
  if (rows?.kind !== "count" || sum?.kind !== "sum") throw new Error("other states were asked for");
  return {
    rows: rows.values[0]!,
    sum: BigInt(sum.hi[0]!) * 2n ** 32n + BigInt(sum.lo[0]!),
  };
}

async function sealNow(table: Table): Promise<void> {
  while (table.openGeneration !== null) {
    table.sealOpen();
    await new Promise(setImmediate);
  }
}

test.each([
  ["full segments", fullSegments],
  ["small segments, merged", smallSegments],
])(
  "days of ingest and expiry in 112 MiB, %s: memory level, no fragments, answers right, nothing leaks (S26)",
  async (_, load) => {
    const { batchRows, batchStepMs, maxAgeMs } = load;
    const batchesPerHour = hourMs / batchStepMs;
    const folder = await mkdtemp(join(tmpdir(), "hadal-soak-"));
    const shared = createSharedMemory(112 * 2 ** 20);
    const kernel = createKernel(shared, loadKernelModuleSync());
    const leaf = divideMemory(shared, kernelReservedBytes, 16 * 2 ** 20);
    const scratch = allocateScratch(leaf.queries);
    const poolBytes = leaf.queries.usedBytes;
    const warn = (text: string): void => expect.fail(text);
    const store = await LeafStore.open(folder, { memory: leaf, kernel, warn });
    const table = await store.findOrCreate("events");
    const scan = (task: ConstructorParameters<typeof ScanRun>[1]) =>
      new ScanRun({ memory: shared, kernel, scratch }, task);
    let nowMs = 0;
    const upkeep = new StoreUpkeep(store, {
      ...{ nowMs: () => nowMs, isBusy: () => false, sealAgeMs: 1e12, rawTextsMs: 0, warn },
    });
    let expired = 0;
    const peaks: number[] = [];
    for (let index = 0; index < batches; index += roundBatches) {
      const written = index + roundBatches;
      await Promise.all(
        Array.from({ length: roundBatches }, (_, k) => {
          const batch = createBatch(index + k, load);
          return table.append({ batch, batchId: `${index + k}`, contentHash: "" });
        }),
      );
      nowMs = written * batchStepMs;
      if (load.isMerged) {
        await sealNow(table);
        await upkeep.round();
      }
      const plan = await table.planExpiry({ beforeMs: nowMs - maxAgeMs, maxBytes: null });
      // A query that began before reads what goes until it is done.
      const [oldest] = table.snapshot();
      oldest?.pins.pin();
      await table.dropSegments(plan.generations);
      oldest?.pins.unpin();
      expired += plan.rows.counts.reduce((sum, rows) => sum + rows, 0);
      expect(table.rowCount).toBe(written * batchRows - expired);
      expect([...table.minutes.values()].reduce((sum, rows) => sum + rows, 0)).toBe(table.rowCount);
      expect(ask(table, 0, { leaf, scan }).rows).toBe(table.rowCount);
      const hourBatches = Math.min(batchesPerHour, written);
      const lastHour = Array.from({ length: hourBatches }, (_, k) => written - 1 - k);
      expect(ask(table, lastHour.at(-1)! * batchStepMs, { leaf, scan })).toEqual({
        rows: lastHour.length * batchRows,
        sum: lastHour.reduce((sum, one) => sum + sumOf(one, load), 0n),
      });
      peaks.push(leaf.store.usedBytes);
      expect(leaf.store.largestFreeBytes).toBeGreaterThan(leaf.store.freeBytes * 0.8);
      expect(leaf.queries.usedBytes).toBe(poolBytes);
    }
    // No row before its age, and none for long after it.
    const keptRows = (maxAgeMs / batchStepMs) * batchRows;
    expect(table.rowCount).toBeGreaterThanOrEqual(keptRows);
    expect(table.rowCount).toBeLessThan(keptRows + 3 * 65_536);
    if (load.isMerged) expect(table.snapshot().length).toBeLessThan(15);
    const secondDay = Math.max(...peaks.slice(peaks.length / 3, (peaks.length * 2) / 3));
    expect(Math.max(...peaks.slice((peaks.length * 2) / 3))).toBeLessThan(secondDay * 1.1);
    await upkeep.close();
    await store.drop("events", null);
    expect(leaf.store.usedBytes).toBe(0);
    expect(store.find("events")).toBeUndefined();
    await store.close();
    await rm(folder, { recursive: true });
  },
  180_000,
);
