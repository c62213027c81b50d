import { readFile } from "node:fs/promises";
import { HadalError } from "@hadal/sdk";
import type { RecordBatch } from "apache-arrow";
import { type ArrowLibrary, loadArrow } from "../../base/format/arrowLibrary.js";
import { bodyRowsMax, type CutBody } from "./bodyCutter.js";

/** Half of what a server takes: a body whose rows are long is cut in two. */
const bodyBytesMax = 33_554_432;

/** The record batches of an Arrow file or stream as separate streams, each small enough for one request. */
export async function* cutArrowFile(path: string): AsyncGenerator<CutBody> {
  const arrow = await loadArrow();
  const bytes = await readFile(path);
  let firstRow = 0;
  try {
    for (const batch of arrow.RecordBatchReader.from(bytes)) {
      for (let from = 0; from < batch.numRows; from += bodyRowsMax) {
        const rows = batch.slice(from, Math.min(from + bodyRowsMax, batch.numRows));
        yield* cutBatch(arrow, rows, firstRow + from);
      }
      firstRow += batch.numRows;
    }
  } catch (error) {
    if (error instanceof HadalError) throw error;
    const detail = `${path} is not whole Arrow, from row ${firstRow + 1} on: ${(error as Error).message}`;
    throw new HadalError("body-undecodable", { detail });
  }
}

function* cutBatch(arrow: ArrowLibrary, batch: RecordBatch, firstRow: number): Generator<CutBody> {
  const bytes = arrow.RecordBatchStreamWriter.writeAll([batch]).toUint8Array(true);
  if (bytes.length <= bodyBytesMax || batch.numRows === 1) {
    yield {
      bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      rows: batch.numRows,
      fileLine: (line) => firstRow + line,
    };
    return;
  }
  const half = batch.numRows >> 1;
  yield* cutBatch(arrow, batch.slice(0, half), firstRow);
  yield* cutBatch(arrow, batch.slice(half, batch.numRows), firstRow + half);
}
