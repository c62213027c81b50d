import type { JsonRows } from "@hadal/kernel-wasm";
import { bufferOf, joinBytes } from "../../../base/bytes/byteView.js";
import { BlockSize } from "../../body/blockSize.js";
import { BlockPace } from "../../body/readPace.js";
import type { RowCollector } from "../../row/rowCollector.js";
import { type RowReader, rowBytesMax } from "../../row/rowReader.js";
import { NdjsonLines } from "./ndjsonLines.js";

const newline = 0x0a;
const lineEnd = Buffer.from("\n");

/**
 * Reads one JSON object a line. A line that is no row is refused alone; blank lines are skipped.
 */
export const createNdjsonReader = (collector: RowCollector, json: JsonRows): RowReader =>
  new NdjsonReader(collector, json);

class NdjsonReader implements RowReader {
  #unfinished: Uint8Array[] = [];
  #unfinishedBytes = 0;
  /** Unfinished parts that were searched for the end of a line: each is searched once. */
  #searchedParts = 0;
  #linesBytes = 0;
  /** The next bytes belong to a row that is too long. */
  #isTooLong = false;
  readonly #lines: NdjsonLines;
  readonly #blockSize: BlockSize;
  readonly #pace = new BlockPace();
  readonly #collector: RowCollector;
  readonly #json: JsonRows;

  constructor(collector: RowCollector, json: JsonRows) {
    this.#collector = collector;
    this.#json = json;
    this.#lines = new NdjsonLines(collector, json);
    this.#blockSize = new BlockSize(json);
  }

  pieceBytes(): number {
    return this.#pace.bytes;
  }

  push(part: Uint8Array): undefined {
    const bytes = this.#skipTooLong(part);
    if (bytes.length === 0) return;
    if (this.#unfinishedBytes + bytes.length > this.#json.windowBytesMax) this.#readWholeLines();
    this.#unfinished.push(bytes);
    this.#unfinishedBytes += bytes.length;
    const blockBytes = Math.min(this.#wantedBytes(), this.#blockSize.bytes, this.#pace.bytes);
    if (this.#unfinishedBytes >= blockBytes) this.#readWholeLines();
  }

  end(): undefined {
    if (this.#unfinished.length > 0) this.#readParts([...this.#unfinished, lineEnd]);
    this.#lines.end();
  }

  /** Reads up to the end of the last whole line; the rest waits. */
  #readWholeLines(): void {
    const unfinished = this.#unfinished;
    let found = unfinished.length - 1;
    while (found >= this.#searchedParts && !unfinished[found]!.includes(newline)) found--;
    if (found >= this.#searchedParts) {
      const part = unfinished[found]!;
      const end = part.lastIndexOf(newline) + 1;
      this.#readParts([...unfinished.slice(0, found), part.subarray(0, end)]);
      this.#keep([part.subarray(end), ...unfinished.slice(found + 1)]);
    }
    this.#searchedParts = this.#unfinished.length;
    if (this.#unfinishedBytes > rowBytesMax) this.#refuseLong();
  }

  #keep(rest: readonly Uint8Array[]): void {
    this.#unfinished = rest.filter(({ length }) => length > 0);
    this.#unfinishedBytes = countBytes(this.#unfinished);
  }

  #refuseLong(): void {
    this.#lines.refuseLong();
    this.#isTooLong = true;
    this.#keep([]);
    this.#searchedParts = 0;
  }

  /** The bytes of a part behind a row that is too long. */
  #skipTooLong(bytes: Uint8Array): Uint8Array {
    if (!this.#isTooLong) return bytes;
    const end = bytes.indexOf(newline) + 1;
    this.#isTooLong = end === 0;
    return bytes.subarray(this.#isTooLong ? bytes.length : end);
  }

  /**
   * Estimated bytes of the rows that the batch still takes: the next batch stores its texts again.
   */
  #wantedBytes(): number {
    const { count } = this.#lines;
    return count === 0
      ? Number.POSITIVE_INFINITY
      : (this.#collector.room / count) * this.#linesBytes;
  }

  #readParts(parts: readonly Uint8Array[]): void {
    const json = this.#json;
    const bytes = countBytes(parts);
    this.#linesBytes += bytes;
    this.#blockSize.starts();
    this.#pace.starts();
    // The kernel's memory may be reused: nothing of a block is kept after it is read.
    this.#lines.read(bytes <= json.windowBytesMax ? bufferOf(json.join(parts)) : joinBytes(parts));
    this.#pace.ends(bytes);
    this.#blockSize.ends();
  }
}

function countBytes(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}
