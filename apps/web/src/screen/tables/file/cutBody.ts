import { findCsvStart } from "@hadal/sdk";
import type { BodyFormat } from "./readPreview.js";
import { FileFault, joinParts, type RowFile } from "./rowFile.js";

/** A part of a file that can be sent alone. */
export interface BodyPart {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Lines of the file before this part, without repeated headers. */
  readonly linesBefore: number;
  /** Complete lines of this part. */
  readonly lines: number;
  /** Header lines that were repeated before it. */
  readonly headerLines: number;
  /** Bytes of the file read so far, for progress. */
  readonly endByte: number;
}

export interface CutOptions {
  readonly format: BodyFormat;
  readonly partBytes: number;
  /** The CSV delimiter; absent: detected from the start of the file. */
  readonly delimiter?: string | undefined;
}

/** What is sent as one body may have this size: the limit of the server. */
export const wholeBytesMax = 64 * 1024 * 1024;

/** An event of a log may have several lines: the server alone knows where it ends. */
export const isSentWhole = (format: BodyFormat): boolean =>
  format !== "ndjson" && format !== "csv" && format !== "folded";

/** A shorter rest joins the last part: comments after the rows are not a body. */
const tailShare = 1 / 16;

const newline = 10;
const quote = 34;

/** Cuts a file into parts of about `partBytes` at line ends, never within a quoted cell. */
export async function* cutBody(
  file: RowFile,
  { format, partBytes, delimiter }: CutOptions,
): AsyncGenerator<BodyPart> {
  if (isSentWhole(format)) {
    yield await wholeBody(file);
    return;
  }
  const csv = format === "csv" ? await readCsvStart(file, delimiter) : null;
  const { pieces, bytesRead } = file.open();
  const content = new Content(pieces);
  let header = new Uint8Array(0);
  let headerLines = 0;
  let linesBefore = 0;
  try {
    for (let isFirst = true; ; isFirst = false) {
      const bytes = await readPart(content, { partBytes, csv, hasHeader: isFirst });
      if (bytes.length === 0) return;
      const lines = countLines(bytes);
      const part = joinParts([header, bytes]);
      yield { bytes: part, linesBefore, lines, headerLines, endByte: bytesRead() };
      if (csv !== null && isFirst) {
        header = bytes.slice(0, headerEnd(bytes, csv));
        headerLines = countLines(header);
      }
      linesBefore += lines;
    }
  } finally {
    await content.close();
  }
}

/** The whole file as one part. Throws {@link FileFault} if it exceeds the limit of the server. */
async function wholeBody(file: RowFile): Promise<BodyPart> {
  const { bytes, isWhole } = await file.start(wholeBytesMax);
  if (!isWhole) throw new FileFault(tooLong(file.name));
  const lines = countLines(bytes);
  return { bytes, linesBefore: 0, lines, headerLines: 0, endByte: file.size };
}

export const tooLong = (name: string): string =>
  `“${name}” must be sent whole, which is limited to ${wholeBytesMax / 2 ** 20} MiB: save it as JSON lines or CSV, or use “npx hadal ingest”.`;

/** A stream of bytes with lookahead. */
class Content {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #waiting = new Uint8Array(0);
  isEnded = false;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** At least this many bytes after the last cut, fewer only at the end. */
  async look(bytes: number): Promise<Uint8Array<ArrayBuffer>> {
    const parts: Uint8Array[] = [this.#waiting];
    let length = this.#waiting.length;
    while (length < bytes && !this.isEnded) {
      const { done, value } = await this.#pieces.next();
      if (done === true) this.isEnded = true;
      else {
        parts.push(value);
        length += value.length;
      }
    }
    this.#waiting = joinParts(parts);
    return this.#waiting;
  }

  cut(bytes: number): void {
    this.#waiting = this.#waiting.slice(bytes);
  }

  async close(): Promise<void> {
    await this.#pieces.return?.();
  }
}

interface PartOptions {
  readonly partBytes: number;
  /** null: not CSV. */
  readonly csv: CsvShape | null;
  /** The part begins with the header of the file. */
  readonly hasHeader: boolean;
}

/** Reads up to the last line end within the part size, or a single longer line. */
async function readPart(
  content: Content,
  { partBytes, csv, hasHeader }: PartOptions,
): Promise<Uint8Array> {
  for (let reach = partBytes; ; reach *= 2) {
    const tail = Math.floor(partBytes * tailShare);
    const found = await content.look(reach + tail + 1);
    const isLast = content.isEnded && found.length <= reach + tail;
    const bytes = found.subarray(0, reach);
    const end = isLast
      ? found.length
      : csv === null
        ? bytes.lastIndexOf(newline) + 1
        : lastRecordEnd(bytes, csv);
    // A header alone is not a body: the first part contains a row.
    const least = csv !== null && hasHeader ? headerEnd(bytes, csv) : 0;
    if (!isLast && end <= least) continue;
    content.cut(end);
    return found.slice(0, end);
  }
}

/** What is needed to find the ends of CSV records. */
interface CsvShape {
  readonly separator: number;
  /** Bytes before the header: a line `sep=;`. */
  readonly headerStart: number;
}

const csvStartBytes = 65_536;

async function readCsvStart(file: RowFile, delimiter: string | undefined): Promise<CsvShape> {
  const { bytes } = await file.start(csvStartBytes);
  const start = findCsvStart(new TextDecoder().decode(bytes), { delimiter });
  // Decoding drops a byte order mark.
  const markBytes = bytes[0] === 0xef && bytes[1] === 0xbb ? 3 : 0;
  const { delimiter: separator, headerStart } = start;
  return { separator: separator.charCodeAt(0), headerStart: headerStart + markBytes };
}

/** The end of the last complete record in these bytes; 0: none. */
function lastRecordEnd(bytes: Uint8Array, csv: CsvShape): number {
  let end = 0;
  for (const at of recordEnds(bytes, csv)) end = at;
  return end;
}

/** The end of the header. */
function headerEnd(bytes: Uint8Array, csv: CsvShape): number {
  for (const at of recordEnds(bytes, csv)) if (at > csv.headerStart) return at;
  return bytes.length;
}

/** The end of each record: a newline outside quotes. Quotes open only at the start of a value. */
function* recordEnds(bytes: Uint8Array, { separator }: CsvShape): Generator<number> {
  let inQuotes = false;
  let atStart = true;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (inQuotes) {
      // A doubled quote closes and reopens.
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
