import {
  createKernel,
  createSharedMemory,
  type KernelOperations,
  kernelReservedBytes,
  loadKernelModuleSync,
  switchReadAhead,
} from "@hadal/kernel-wasm";
import { expect, test } from "vitest";
import { divideMemory } from "../../memory/leafMemory.js";
import { tuneReadAhead } from "./tuneReadAhead.js";

const mib = 2 ** 20;

function createLeaf(storeBytes: number) {
  const memory = createSharedMemory(96 * mib);
  const leaf = divideMemory(memory, kernelReservedBytes, 4 * mib);
  const { queries, store } = leaf;
  for (let bytes = 0; bytes < storeBytes; bytes += mib) store.allocate(mib - 64);
  const kernel = createKernel(memory, loadKernelModuleSync());
  const isOn = () => !bytesBelow().equals(bytesOff);
  const bytesBelow = () => Buffer.from(memory.buffer).subarray(0, kernelReservedBytes);
  switchReadAhead(memory, "off");
  const bytesOff = Buffer.from(bytesBelow());
  return { leaf, kernel, queries, isOn };
}

/** A machine where scans take many times as long while loops read ahead, or while they do not. */
function slowedDown(kernel: KernelOperations, isSlow: () => boolean): KernelOperations {
  return {
    ...kernel,
    runProgram: (...range) => {
      for (let i = 0; i < (isSlow() ? 20 : 1); i++) kernel.runProgram(...range);
    },
  };
}

test("loops read ahead where scans are faster then", () => {
  const { leaf, kernel, queries, isOn } = createLeaf(80 * mib);
  expect(
    tuneReadAhead(
      leaf,
      slowedDown(kernel, () => !isOn()),
    ),
  ).toBe(true);
  expect(isOn()).toBe(true);
  expect(tuneReadAhead(leaf, slowedDown(kernel, isOn))).toBe(true);
  expect(isOn()).toBe(false);
  expect(queries.usedBytes).toBe(0);
});

test("nothing is measured, and nothing changes, before there is memory to measure it on", () => {
  const { leaf, kernel, isOn } = createLeaf(60 * mib);
  expect(tuneReadAhead(leaf, kernel)).toBe(false);
  expect(isOn()).toBe(false);
});

test("neither while queries leave no room", () => {
  const { leaf, kernel, queries, isOn } = createLeaf(80 * mib);
  const taken = queries.allocate(queries.largestFreeBytes - 64)!;
  expect(
    tuneReadAhead(
      leaf,
      slowedDown(kernel, () => !isOn()),
    ),
  ).toBe(false);
  expect(isOn()).toBe(false);
  queries.release(taken);
  expect(
    tuneReadAhead(
      leaf,
      slowedDown(kernel, () => !isOn()),
    ),
  ).toBe(true);
});
