import { isAscii, isUtf8 } from "node:buffer";
import type { RowCollector } from "./rowCollector.js";
import type { RowReader } from "./rowReader.js";
import { RowRejected } from "./rowRejected.js";

const newline = 0x0a;

/** One JSON object a line. A line that is no row is refused alone; blank lines are passed over. */
export function createNdjsonReader(collector: RowCollector): RowReader {
  let unfinished: Uint8Array[] = [];
  let line = 0;

  const readText = (text: string): void => {
    let start = 0;
    let backslashAt = -1;
    while (start < text.length) {
      let end = text.indexOf("\n", start);
      if (end < 0) end = text.length;
      line++;
      if (backslashAt < start) backslashAt = indexOrEnd(text, "\\", start);
      const last = text.charCodeAt(end - 1) === 0x0d ? end - 1 : end;
      if (!isBlank(text, start, last)) {
        collector.addJson(text, line, start, last, backslashAt >= last);
      }
      start = end + 1;
    }
  };

  const readBlock = (block: Buffer): void => {
    // Latin-1 makes one-byte strings of it, which JSON.parse reads faster.
    if (isAscii(block)) readText(block.toString("latin1"));
    else if (isUtf8(block)) readText(block.toString("utf8"));
    else readLinesOneByOne(block);
  };

  const readLinesOneByOne = (block: Buffer): void => {
    let start = 0;
    while (start < block.length) {
      const found = block.indexOf(newline, start);
      const end = found < 0 ? block.length : found + 1;
      const bytes = block.subarray(start, end);
      if (isUtf8(bytes)) readText(bytes.toString("utf8"));
      else collector.refuse(new RowRejected("invalid-unicode", "The line is not UTF-8."), ++line);
      start = end;
    }
  };

  return {
    push(bytes) {
      const lastNewline = bytes.lastIndexOf(newline);
      if (lastNewline < 0) {
        unfinished.push(bytes);
        return;
      }
      const whole = bytes.subarray(0, lastNewline + 1);
      readBlock(joinBytes([...unfinished, whole]));
      unfinished = lastNewline + 1 < bytes.length ? [bytes.subarray(lastNewline + 1)] : [];
    },
    end() {
      if (unfinished.length > 0) readBlock(joinBytes(unfinished));
    },
  };
}

/** Without a copy when there is one part only. */
export function joinBytes(parts: readonly Uint8Array[]): Buffer {
  const [first] = parts;
  if (parts.length !== 1 || first === undefined) return Buffer.concat(parts);
  return Buffer.from(first.buffer, first.byteOffset, first.byteLength);
}

function isBlank(text: string, start: number, end: number): boolean {
  if (end <= start) return true;
  return text.charCodeAt(start) !== 0x7b && text.slice(start, end).trim() === "";
}

function indexOrEnd(text: string, wanted: string, from: number): number {
  const index = text.indexOf(wanted, from);
  return index < 0 ? text.length : index;
}
