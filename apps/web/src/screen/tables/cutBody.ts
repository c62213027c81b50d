import { findCsvStart } from "@hadal/sdk";
import type { BodyFormat } from "./readPreview.js";

/** A part of a file that can be sent by itself. */
export interface BodyPart {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Lines of the file before its first one; a header that was repeated does not count. */
  readonly linesBefore: number;
  /** Its own lines, as far as they end. */
  readonly lines: number;
  /** Lines of header that were put in front of it. */
  readonly headerLines: number;
  /** Where in the file it ends, for progress. */
  readonly endByte: number;
}

export interface CutOptions {
  readonly format: BodyFormat;
  readonly partBytes: number;
  /** What separates values of CSV; left out: found by its start. */
  readonly delimiter?: string | undefined;
}

/** A JSON list is one body, however long: the server takes so much. */
export const wholeBytesMax = 64 * 1024 * 1024;

/** Such a share of a part at the end of a file goes with the one before it: comments behind the rows are no body. */
const tailShare = 1 / 16;

const newline = 10;
const quote = 34;

/** Cuts a file at the ends of its lines into parts of about `partBytes`; never within a quoted cell. */
export async function* cutBody(
  file: Blob,
  { format, partBytes, delimiter }: CutOptions,
): AsyncGenerator<BodyPart> {
  if (format === "json") {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const lines = countLines(bytes);
    yield { bytes, linesBefore: 0, lines, headerLines: 0, endByte: file.size };
    return;
  }
  const csv = format === "csv" ? await readCsvStart(file, delimiter) : null;
  let header = new Uint8Array(0);
  let headerLines = 0;
  let linesBefore = 0;
  let at = 0;
  while (at < file.size) {
    const { bytes, lines } = await readPart(file, at, partBytes, csv);
    at += bytes.length;
    const part = join(header, bytes);
    yield { bytes: part, linesBefore, lines, headerLines, endByte: at };
    if (csv !== null && header.length === 0) {
      header = bytes.slice(0, headerEnd(bytes, csv));
      headerLines = countLines(header);
    }
    linesBefore += lines;
  }
}

/** From `start` to the last line end within reach; further when one line is longer than that. */
async function readPart(
  file: Blob,
  start: number,
  partBytes: number,
  csv: CsvShape | null,
): Promise<{ bytes: Uint8Array; lines: number }> {
  for (let reach = partBytes; ; reach *= 2) {
    const isLast = start + reach + Math.floor(partBytes * tailShare) >= file.size;
    const end = isLast ? file.size : start + reach;
    const bytes = new Uint8Array(await file.slice(start, end).arrayBuffer());
    if (end === file.size) return { bytes, lines: countLines(bytes) };
    const cut = csv === null ? bytes.lastIndexOf(newline) + 1 : lastRecordEnd(bytes, csv);
    // A header alone is no body: its first row goes with it.
    const least = csv !== null && start === 0 ? headerEnd(bytes, csv) : 0;
    if (cut > least)
      return { bytes: bytes.slice(0, cut), lines: countLines(bytes.subarray(0, cut)) };
  }
}

/** What tells where records of CSV end. */
interface CsvShape {
  readonly separator: number;
  /** Bytes before the header: a line `sep=;`. */
  readonly headerStart: number;
}

const csvStartBytes = 65_536;

async function readCsvStart(file: Blob, delimiter: string | undefined): Promise<CsvShape> {
  const start = findCsvStart(await file.slice(0, csvStartBytes).text(), { delimiter });
  return { separator: start.delimiter.charCodeAt(0), headerStart: start.headerStart };
}

/** Just behind the last record that ends in these bytes, which begin with one; 0: none does. */
function lastRecordEnd(bytes: Uint8Array, csv: CsvShape): number {
  let end = 0;
  for (const at of recordEnds(bytes, csv)) end = at;
  return end;
}

/** Just behind the header. */
function headerEnd(bytes: Uint8Array, csv: CsvShape): number {
  for (const at of recordEnds(bytes, csv)) if (at > csv.headerStart) return at;
  return bytes.length;
}

/** A newline ends a record unless it stands in quotes, which open at the start of a value only. */
function* recordEnds(bytes: Uint8Array, { separator }: CsvShape): Generator<number> {
  let inQuotes = false;
  let atStart = true;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (inQuotes) {
      // A doubled quote closes, and opens again at once.
      if (byte === quote) [inQuotes, atStart] = [false, true];
    } else if (byte === quote && atStart) inQuotes = true;
    else {
      atStart = byte === separator || byte === newline;
      if (byte === newline) yield i + 1;
    }
  }
}

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (const byte of bytes) if (byte === newline) lines++;
  return lines;
}

function join(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(a.length + b.length);
  joined.set(a);
  joined.set(b, a.length);
  return joined;
}
