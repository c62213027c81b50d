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
import type { RowBatch } from "../base/rowBatch.js";
import { divideMemory, type LeafMemory } from "../memory/leafMemory.js";
import type { ResolvedQuery } from "../plan/resolvedQuery.js";
import { LeafStore } from "../store/leafStore.js";
import type { Table } from "../store/table.js";
import { lowerQuery } from "./lowerQuery.js";
import { QueryMemory } from "./queryMemory.js";
import { ScanRun } from "./scanRun.js";
import { allocateScratch } from "./scratch.js";

const hourMs = 3_600_000;
const batchRows = 6_000;
/** Event time between two batches: four days in all. */
const batchStepMs = 480_000;
const batches = 720;
/** Rows are kept for a day, about 17 segments. */
const maxAgeMs = 24 * hourMs;
const batchesPerHour = hourMs / batchStepMs;

/** Rows of one step of time, widths and texts changing from batch to batch. */
function createBatch(index: number): RowBatch {
  const width = 10 ** (index % 7);
  return {
    rowCount: batchRows,
    times: Float64Array.from({ length: batchRows }, (_, i) => index * batchStepMs + i * 80),
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

const sumOf = (index: number): bigint =>
  (BigInt(10 ** (index % 7)) * BigInt(batchRows * (batchRows - 1))) / 2n;

/** Count and sum of n from a time on. */
function ask(
  table: Table,
  fromMs: number,
  context: { leaf: LeafMemory; scan: (task: ReturnType<typeof lowerQuery>["task"]) => ScanRun },
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
  const run = context.scan(lowerQuery(1, query, [inRange], memory).task);
  while (!run.done) run.step();
  const [rows, sum] = run.answer().sides[0]!.states;
  memory.release();
  if (rows?.kind !== "count" || sum?.kind !== "sum") throw new Error("other states were asked for");
  return {
    rows: rows.values[0]!,
    sum: BigInt(sum.hi[0]!) * 2n ** 32n + BigInt(sum.lo[0]!),
  };
}

test("days of ingest and expiry in 112 MiB: memory level, no fragments, answers right, nothing leaks (S26)", async () => {
  const folder = await mkdtemp(join(tmpdir(), "hadal-soak-"));
  const shared = createSharedMemory(112 * 2 ** 20);
  const kernel = createKernel(shared, loadKernelModuleSync());
  const leaf = divideMemory(shared, kernelReservedBytes, 16 * 2 ** 20);
  const scratch = allocateScratch(leaf.queries);
  const poolBytes = leaf.queries.usedBytes;
  const warn = (text: string): void => expect.fail(text);
  const store = await LeafStore.open(folder, { memory: leaf, kernel, warn });
  const table = await store.findOrCreate("events");
  const scan = (task: ConstructorParameters<typeof ScanRun>[3]) =>
    new ScanRun(shared, kernel, scratch, task);
  let expired = 0;
  const peaks: number[] = [];
  for (let index = 0; index < batches; index += 12) {
    await Promise.all(
      Array.from({ length: 12 }, (_, k) =>
        table.append({ batch: createBatch(index + k), batchId: `${index + k}`, contentHash: "" }),
      ),
    );
    const nowMs = (index + 12) * batchStepMs;
    const plan = await table.planExpiry({ beforeMs: nowMs - maxAgeMs, maxBytes: null });
    // A query that began before reads what goes until it is done.
    const [oldest] = table.snapshot();
    oldest?.pins.pin();
    await table.dropSegments(plan.generations);
    oldest?.pins.unpin();
    expired += plan.rows.counts.reduce((sum, rows) => sum + rows, 0);
    expect(table.rowCount).toBe((index + 12) * batchRows - expired);
    expect([...table.minutes.values()].reduce((sum, rows) => sum + rows, 0)).toBe(table.rowCount);
    expect(ask(table, 0, { leaf, scan }).rows).toBe(table.rowCount);
    const lastHour = Array.from({ length: batchesPerHour }, (_, k) => index + 12 - 1 - k);
    expect(ask(table, lastHour.at(-1)! * batchStepMs, { leaf, scan })).toEqual({
      rows: lastHour.length * batchRows,
      sum: lastHour.reduce((sum, one) => sum + sumOf(one), 0n),
    });
    peaks.push(leaf.store.usedBytes);
    expect(leaf.store.largestFreeBytes).toBeGreaterThan(leaf.store.freeBytes * 0.8);
    expect(leaf.queries.usedBytes).toBe(poolBytes);
  }
  // No row before its age, and none for long after it.
  expect(table.rowCount).toBeGreaterThanOrEqual(batchesPerHour * 24 * batchRows);
  expect(table.rowCount).toBeLessThan(batchesPerHour * 24 * batchRows + 3 * 65_536);
  const secondDay = Math.max(...peaks.slice(peaks.length / 3, (peaks.length * 2) / 3));
  expect(Math.max(...peaks.slice((peaks.length * 2) / 3))).toBeLessThan(secondDay * 1.1);
  await store.drop("events", null);
  expect(leaf.store.usedBytes).toBe(0);
  expect(store.find("events")).toBeUndefined();
  await store.close();
  await rm(folder, { recursive: true });
}, 180_000);
