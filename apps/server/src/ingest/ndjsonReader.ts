import { isUtf8 } from "node:buffer";
import { viewOf } from "./byteView.js";
import type { RowCollector } from "./rowCollector.js";
import type { RowReader } from "./rowReader.js";
import { RowRejected } from "./rowRejected.js";

const newline = 0x0a;
const carriageReturn = 0x0d;
const lineEnd = Buffer.from("\n");

/** One JSON object a line. A line that is no row is refused alone; blank lines are passed over. */
export function createNdjsonReader(collector: RowCollector): RowReader {
  let unfinished: Uint8Array[] = [];
  let line = 0;

  /** Whole lines of UTF-8. */
  const readLines = (block: Buffer): void => {
    const bytes = viewOf(block);
    for (let start = 0; start < block.length; ) {
      const next = collector.addPlain(bytes, start, ++line);
      if (next > 0) {
        start = next;
        continue;
      }
      const end = block.indexOf(newline, start);
      const last = end > start && block[end - 1] === carriageReturn ? end - 1 : end;
      const text = block.toString("utf8", start, last);
      if (text.trim() !== "") collector.addJson(text, line);
      start = end + 1;
    }
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
      if (unfinished.length > 0) readBlock(Buffer.concat([...unfinished, lineEnd]));
    },
  };
}

/** Without a copy when there is one part only. */
export function joinBytes(parts: readonly Uint8Array[]): Buffer {
  const [first] = parts;
  if (parts.length !== 1 || first === undefined) return Buffer.concat(parts);
  return Buffer.from(first.buffer, first.byteOffset, first.byteLength);
}
