import { isUtf8 } from "node:buffer";
import { type JsonRows, rowLayout } from "@hadal/kernel-wasm";
import { viewOf } from "../../../base/bytes/byteView.js";
import { BlockSize } from "../../body/blockSize.js";
import { bodyProblem } from "../../body/bodyProblem.js";
import { KernelUse } from "../../body/kernelUse.js";
import { BlockPace } from "../../body/readPace.js";
import type { RowCollector } from "../../row/rowCollector.js";
import { type RowReader, rowBytesMax, rowTooLong } from "../../row/rowReader.js";
import { RowRejected } from "../../value/rowRejected.js";

const newline = 0x0a;
const lineEnd = Buffer.from("\n");
/**
 * Bytes read at once where the kernel reads few of them: the thread does nothing else meanwhile.
 */
const blockBytesLeast = 65_536;
/** However small they are. */
const partsMax = 4_096;
/** A row ends here: nothing of it follows in this line or the next one. */
const blockEnd = Buffer.from("\n\n");

type Place = "start" | "list" | "row" | "after" | "lost";

/**
 * Reads a JSON array of rows, or one row, or several after each other. It splits the bytes at the
 * commas between rows: so one row at a time is text, and a broken one is refused alone. The kernel
 * reads many rows at once where it can.
 */
export function createJsonReader(collector: RowCollector, json: JsonRows): RowReader {
  return new JsonReader(collector, json);
}

class JsonReader implements RowReader {
  readonly #collector: RowCollector;
  readonly #json: JsonRows;
  #place: Place = "start";
  #line = 1;
  #single = false;
  #commaBefore = false;
  #rowBefore = false;
  /** Where the row before ended; 0 when there was none. */
  #lineBefore = 0;

  /** Bytes that wait to be read: many rows at once cost less each. */
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #blockBytes = blockBytesLeast;
  readonly #turns = new KernelUse();
  readonly #blockSize: BlockSize;
  readonly #pace = new BlockPace();

  // The row being split off.
  #parts: Uint8Array[] = [];
  /** Of the parts, and of those that were dropped because the row is too long. */
  #rowBytes = 0;
  #rowLine = 1;
  #depth = 0;
  #inString = false;
  #escaped = false;

  constructor(collector: RowCollector, json: JsonRows) {
    this.#collector = collector;
    this.#json = json;
    this.#blockSize = new BlockSize(json);
  }

  pieceBytes(): number {
    return this.#pace.bytes;
  }

  push(bytes: Uint8Array): undefined {
    for (let at = 0; at < bytes.length; ) {
      const window = this.#json.windowBytesMax - blockEnd.length;
      const most = Math.min(this.#blockBytes, this.#pace.bytes, window);
      const part = bytes.subarray(at, at + most);
      if (this.#waitingBytes + part.length > most || this.#waiting.length === partsMax) {
        this.#readWaiting();
        continue;
      }
      this.#waiting.push(part);
      this.#waitingBytes += part.length;
      at += part.length;
    }
  }

  end(): undefined {
    this.#readWaiting();
    // A row whose brackets are closed is whole, though the list is not.
    const whole = this.#place === "row" && this.#depth === 0 && !this.#inString;
    if (whole) this.#finishRow(new Uint8Array(0));
    if (this.#place === "row") {
      this.#refuse("Not JSON: the body ends within this row.", this.#rowLine);
    } else if (this.#place === "list") {
      this.#refuse(
        "Not JSON: the body ends before the `]` that closes the list of rows.",
        this.#line,
      );
    }
  }

