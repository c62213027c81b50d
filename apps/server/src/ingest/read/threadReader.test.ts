import { gzipSync } from "node:zlib";
import { loadJsonModuleSync } from "@hadal/kernel-wasm";
import { HadalError } from "@hadal/sdk";
import { afterAll, describe, expect, test } from "vitest";
import { batchRowsMax } from "../../base/row/rowBatch.js";
import { kernelRows } from "../testing/kernelRows.js";
import { anyRoom, inBlocks, mixedLines, ndjsonRequest } from "../testing/sentBody.js";
import type { BodyReader, ReadBody, ReadProgress } from "./bodyReader.js";
import { LocalReader } from "./localReader.js";
import { ThreadReader } from "./threadReader.js";

/** The built one: the thread runs what is shipped. */
const script = new URL("../../../dist/readThread.js", import.meta.url);
const start = { jsonModule: loadJsonModuleSync(), seed: 5n };
const warnings: string[] = [];
const thread = new ThreadReader(script, start, (text) => warnings.push(text));
const here = new LocalReader(kernelRows);

afterAll(() => thread.close());

const ranges = [
  { first: 0, end: 20 },
  { first: 20, end: 64 },
];

/** All that is known of a body, and of its parts. */
async function allOf(body: ReadBody): Promise<unknown> {
  const parts = [];
  for (let batch = 0; batch < body.outcome.batchCount; batch++) {
    for (const part of await body.cut(batch, `id/${batch}`, ranges)) {
      const encoded = part === null ? null : await body.encode(part.part);
      parts.push(part, encoded?.contentHash, encoded?.bytes.length);
    }
  }
  return { outcome: body.outcome, parts };
}

describe("a body that is read in the thread", () => {
  test("has the same rows, verdicts, parts and hash as one that is read here", async () => {
    const text = mixedLines(40_000);
    const columns = [{ name: "n", decimals: 3 }];
    const read = async (reader: BodyReader): Promise<unknown> => {
      const plain = await reader.read(inBlocks(text), ndjsonRequest("a", columns), anyRoom);
      const packed = { ...ndjsonRequest(), contentEncoding: "gzip", isPreview: true };
      const zipped = await reader.read(inBlocks(gzipSync(text), 1_000), packed, anyRoom);
      return [await allOf(plain), zipped.outcome];
    };
    const expected = await read(here);
    expect(expected).toMatchObject([{ outcome: { accepted: 39_959, rejected: 41 } }, {}]);
    expect(await read(thread)).toEqual(expected);
  });

  test("several at a time do not mix", async () => {
    const sizes = [1, 30, 5_000, 20_000, 3_000];
    const counts = sizes.map(async (rows, i) => {
      const lines = mixedLines(rows).replaceAll('"n"', `"n${i}"`);
      const body = await thread.read(inBlocks(lines, 7_000), ndjsonRequest(`c${i}`), anyRoom);
      return [body.outcome.accepted + body.outcome.rejected, body.outcome.columnNames[0]];
    });
    expect(await Promise.all(counts)).toEqual(sizes.map((rows, i) => [rows, `n${i}`]));
  });

  test("asks for room before it reads on, and ends where there is none", async () => {
    const asked: number[] = [];
    const coverNext = async ({ bodyBytes }: ReadProgress): Promise<number> => {
      asked.push(bodyBytes);
      if (bodyBytes > 1_400_000) throw new HadalError("overloaded", { detail: "No room." });
      return bodyBytes + 100_000;
    };
    const body = thread.read(inBlocks(mixedLines(60_000)), ndjsonRequest(), { coverNext });
    await expect(body).rejects.toMatchObject({ code: "overloaded" });
    expect(asked.length).toBeGreaterThan(3);
    expect(asked.length).toBeLessThan(8);
  });

  test("reports the bytes of its rows, a batch at a time", async () => {
    const reports: ReadProgress[] = [];
    const coverNext = async (progress: ReadProgress): Promise<number> => {
      reports.push(progress);
      return progress.bodyBytes + 100_000;
    };
    const lines = mixedLines(40_000);
    const body = await thread.read(inBlocks(lines), ndjsonRequest(), { coverNext });
    const { bodyBytes, rowBytes } = reports.at(-1)!;
    expect(bodyBytes).toBeGreaterThan(0.9 * lines.length);
    // Two of its three batches are whole by then; what a body takes in the end is its rows twice.
    const shareOfTwo = (2 * batchRowsMax) / body.outcome.accepted;
    expect(rowBytes / (body.outcome.bytes / 2)).toBeCloseTo(shareOfTwo, 1);
    body.close();
  });

  test("is refused before its end, and no more of it is read", async () => {
    let blocks = 0;
    async function* wrong(): AsyncGenerator<Uint8Array> {
      for (; blocks < 1_000; blocks++) yield Buffer.from("{\n".repeat(20_000));
    }
    const body = thread.read(wrong(), ndjsonRequest(), anyRoom);
    await expect(body).rejects.toMatchObject({ code: "rows-rejected" });
    // What is on its way when the thread refuses it: three blocks of 256 KiB.
    expect(blocks).toBeLessThan(25);
  });

  test("fails as its source does", async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield* inBlocks(mixedLines(5_000));
      throw new HadalError("request-timeout", { seconds: 15 });
    }
    const body = thread.read(broken(), ndjsonRequest(), anyRoom);
    await expect(body).rejects.toMatchObject({ code: "request-timeout" });
  });

  test("is lost with the thread, and the next one finds another thread", async () => {
    const own = new ThreadReader(script, start, (text) => warnings.push(text));
    try {
      const body = await own.read(inBlocks(mixedLines(5_000)), ndjsonRequest(), anyRoom);
      async function* endless(): AsyncGenerator<Uint8Array> {
        for (;;) yield Buffer.from(`${mixedLines(500)}\n`);
      }
      let covered = 0;
      const coverNext = async ({ bodyBytes }: ReadProgress): Promise<number> => {
        if (++covered === 3) await own.endThread();
        return bodyBytes;
      };
      const reading = own.read(endless(), ndjsonRequest(), { coverNext });
      await expect(reading).rejects.toMatchObject({ code: "unavailable" });
      await expect(body.cut(0, "id/0", ranges)).rejects.toMatchObject({ code: "unavailable" });
      const next = await own.read(inBlocks(mixedLines(50)), ndjsonRequest(), anyRoom);
      expect(next.outcome.accepted).toBe(49);
    } finally {
      await own.close();
    }
    expect(warnings).toEqual([]);
  });
});
