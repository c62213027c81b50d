import { describe, expect, test } from "vitest";
import { ingestLimitsDefault } from "../../base/limit/ingestLimits.js";
import { kernelRows } from "../testing/kernelRows.js";
import { anyRoom, inBlocks, mixedLines, ndjsonRequest } from "../testing/sentBody.js";
import { IngestMemory } from "./ingestMemory.js";
import { LocalReader } from "./localReader.js";

describe("a body that is read here", () => {
  test("is counted before it is read on, and by its rows once it is read", async () => {
    const memory = new IngestMemory({ ...ingestLimitsDefault, ingestMemory: 128 });
    const room = memory.open("a", null);
    const body = mixedLines(60_000);
    const spare: number[] = [];
    async function* counted(): AsyncGenerator<Uint8Array> {
      let bytes = 0;
      for await (const block of inBlocks(body)) {
        yield block;
        bytes += block.length;
        spare.push(memory.load.bytesHeld - bytes);
      }
    }
    const read = await new LocalReader(kernelRows).read(counted(), ndjsonRequest(), room);
    expect(spare.length).toBeGreaterThan(40);
    expect(Math.min(...spare)).toBeGreaterThanOrEqual(60_000);
    room.keep(read.outcome.bytes);
    expect(memory.load.bytesHeld).toBeGreaterThan(read.outcome.accepted * 16);
    room.close();
    expect(memory.load.bytesHeld).toBe(0);
  });

  test("continues while it is small, and large ones take turns", async () => {
    const reader = new LocalReader(kernelRows);
    const order: string[] = [];
    const send = (name: string, rows: number): Promise<unknown> => {
      async function* noted(): AsyncGenerator<Uint8Array> {
        for await (const block of inBlocks(mixedLines(rows))) {
          order.push(name);
          yield block;
        }
      }
      return reader.read(noted(), ndjsonRequest(name), anyRoom);
    };
    const large = [send("a", 20_000), send("b", 20_000)];
    await new Promise((resolve) => setImmediate(resolve));
    await send("small", 100);
    const before = order.length;
    await Promise.all(large);
    expect(before).toBeLessThan(10);
    // Block by block, not one after the other.
    const inTurns = order.filter((name) => name !== "small").slice(4, 20);
    const ofOne = inTurns.filter((name) => name === "a").length;
    expect(ofOne).toBeGreaterThanOrEqual(7);
    expect(ofOne).toBeLessThanOrEqual(9);
  });

  test("gives its turn back when it fails", async () => {
    const reader = new LocalReader(kernelRows);
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield* inBlocks(mixedLines(5_000));
      throw new Error("broken");
    }
    await expect(reader.read(broken(), ndjsonRequest(), anyRoom)).rejects.toThrow("broken");
    const again = await reader.read(inBlocks(mixedLines(5_000)), ndjsonRequest(), anyRoom);
    expect(again.outcome.rejected).toBe(6);
  });
});
