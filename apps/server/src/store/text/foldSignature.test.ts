import {
  createKernel,
  createSharedMemory,
  kernelReservedBytes,
  loadKernelModuleSync,
} from "@hadal/kernel-wasm";
import { expect, test } from "vitest";
import { divideMemory } from "../../memory/leafMemory.js";
import { foldSignature, lz4FillMax } from "./foldSignature.js";

const shared = createSharedMemory(16 * 2 ** 20);
const memory = divideMemory(shared, kernelReservedBytes, 2 ** 20);
const kernel = createKernel(shared, loadKernelModuleSync());
const pageCount = 19;
const rowsLog2 = 12;

function place(bytes: Uint8Array): number {
  const address = memory.store.allocate(bytes.length)!;
  memory.bytes.set(bytes, address);
  return address;
}

/** Planes where one of `every` bits is set. */
function sparsePlanes(every: number): Uint8Array {
  const bytes = new Uint8Array(3 << rowsLog2);
  for (let page = 0; page < pageCount; page++) {
    for (let row = 0; row < 2 ** rowsLog2; row++) {
      const isSet = Math.imul(page * 8_191 + row + 1, 0x9e37_79b1) >>> 8;
      if (isSet % every === 0) bytes[((page >> 3) << rowsLog2) + row]! |= 1 << (page & 7);
    }
  }
  return bytes;
}

test.each([
  [2, 12],
  [3, 11],
  [6, 10],
  [40, 8],
])(
  "one bit of %d set: halved to 2^%d, and no page is ruled out that was not",
  (every, expected) => {
    const signature = { address: place(sparsePlanes(every)), rowsLog2 };
    const folded = foldSignature(signature, pageCount, memory, lz4FillMax);
    expect(folded.rowsLog2).toBe(expected);
    expect(folded.bytes.length).toBe(3 << expected);
    const smaller = { address: place(folded.bytes), rowsLog2: folded.rowsLog2 };
    const out = place(new Uint8Array(16));
    for (let i = 0; i < 300; i++) {
      const text = Buffer.from(`${(i * 7_919) % 10_007}`.padStart(4, "x").slice(0, 4));
      const needle = { address: place(text), bytes: text.length, fold: false };
      const select = (from: typeof signature): number => {
        kernel.selectPages(out, from, pageCount, needle);
        return new DataView(shared.buffer).getUint32(out, true);
      };
      const before = select(signature);
      expect(select(smaller) & before).toBe(before);
      memory.store.release(needle.address);
    }
  },
);