  #readWaiting(): void {
    const json = this.#json;
    const turns = this.#turns;
    const blockSize = this.#blockSize;
    const pace = this.#pace;
    blockSize.starts();
    pace.starts();
    const block = json.join([...this.#waiting, blockEnd]);
    const bytes = block.subarray(0, this.#waitingBytes);
    this.#waiting = [];
    this.#waitingBytes = 0;
    json.load(block, 0, block.length);
    turns.startAgain();
    const isText = isUtf8(wholeLetters(bytes));
    let taken = 0;
    for (let at = 0; at < bytes.length; ) {
      if (this.#place === "row") at = this.#readRow(bytes, at);
      else if (isText && this.#place === "list" && bytes[at] === 0x7b && turns.next()) {
        const next = this.#readRows(at);
        taken += next - at;
        at = next;
      } else at = this.#readBetween(bytes, at);
    }
    const isFast = 2 * taken > bytes.length;
    this.#blockBytes = isFast ? Math.min(2 * this.#blockBytes, blockSize.bytes) : blockBytesLeast;
    pace.ends(bytes.length);
    blockSize.ends();
  }

  /**
   * As the row before was, on the same line or on the next. Returns where the first row starts that
   * the kernel does not read.
   */
  #readRows(at: number): number {
    const json = this.#json;
    const collector = this.#collector;
    const lines = this.#line - this.#lineBefore;
    const isListed = lines === 0 || lines === 1;
    const layout = lines === 0 ? rowLayout.listedInLine : rowLayout.listedInLines;
    const rows = isListed ? collector.addRows(json, at, this.#line, layout) : 0;
    this.#line += rows * lines;
    this.#lineBefore = this.#line - lines;
    this.#turns.took(rows, json.placeCount);
    return rows === 0 ? at : json.next;
  }

  /** Reads one byte outside of rows. */
  #readBetween(bytes: Uint8Array, at: number): number {
    const byte = bytes[at]!;
    if (byte === 0x0a) this.#line++;
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return at + 1;
    if (this.#place === "start") return this.#readStart(byte, at);
    if (this.#place === "list") return this.#readSeparator(byte, at);
    if (this.#place === "after") {
      if (this.#single && byte === 0x7b) {
        this.#startRow();
        return at;
      }
      // The intended value is unknown: the text may have been cut, or two joined.
      throw bodyProblem(
        "bad-request",
        "invalid-json",
        this.#line,
        "Not JSON: there is more text after the end of the rows. Nothing was stored.",
      );
    }
    return bytes.length;
  }

  #readStart(byte: number, at: number): number {
    if (byte === 0x5b) {
      this.#place = "list";
      return at + 1;
    }
    if (byte !== 0x7b) {
      this.#refuse("Not JSON rows: the body should start with `[` or `{`.", this.#line);
      this.#place = "lost";
      return at + 1;
    }
    this.#single = true;
    this.#startRow();
    return at;
  }

  #readSeparator(byte: number, at: number): number {
    if (byte === 0x5d) {
      if (this.#commaBefore)
        this.#refuse(
          "Not JSON: a comma stands before the `]` that closes the list; leave it out.",
          this.#line,
        );
      this.#place = "after";
      return at + 1;
    }
    if (byte === 0x2c) {
      if (!this.#rowBefore) this.#refuse("Not JSON: no row before this comma.", this.#line);
      this.#commaBefore = true;
      this.#rowBefore = false;
      return at + 1;
    }
    this.#startRow();
    return at;
  }

  #startRow(): void {
    this.#place = "row";
    this.#rowLine = this.#line;
    this.#parts = [];
    this.#rowBytes = 0;
    this.#depth = 0;
    this.#inString = false;
    this.#escaped = false;
  }

  /** Skips to the end of the row, or of the bytes. */
  #readRow(bytes: Uint8Array, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (byte === 0x0a) this.#line++;
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === 0x5c) this.#escaped = true;
        else if (byte === 0x22) this.#inString = false;
      } else if (byte === 0x22) this.#inString = true;
      else if (byte === 0x7b || byte === 0x5b) this.#depth++;
      else if (this.#depth === 0 && (byte === 0x2c || byte === 0x5d)) {
        this.#finishRow(bytes.subarray(from, at));
        return at;
      } else if (byte === 0x7d || byte === 0x5d) {
        this.#depth--;
        if (this.#depth <= 0 && this.#single) {
          this.#finishRow(bytes.subarray(from, at + 1));
          return at + 1;
        }
        if (this.#depth < 0) this.#depth = 0;
      }
    }
    // The next bytes replace these in memory.
    this.#rowBytes += bytes.length - from;
    if (this.#rowBytes <= rowBytesMax) this.#parts.push(Buffer.from(bytes.subarray(from)));
    else this.#parts = [];
    return bytes.length;
  }

  #finishRow(last: Uint8Array): void {
    const row = Buffer.concat([...this.#parts, last]);
    const isTooLong = this.#rowBytes + last.length > rowBytesMax;
    this.#parts = [];
    this.#place = this.#single ? "after" : "list";
    this.#commaBefore = false;
    this.#rowBefore = true;
    this.#lineBefore = this.#line;
    if (isTooLong) {
      this.#collector.refuse(new RowRejected("row-too-long", rowTooLong), this.#rowLine);
    } else if (!isUtf8(row)) {
      const fault = new RowRejected("invalid-unicode", "The row is not UTF-8.");
      this.#collector.refuse(fault, this.#rowLine);
    } else if (row.includes(newline) || this.#addPlain(row) < 0) {
      this.#collector.addJson(row.toString("utf8"), this.#rowLine);
    }
  }

  #addPlain(row: Buffer): number {
    return this.#collector.addPlain(viewOf(Buffer.concat([row, lineEnd])), 0, this.#rowLine);
  }

  #refuse(detail: string, line: number): void {
    this.#collector.refuse(new RowRejected("invalid-json", detail), line);
  }
}

/**
 * Without the ends of a letter that may be cut on either side; the row that it is in is read whole
 * elsewhere.
 */
function wholeLetters(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < 3 && (bytes[start]! & 0xc0) === 0x80) start++;
  // A brace is not cut.
  return bytes.subarray(start, bytes.lastIndexOf(0x7d) + 1);
}
