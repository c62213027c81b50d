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
}

/** A JSON list is one body, however long: the server takes so much. */
export const wholeBytesMax = 64 * 1024 * 1024;

const newline = 10;
const quote = 34;

/** Cuts a file at the ends of its lines into parts of about `partBytes`; never within a quoted cell. */
export async function* cutBody(
  file: Blob,
  { format, partBytes }: CutOptions,
): AsyncGenerator<BodyPart> {
  if (format === "json") {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const lines = countLines(bytes);
    yield { bytes, linesBefore: 0, lines, headerLines: 0, endByte: file.size };
    return;
  }
  let header = new Uint8Array(0);
  let headerLines = 0;
  let linesBefore = 0;
  let at = 0;
  while (at < file.size) {
    const { bytes, lines } = await readPart(file, at, partBytes, format);
    at += bytes.length;
    const part = join(header, bytes);
    yield { bytes: part, linesBefore, lines, headerLines, endByte: at };
    if (format === "csv" && header.length === 0) {
      const end = lineEnd(bytes);
      header = bytes.slice(0, end);
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
  format: BodyFormat,
): Promise<{ bytes: Uint8Array; lines: number }> {
  for (let reach = partBytes; ; reach *= 2) {
    const end = Math.min(file.size, start + reach);
    const bytes = new Uint8Array(await file.slice(start, end).arrayBuffer());
    if (end === file.size) return { bytes, lines: countLines(bytes) };
    const cut = lastLineEnd(bytes, format);
    // A header alone is no body: its first row goes with it.
    const least = format === "csv" && start === 0 ? lineEnd(bytes) : 0;
    if (cut > least)
      return { bytes: bytes.slice(0, cut), lines: countLines(bytes.subarray(0, cut)) };
  }
}

/** Just behind the last line end that is outside of quotes; 0: there is none. */
function lastLineEnd(bytes: Uint8Array, format: BodyFormat): number {
  if (format === "ndjson") return bytes.lastIndexOf(newline) + 1;
  let inQuotes = false;
  let end = 0;
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === quote) inQuotes = !inQuotes;
    else if (bytes[i] === newline && !inQuotes) end = i + 1;
  }
  return end;
}

/** Just behind the first line end that is outside of quotes. */
function lineEnd(bytes: Uint8Array): number {
  let inQuotes = false;
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === quote) inQuotes = !inQuotes;
    else if (bytes[i] === newline && !inQuotes) return i + 1;
  }
  return bytes.length;
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
