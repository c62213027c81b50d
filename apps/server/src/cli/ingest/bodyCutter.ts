import { findCsvStart, HadalError } from "@hadal/sdk";
import { type BodyFormat, createRecordScanner, type RecordScanner } from "./recordScanner.js";

/** A run of whole records of a file, ready to be sent. */
export interface CutBody {
  readonly bytes: Buffer;
  readonly rows: number;
  /** Line of the body → line of the file, both from 1. */
  readonly fileLine: (bodyLine: number) => number;
}

/** Cuts a file into bodies at the ends of records, with one body in memory at a time. */
export interface BodyCutter {
  /** Bodies that are full by now; throws when a record is too long, after yielding what is whole. */
  push(bytes: Uint8Array): Iterable<CutBody>;
  /** The whole records in memory, when the rest of the file cannot be read. */
  takeWholeRecords(): Iterable<CutBody>;
  /** What is left at the end of the file; throws when that ends too early. */
  finish(): Iterable<CutBody>;
}

/** A body is cut at the first record that ends beyond this: large enough to be worth a request, small enough for many in flight. */
export const bodyBytesTarget = 1_048_576;
/** With the target this stays below the 4 MiB that every server takes. */
export const recordBytesMax = 3_000_000;
/** Fits one batch of a leaf. */
export const bodyRowsMax = 10_000;

/** Enough bytes to find the delimiter. */
const csvLeadBytes = 65_536;
const comma = 44;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** What separates the values of CSV; what is left out is found by the first rows. */
export interface CsvHints {
  readonly delimiter?: string | undefined;
  readonly timeName?: string | undefined;
}

export function createBodyCutter(format: BodyFormat, hints: CsvHints = {}): BodyCutter {
  return new HoldingCutter(format, hints);
}

class HoldingCutter implements BodyCutter {
  readonly #format: BodyFormat;
  readonly #hints: CsvHints;
  #scanner: RecordScanner;
  #pieces: Uint8Array[] = [];
  #heldBytes = 0;
  /** End offset of the last complete record in the buffer. */
  #wholeBytes = 0;
  #rows = 0;
  /** Line of the file at which the buffer begins. */
  #firstLine = 1;
  #header: Buffer | null = null;
  /** Records that are not rows and go with every body: of CSV its header, and a line `sep=;` before it. */
  #headerRecords = 1;
  /** The first bytes of the file, until there are enough to find a byte order mark and a delimiter. */
  #lead: Buffer | null = Buffer.alloc(0);
  readonly #leadBytes: number;

  constructor(format: BodyFormat, hints: CsvHints) {
    this.#format = format;
    this.#hints = hints;
    this.#scanner = createRecordScanner(format);
    this.#leadBytes = format === "csv" ? csvLeadBytes : byteOrderMark.length;
  }

  *push(chunk: Uint8Array): Generator<CutBody> {
    if (this.#lead !== null && this.#lead.length + chunk.length < this.#leadBytes) {
      this.#lead = Buffer.concat([this.#lead, chunk]);
    } else {
      yield* this.#scan(this.#withLead(chunk));
    }
  }

  *takeWholeRecords(): Generator<CutBody> {
    yield* this.#scan(this.#withLead(new Uint8Array(0)));
    yield* this.#cut();
  }

  *finish(): Generator<CutBody> {
    yield* this.#scan(this.#withLead(new Uint8Array(0)));
    const { isWhole } = this.#scanner;
    if (isWhole && this.#scanner.hasContent) yield* this.#endRecord();
    yield* this.#cut();
    if (isWhole) return;
    throw new HadalError("body-undecodable", {
      detail: `The file ends in the middle of the value that begins at line ${this.#firstLine}.`,
    });
  }

  *#scan(bytes: Uint8Array): Generator<CutBody> {
    const scanner = this.#scanner;
    let from = 0;
    for (let end = scanner.end(bytes, 0); end >= 0; end = scanner.end(bytes, from)) {
      this.#hold(bytes.subarray(from, end));
      yield* this.#endRecord();
      from = end + scanner.separatorBytes;
      // A comma between two elements belongs to a body only when both do.
      if (scanner.separatorBytes > 0 && this.#heldBytes > 0 && bytes[end] === comma) {
        this.#hold(bytes.subarray(end, from));
      }
    }
    this.#hold(bytes.subarray(from));
    if (this.#heldBytes - this.#wholeBytes <= recordBytesMax) return;
    yield* this.#cut();
    throw new HadalError("body-undecodable", {
      detail: `The record that begins at line ${this.#firstLine} is longer than ${recordBytesMax} bytes (recordBytesMax).`,
    });
  }

  /** A record has ended: the first of CSV is kept as the header of every body, others count as rows. */
  #endRecord(): CutBody[] {
    const { hasContent } = this.#scanner;
    this.#scanner.reset();
    this.#wholeBytes = this.#heldBytes;
    if (this.#format === "csv" && this.#headerRecords > 0 && hasContent) {
      this.#headerRecords--;
      this.#header = Buffer.concat([this.#header ?? Buffer.alloc(0), this.#takeWhole()]);
      return [];
    }
    if (hasContent) this.#rows += 1;
    const isFull = this.#heldBytes >= bodyBytesTarget || this.#rows >= bodyRowsMax;
    return this.#rows === 0 || isFull ? this.#cut() : [];
  }

  #cut(): CutBody[] {
    const rows = this.#rows;
    const header = this.#header;
    const firstLine = this.#firstLine;
    const whole = this.#takeWhole();
    this.#rows = 0;
    if (rows === 0) return [];
    const prefixLines = header === null ? 0 : countLines(header);
    const fileLine = (line: number): number =>
      line <= prefixLines ? line : firstLine + line - prefixLines - 1;
    const bytes = this.#scanner.isList ? asList(whole) : withHeader(whole, header);
    return [{ bytes, rows, fileLine }];
  }

  /** Whole records leave; a record that has only begun stays. */
  #takeWhole(): Buffer {
    const held = Buffer.concat(this.#pieces);
    const whole = held.subarray(0, this.#wholeBytes);
    const rest = held.subarray(this.#wholeBytes);
    this.#pieces = rest.length > 0 ? [rest] : [];
    this.#heldBytes = rest.length;
    this.#wholeBytes = 0;
    this.#firstLine += countLines(whole);
    return whole;
  }

  #hold(bytes: Uint8Array): void {
    if (bytes.length > 0) this.#pieces.push(bytes);
    this.#heldBytes += bytes.length;
  }

  #withLead(chunk: Uint8Array): Uint8Array {
    if (this.#lead === null) return chunk;
    const bytes = withoutByteOrderMark(Buffer.concat([this.#lead, chunk]));
    this.#lead = null;
    if (this.#format === "csv") {
      const start = findCsvStart(bytes.toString("latin1", 0, csvLeadBytes), this.#hints);
      this.#scanner = createRecordScanner("csv", start.delimiter);
      if (start.headerStart > 0) this.#headerRecords = 2;
    }
    return bytes;
  }
}

const asList = (records: Buffer): Buffer =>
  Buffer.concat([Buffer.from("["), records, Buffer.from("]")]);

const withHeader = (records: Buffer, header: Buffer | null): Buffer =>
  header === null ? records : Buffer.concat([header, records]);

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}

function withoutByteOrderMark(bytes: Buffer): Buffer {
  const isMarked = bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark);
  return isMarked ? bytes.subarray(byteOrderMark.length) : bytes;
}
