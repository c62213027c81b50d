import { HadalError } from "@hadal/sdk";
import { type BodyFormat, createRecordScanner } from "./recordScanner.js";

/** A run of whole records of a file, ready to be sent. */
export interface CutBody {
  readonly bytes: Buffer;
  readonly rows: number;
  /** Line of the body → line of the file, both from 1. */
  readonly fileLine: (bodyLine: number) => number;
}

/** Cuts a file into bodies at the ends of records, holding one body at a time. */
export interface BodyCutter {
  /** Bodies that are full by now; throws when a record is too long, after yielding what is whole. */
  push(bytes: Uint8Array): Iterable<CutBody>;
  /** The whole records that are held, when the rest of the file cannot be read. */
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

const comma = 44;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

export function createBodyCutter(format: BodyFormat): BodyCutter {
  const scanner = createRecordScanner(format);
  let pieces: Uint8Array[] = [];
  let heldBytes = 0;
  /** Where in what is held the last whole record ends. */
  let wholeBytes = 0;
  let rows = 0;
  let firstLine = 1;
  let header: Buffer | null = null;
  /** The first bytes of the file, until they are enough to tell a byte order mark. */
  let lead: Buffer | null = Buffer.alloc(0);

  const hold = (bytes: Uint8Array): void => {
    if (bytes.length > 0) pieces.push(bytes);
    heldBytes += bytes.length;
  };

  /** Whole records leave; a record that has only begun stays. */
  const takeWhole = (): Buffer => {
    const held = Buffer.concat(pieces);
    const whole = held.subarray(0, wholeBytes);
    const rest = held.subarray(wholeBytes);
    pieces = rest.length > 0 ? [rest] : [];
    heldBytes = rest.length;
    wholeBytes = 0;
    firstLine += countLines(whole);
    return whole;
  };

  const cut = (): CutBody[] => {
    const from = firstLine;
    const cutRows = rows;
    const whole = takeWhole();
    rows = 0;
    if (cutRows === 0) return [];
    const prefixLines = header === null ? 0 : countLines(header);
    const fileLine = (line: number): number =>
      line <= prefixLines ? line : from + line - prefixLines - 1;
    return [{ bytes: wrap(whole, format, header), rows: cutRows, fileLine }];
  };

  /** A record has ended: the first of CSV is kept as the header of every body, others count as rows. */
  const endRecord = (): CutBody[] => {
    const { hasContent } = scanner;
    scanner.reset();
    wholeBytes = heldBytes;
    if (format === "csv" && header === null && hasContent) {
      header = takeWhole();
      return [];
    }
    if (hasContent) rows += 1;
    return rows === 0 || heldBytes >= bodyBytesTarget || rows >= bodyRowsMax ? cut() : [];
  };

  const withLead = (chunk: Uint8Array): Uint8Array => {
    if (lead === null) return chunk;
    const bytes = Buffer.concat([lead, chunk]);
    lead = null;
    return withoutByteOrderMark(bytes);
  };

  function* scan(bytes: Uint8Array): Generator<CutBody> {
    let from = 0;
    for (let end = scanner.end(bytes, 0); end >= 0; end = scanner.end(bytes, from)) {
      hold(bytes.subarray(from, end));
      yield* endRecord();
      from = end + scanner.separatorBytes;
      // A comma between two elements belongs to a body only when both do.
      if (scanner.separatorBytes > 0 && heldBytes > 0 && bytes[end] === comma) {
        hold(bytes.subarray(end, from));
      }
    }
    hold(bytes.subarray(from));
    if (heldBytes - wholeBytes <= recordBytesMax) return;
    yield* cut();
    throw new HadalError("body-undecodable", {
      detail: `The record that begins at line ${firstLine} is longer than ${recordBytesMax} bytes (recordBytesMax).`,
    });
  }

  return {
    *push(chunk) {
      if (lead !== null && lead.length + chunk.length < byteOrderMark.length) {
        lead = Buffer.concat([lead, chunk]);
      } else {
        yield* scan(withLead(chunk));
      }
    },
    takeWholeRecords: cut,
    *finish() {
      yield* scan(withLead(new Uint8Array(0)));
      const { isWhole } = scanner;
      if (isWhole && scanner.hasContent) yield* endRecord();
      yield* cut();
      if (isWhole) return;
      throw new HadalError("body-undecodable", {
        detail: `The file ends in the middle of the value that begins at line ${firstLine}.`,
      });
    },
  };
}

function wrap(held: Buffer, format: BodyFormat, header: Buffer | null): Buffer {
  if (format === "json") return Buffer.concat([Buffer.from("["), held, Buffer.from("]")]);
  return header === null ? held : Buffer.concat([header, held]);
}

function countLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}

function withoutByteOrderMark(bytes: Buffer): Buffer {
  const isMarked = bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark);
  return isMarked ? bytes.subarray(byteOrderMark.length) : bytes;
}
