import { expect, test } from "vitest";
import { divideMemory } from "./leafMemory.js";

const pageBytes = 65_536;

test("nothing is handed out of the last page, into which loops of the kernel read ahead", () => {
  const memory = new WebAssembly.Memory({ initial: 16, maximum: 16, shared: true });
  const { store } = divideMemory(memory, pageBytes, 4 * pageBytes);
  let end = 0;
  for (let bytes = store.largestFreeBytes; bytes > 0; bytes = Math.floor(bytes / 2)) {
    for (let at = store.allocate(bytes); at !== null; at = store.allocate(bytes)) {
      end = Math.max(end, at + store.bytesOf(at));
    }
  }
  expect(store.freeBytes).toBe(0);
  expect(end).toBe(memory.buffer.byteLength - pageBytes);
});
