import { isUtf8 } from "node:buffer";
import type { JsonRows } from "@hadal/kernel-wasm";
import { viewOf } from "../../../base/bytes/byteView.js";
import { KernelUse } from "../../body/kernelUse.js";
import type { RowCollector } from "../../row/rowCollector.js";
import { rowBytesMax, rowTooLong } from "../../row/rowReader.js";
import { RowRejected } from "../../value/rowRejected.js";
import { createNdjsonStart, type NdjsonStart } from "./ndjsonStart.js";

const newline = 0x0a;
const carriageReturn = 0x0d;

/** Reads blocks of whole lines: many at once with the kernel where it can, else one by one. */
export class NdjsonLines {
  /** Lines read so far. */
  count = 0;
  readonly #start: NdjsonStart;
  readonly #kernelUse = new KernelUse();
  /** Lines that fit the kernel's window are not too long. */
  readonly #windowMax: number;
  readonly #collector: RowCollector;
  readonly #json: JsonRows;

  constructor(collector: RowCollector, json: JsonRows) {
    this.#collector = collector;
    this.#json = json;
    this.#start = createNdjsonStart(collector);
    this.#windowMax = Math.min(json.windowBytesMax, rowBytesMax);
  }

  read(block: Buffer): void {
    if (isUtf8(block)) this.#readLines(block);
    else this.#readLinesOneByOne(block);
  }

  /** Refuses a row that is too long. */
  refuseLong(): void {
    this.#refuse(new RowRejected("row-too-long", rowTooLong));
  }

  end(): void {
    this.#start.end();
  }

  /** `block`: UTF-8. */
  #readLines(block: Buffer): void {
    const bytes = viewOf(block);
    for (let start = 0; start < block.length; ) {
      const windowEnd = block.lastIndexOf(newline, start + this.#windowMax - 1) + 1;
      if (windowEnd > start) {
        this.#readWindow(block, bytes, start, windowEnd);
        start = windowEnd;
        continue;
      }
      const end = block.indexOf(newline, start) + 1;
      if (end - start <= rowBytesMax) this.#readLine(block, bytes, start);
      else this.refuseLong();
      start = end;
    }
  }

  /** Lines that are not UTF-8 are refused, the others are read. */
  #readLinesOneByOne(block: Buffer): void {
    let start = 0;
    while (start < block.length) {
      const end = block.indexOf(newline, start) + 1;
      const bytes = block.subarray(start, end);
      if (isUtf8(bytes)) this.#readLines(bytes);
      else this.#refuse(new RowRejected("invalid-unicode", "The line is not UTF-8."));
      start = end;
    }
  }

  #readWindow(block: Buffer, bytes: DataView, from: number, end: number): void {
    const json = this.#json;
    const use = this.#kernelUse;
    json.load(block, from, end);
    use.startAgain();
    for (let start = from; start < end; ) {
      if (use.next()) {
        const rows = this.#collector.addRows(json, start, this.count + 1);
        this.count += rows;
        if (rows > 0) start = json.next;
        if (start < end) use.took(rows, json.placeCount);
      } else start = this.#readLine(block, bytes, start);
    }
  }

  /** Reads a line without the kernel. Returns where the next line starts. */
  #readLine(block: Buffer, bytes: DataView, from: number): number {
    const next = this.#collector.addPlain(bytes, from, ++this.count);
    if (next > 0) return next;
    const end = block.indexOf(newline, from);
    const last = end > from && block[end - 1] === carriageReturn ? end - 1 : end;
    const text = block.toString("utf8", from, last);
    if (text.trim() !== "") this.#start.addJson(text, this.count);
    return end + 1;
  }

  #refuse(rejected: RowRejected): void {
    this.#collector.refuse(rejected, ++this.count);
  }
}
