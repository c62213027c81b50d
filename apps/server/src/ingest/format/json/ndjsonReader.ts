import { isUtf8 } from "node:buffer";
import type { JsonRows } from "@hadal/kernel-wasm";
import { bufferOf, joinBytes, viewOf } from "../../../base/bytes/byteView.js";
import { BlockSize } from "../../body/blockSize.js";
import { KernelTurns } from "../../body/kernelTurns.js";
import { BlockPace } from "../../body/readPace.js";
import type { RowCollector } from "../../row/rowCollector.js";
import { type RowReader, rowBytesMax, rowTooLong } from "../../row/rowReader.js";
import { RowRejected } from "../../value/rowRejected.js";
import { createNdjsonStart } from "./ndjsonStart.js";

const newline = 0x0a;
const carriageReturn = 0x0d;
const lineEnd = Buffer.from("\n");

/** One JSON object a line. A line that is no row is refused alone; blank lines are passed over. */
export function createNdjsonReader(collector: RowCollector, json: JsonRows): RowReader {
  let unfinished: Uint8Array[] = [];
  let unfinishedBytes = 0;
  /** Parts that are known to hold no end of a line: a line of many parts is not searched for each. */
  let unended = 0;
  let line = 0;
  let linesBytes = 0;
  const start = createNdjsonStart(collector);
  const turns = new KernelTurns();
  const blockSize = new BlockSize(json);
  const pace = new BlockPace();
  /** Lines that fit it are not too long. */
  const windowMax = Math.min(json.windowBytesMax, rowBytesMax);
  /** Whether what comes belongs to a row that is too long. */
  let isTooLong = false;

  /** Whole lines of UTF-8. */
  const readLines = (block: Buffer): void => {
    const bytes = viewOf(block);
    for (let start = 0; start < block.length; ) {
      const windowEnd = block.lastIndexOf(newline, start + windowMax - 1) + 1;
      if (windowEnd > start) {
        readWindow(block, bytes, start, windowEnd);
        start = windowEnd;
        continue;
      }
      const end = block.indexOf(newline, start) + 1;
      if (end - start <= rowBytesMax) readLine(block, bytes, start);
      else refuseLong();
      start = end;
    }
  };

  const refuseLong = (): void =>
    collector.refuse(new RowRejected("row-too-long", rowTooLong), ++line);

  const readWindow = (block: Buffer, bytes: DataView, from: number, end: number): void => {
    json.load(block, from, end);
    turns.startAgain();
    for (let start = from; start < end; ) {
      if (turns.next()) {
        const rows = collector.addRows(json, start, line + 1);
        line += rows;
        if (rows > 0) start = json.next;
        if (start < end) turns.took(rows, json.placeCount);
      } else start = readLine(block, bytes, start);
    }
  };

  /** Without the kernel; where the next line starts. */
  const readLine = (block: Buffer, bytes: DataView, from: number): number => {
    const next = collector.addPlain(bytes, from, ++line);
    if (next > 0) return next;
    const end = block.indexOf(newline, from);
    const last = end > from && block[end - 1] === carriageReturn ? end - 1 : end;
    const text = block.toString("utf8", from, last);
    if (text.trim() !== "") start.addJson(text, line);
    return end + 1;
  };

  const readBlock = (block: Buffer): void => {
    if (isUtf8(block)) readLines(block);
    else readLinesOneByOne(block);
  };

  const readLinesOneByOne = (block: Buffer): void => {
    let start = 0;
    while (start < block.length) {
      const end = block.indexOf(newline, start) + 1;
      const bytes = block.subarray(start, end);
      if (isUtf8(bytes)) readLines(bytes);
      else collector.refuse(new RowRejected("invalid-unicode", "The line is not UTF-8."), ++line);
      start = end;
    }
  };

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
    refuseLong();
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

  /** What a batch is likely to take: the next one tells its texts anew. */
  const wantedBytes = (): number =>
    line === 0 ? Number.POSITIVE_INFINITY : (collector.room / line) * linesBytes;

  const readParts = (parts: readonly Uint8Array[]): void => {
    // Nothing of a block is kept when it has been read.
    const bytes = countBytes(parts);
    linesBytes += bytes;
    blockSize.starts();
    pace.starts();
    readBlock(bytes <= json.windowBytesMax ? bufferOf(json.join(parts)) : joinBytes(parts));
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
      start.end();
      return undefined;
    },
  };
}

function countBytes(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}
