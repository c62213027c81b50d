import { isUtf8 } from "node:buffer";
import type { JsonRows } from "@hadal/kernel-wasm";
import { viewOf } from "./byteView.js";
import type { RowCollector } from "./rowCollector.js";
import type { RowReader } from "./rowReader.js";
import { RowRejected } from "./rowRejected.js";

const newline = 0x0a;
const carriageReturn = 0x0d;
const lineEnd = Buffer.from("\n");
/** Asking the kernel costs about as much as reading so many rows without it. */
const kernelRowsMin = 4;
/** Where most rows are none for the kernel, so many at most are read before it is asked again. */
const linesWithoutMax = 64;

/** One JSON object a line. A line that is no row is refused alone; blank lines are passed over. */
export function createNdjsonReader(collector: RowCollector, json: JsonRows): RowReader {
  let unfinished: Uint8Array[] = [];
  let unfinishedBytes = 0;
  let line = 0;
  let linesWithout = 0;

  /** Whole lines of UTF-8. */
  const readLines = (block: Buffer): void => {
    const bytes = viewOf(block);
    for (let start = 0; start < block.length; ) {
      const windowEnd = block.lastIndexOf(newline, start + json.windowBytesMax - 1) + 1;
      if (windowEnd > start) {
        readWindow(block, bytes, start, windowEnd);
        start = windowEnd;
      } else start = readLine(block, bytes, start);
    }
  };

  const readWindow = (block: Buffer, bytes: DataView, from: number, end: number): void => {
    json.load(block, from, end);
    let untilKernel = 0;
    for (let start = from; start < end; ) {
      if (untilKernel === 0) {
        const rows = collector.addLines(json, bytes, start, line + 1);
        line += rows;
        if (rows > 0) start = json.next;
        if (start === end) return;
        linesWithout = rows < kernelRowsMin ? Math.min(2 * linesWithout + 1, linesWithoutMax) : 1;
        untilKernel = linesWithout;
      }
      untilKernel--;
      start = readLine(block, bytes, start);
    }
  };

  /** Without the kernel; where the next line starts. */
  const readLine = (block: Buffer, bytes: DataView, start: number): number => {
    const next = collector.addPlain(bytes, start, ++line);
    if (next > 0) return next;
    const end = block.indexOf(newline, start);
    const last = end > start && block[end - 1] === carriageReturn ? end - 1 : end;
    const text = block.toString("utf8", start, last);
    if (text.trim() !== "") collector.addJson(text, line);
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

  return {
    push(bytes) {
      unfinished.push(bytes);
      unfinishedBytes += bytes.length;
      // Many lines at once cost less each.
      if (unfinishedBytes < json.windowBytesMax) return;
      const lastNewline = bytes.lastIndexOf(newline);
      if (lastNewline < 0) return;
      unfinished[unfinished.length - 1] = bytes.subarray(0, lastNewline + 1);
      readBlock(joinBriefly(unfinished));
      const rest = bytes.subarray(lastNewline + 1);
      unfinished = rest.length > 0 ? [rest] : [];
      unfinishedBytes = rest.length;
    },
    end() {
      if (unfinished.length > 0) readBlock(joinBriefly([...unfinished, lineEnd]));
    },
  };
}

/** Nothing of a block is kept when it has been read: one buffer serves all. */
const scratch = Buffer.alloc(1 << 20);

/** Good until the next call. */
function joinBriefly(parts: readonly Uint8Array[]): Buffer {
  const byteCount = parts.reduce((sum, { length }) => sum + length, 0);
  if (parts.length === 1 || byteCount > scratch.length) return joinBytes(parts);
  let at = 0;
  for (const part of parts) {
    scratch.set(part, at);
    at += part.length;
  }
  return scratch.subarray(0, byteCount);
}

/** Without a copy when there is one part only. */
export function joinBytes(parts: readonly Uint8Array[]): Buffer {
  const [first] = parts;
  if (parts.length !== 1 || first === undefined) return Buffer.concat(parts);
  return Buffer.from(first.buffer, first.byteOffset, first.byteLength);
}
