import { isDeepStrictEqual } from "node:util";
import { JsonRows, loadJsonModuleSync } from "@hadal/kernel-wasm";
import { expect, it } from "vitest";
import { createJsonReader } from "../format/json/jsonReader.js";
import { createNdjsonReader } from "../format/json/ndjsonReader.js";
import { RowCollector } from "../row/rowCollector.js";
import { countKernelRows, noKernel, readBody } from "../testing/kernelReading.js";
import { BlockSize } from "./blockSize.js";

it("reads more at once where others read in between, up to all that is loaded, and less again", () => {
  const json = { turn: 1, windowBytesMax: 2_500_000 };
  const size = new BlockSize(json as JsonRows);
  const blocks = [3, 3, 5, 0, 1, 0, 0, 0].map((others) => {
    json.turn += others;
    size.starts();
    // Its own next batch.
    json.turn++;
    size.ends();
    return size.bytes;
  });
  const k = 524_288;
  expect(blocks).toEqual([2 * k, 4 * k, 2.5e6, 1.25e6, 2.5e6, 1.25e6, 6.25e5, k]);
});

/** Bodies of two shapes with texts that come back all the time, short, long and escaped. */
function bodyOf(seed: number, isList: boolean): Buffer {
  const rows = Array.from({ length: 20_000 }, (_, i) => {
    const k = (i * seed) % 1_777;
    const text = k % 3 === 0 ? `${seed} ${"long ".repeat(k % 40)}${k}` : `${k}\n${seed}`;
    return JSON.stringify({ time: i, [`s${seed}`]: text, n: k / 8, list: [`${k % 50}`] });
  });
  return Buffer.from(isList ? `[${rows.join(",")}]` : rows.join("\n"));
}

it("reads bodies that come at the same time as it reads each alone", () => {
  const json = new JsonRows(loadJsonModuleSync(), { seed: 3n });
  const pieceBytes = 65_536;
  for (const [isList, open] of [
    [false, createNdjsonReader],
    [true, createJsonReader],
  ] as const) {
    const bodies = [7, 11, 13].map((seed) => bodyOf(seed, isList));
    const { result, rows } = countKernelRows(() => {
      const all = bodies.map(() => new RowCollector());
      const readers = all.map((collector) => open(collector, json));
      const longest = Math.max(...bodies.map(({ length }) => length));
      for (let at = 0; at < longest; at += pieceBytes) {
        for (const [i, body] of bodies.entries()) {
          // One of them is alone in the end.
          if (at < body.length) readers[i]!.push(body.subarray(at, at + pieceBytes));
        }
      }
      for (const reader of readers) reader.end();
      return all.map((collector) => collector.finish());
    });
    expect(rows).toBeGreaterThan(59_000);
    for (const [i, body] of bodies.entries()) {
      const alone = readBody(body, { open, json: noKernel, pieceBytes });
      // Not toEqual, which takes a microsecond for each of millions of values.
      expect(isDeepStrictEqual(result[i], alone), `body ${i}`).toBe(true);
    }
  }
});
