import type { JsonRows } from "@hadal/kernel-wasm";
import { bufferOf, joinBytes } from "../../../base/bytes/byteView.js";
import { BlockSize } from "../../body/blockSize.js";
import { BlockPace } from "../../body/readPace.js";
import type { RowCollector } from "../../row/rowCollector.js";
import { type RowReader, rowBytesMax } from "../../row/rowReader.js";
import { createNdjsonLines } from "./ndjsonLines.js";

const newline = 0x0a;
const lineEnd = Buffer.from("\n");

/** One JSON object a line. A line that is no row is refused alone; blank lines are passed over. */
export function createNdjsonReader(collector: RowCollector, json: JsonRows): RowReader {
  let unfinished: Uint8Array[] = [];
  let unfinishedBytes = 0;
  /** Parts that are known to hold no end of a line: a line of many parts is not searched for each. */
  let unended = 0;
  let linesBytes = 0;
  const lines = createNdjsonLines(collector, json);
  const blockSize = new BlockSize(json);
  const pace = new BlockPace();
  /** Whether what comes belongs to a row that is too long. */
  let isTooLong = false;

  /** What is there up to the end of its last line; what follows stays. */
  const readWhole = (): void => {
    let found = unfinished.length - 1;
    while (found >= unended && !unfinished[found]!.includes(newline)) found--;
    if (found >= unended) {
      const part = unfinished[found]!;
      const end = part.lastIndexOf(newline) + 1;
      const rest = [part.subarray(end), ...unfinished.slice(found + 1)];
      readParts([...unfinished.slice(0, found), part.subarray(0, end)]);
      unfinished = rest.filter(({ length }) => length > 0);
      unfinishedBytes = countBytes(unfinished);
    }
    unended = unfinished.length;
    if (unfinishedBytes <= rowBytesMax) return;
    lines.refuseLong();
    isTooLong = true;
    unfinished = [];
    unfinishedBytes = 0;
    unended = 0;
  };

  /** What of a part does not belong to a row that is too long. */
  const afterLong = (bytes: Uint8Array): Uint8Array => {
    if (!isTooLong) return bytes;
    const end = bytes.indexOf(newline) + 1;
    isTooLong = end === 0;
    return bytes.subarray(isTooLong ? bytes.length : end);
  };

  /** Bytes that a batch is likely to take: the next one starts its texts again. */
  const wantedBytes = (): number =>
    lines.count() === 0 ? Number.POSITIVE_INFINITY : (collector.room / lines.count()) * linesBytes;

  const readParts = (parts: readonly Uint8Array[]): void => {
    // Nothing of a block is kept when it has been read.
    const bytes = countBytes(parts);
    linesBytes += bytes;
    blockSize.starts();
    pace.starts();
    lines.read(bytes <= json.windowBytesMax ? bufferOf(json.join(parts)) : joinBytes(parts));
    pace.ends(bytes);
    blockSize.ends();
  };

  return {
    pieceBytes: () => pace.bytes,
    push(part) {
      const bytes = afterLong(part);
      if (bytes.length === 0) return undefined;
      if (unfinishedBytes + bytes.length > json.windowBytesMax) readWhole();
      unfinished.push(bytes);
      unfinishedBytes += bytes.length;
      if (unfinishedBytes >= Math.min(wantedBytes(), blockSize.bytes, pace.bytes)) readWhole();
      return undefined;
    },
    end() {
      if (unfinished.length > 0) readParts([...unfinished, lineEnd]);
      lines.end();
      return undefined;
    },
  };
}

function countBytes(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}
