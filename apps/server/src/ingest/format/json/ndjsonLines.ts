import { isUtf8 } from "node:buffer";
import type { JsonRows } from "@hadal/kernel-wasm";
import { viewOf } from "../../../base/bytes/byteView.js";
import { KernelUse } from "../../body/kernelUse.js";
import type { RowCollector } from "../../row/rowCollector.js";
import { rowBytesMax, rowTooLong } from "../../row/rowReader.js";
import { RowRejected } from "../../value/rowRejected.js";
import { createNdjsonStart } from "./ndjsonStart.js";

const newline = 0x0a;
const carriageReturn = 0x0d;

/** Reads whole lines: with the kernel where it can, else one by one. */
export interface NdjsonLines {
  /** Lines read so far. */
  readonly count: () => number;
  read(block: Buffer): void;
  /** Refuses a row that is too long to be held. */
  refuseLong(): void;
  end(): void;
}

export function createNdjsonLines(collector: RowCollector, json: JsonRows): NdjsonLines {
  let line = 0;
  const start = createNdjsonStart(collector);
  const turns = new KernelUse();
  /** Lines that fit it are not too long. */
  const windowMax = Math.min(json.windowBytesMax, rowBytesMax);

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

  return { count: () => line, read: readBlock, refuseLong, end: () => start.end() };
}
