import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { READ_AHEAD_SWITCH } from "../assembly/abi.js";
import { createOwnMemory, createSharedMemory, kernelReservedBytes } from "./base/memory.js";
import { createKernel } from "./kernel.js";
import { builtJson, builtKernel } from "./testing/builtKernel.js";
import { Random } from "./testing/random.js";

const module = builtKernel();
const rowCount = 20_000;
const rounds = 30;
const areaBytes = 1 << 20;

/** What one thread reads and writes; areas of different threads do not touch. */
function layArea(memory: WebAssembly.Memory, area: number, seed: number) {
  const times = area;
  const values = times + rowCount * 8;
  const order = values + rowCount + 32;
  const offsets = order + rowCount * 4;
  const groups = offsets + rowCount * 4;
  const counts = groups + rowCount * 4;
  const sums = counts + 256 * 4;
  const scratch = sums + 256 * 8;
  const random = new Random(seed);
  const view = new DataView(memory.buffer);
  for (let row = 0; row < rowCount; row++) {
    view.setBigInt64(times + row * 8, BigInt(random.below(1 << 30)), true);
    view.setUint8(values + row, random.below(256));
  }
  return { times, values, order, offsets, groups, counts, sums, scratch };
}

test("threads with a kernel each over one memory do not disturb one another", async () => {
  const memory = createSharedMemory(4 * areaBytes);
  const areas = [1, 2].map((n) => layArea(memory, n * areaBytes, n));
  const script = new URL("./testing/kernelThread.mjs", import.meta.url);
  await Promise.all(
    areas.map(async (area) => {
      const workerData = { memory, module, rounds, rowCount, ...area };
      const worker = new Worker(script, { workerData });
      await once(worker, "exit");
    }),
  );
  for (const area of areas) {
    const codes = new Uint8Array(memory.buffer, area.values, rowCount);
    const expected = new Uint32Array(256);
    for (const code of codes) expected[code]! += rounds;
    expect([...new Uint32Array(memory.buffer, area.counts, 256)]).toEqual([...expected]);
    const sums = new BigInt64Array(memory.buffer, area.sums, 256);
    expect([...sums]).toEqual([...expected].map((count, code) => BigInt(count * code)));
    const times = new BigInt64Array(memory.buffer, area.times, rowCount);
    const order = new Uint32Array(memory.buffer, area.order, rowCount);
    const offsets = new Uint32Array(memory.buffer, area.offsets, rowCount);
    for (let i = 0; i < rowCount; i++) {
      expect(offsets[i]! >= (offsets[i - 1] ?? 0)).toBe(true);
      expect(times[order[i]!]).toBe(BigInt(offsets[i]!));
    }
  }
});

test.each([
  { name: "the kernel", module, memory: createSharedMemory(65_536) },
  { name: "the reader of rows", module: builtJson(), memory: createOwnMemory(65_536) },
])("static data of $name stays below what the host leaves free", ({ module, memory }) => {
  const before = new Uint8Array(memory.buffer).fill(0xa5).slice();
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  const { staticDataEnd } = exports as { staticDataEnd: () => number };
  expect(staticDataEnd()).toBeLessThanOrEqual(READ_AHEAD_SWITCH);
  const after = new Uint8Array(memory.buffer);
  expect(after.slice(kernelReservedBytes)).toEqual(before.slice(kernelReservedBytes));
});

test("the kernel traps on a width that does not exist", () => {
  const kernel = createKernel(createSharedMemory(65_536), module);
  const values = { address: kernelReservedBytes, width: 5 as 4 };
  const rows = { start: 0, count: 1, rows: 0 };
  expect(() => kernel.addCodeGroups(2048, values, rows, 1)).toThrow(WebAssembly.RuntimeError);
  expect(() => kernel.selectRange(2048, values, 1, 0n, 1n)).toThrow(WebAssembly.RuntimeError);
  expect(() => kernel.addProducts(2048, 0, rows, values, 0n, null, 0)).toThrow(
    WebAssembly.RuntimeError,
  );
});

test("shared memory has its full size at once, and its bounds are checked", () => {
  expect(createSharedMemory(1).buffer.byteLength).toBe(65_536);
  expect(createSharedMemory(65_537).buffer.byteLength).toBe(131_072);
  for (const bytes of [0, -1, Number.NaN, 4 * 2 ** 30]) {
    expect(() => createSharedMemory(bytes)).toThrow(RangeError);
  }
});
