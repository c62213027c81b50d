import { HadalError, type ParquetReading, timeColumn } from "@hadal/sdk";
import type { AsyncBuffer } from "hyparquet";
import { openParquet, type ParquetFile } from "../../../base/format/parquetRows.js";
import { bodyProblem } from "../../body/bodyProblem.js";
import { columnBytesMax } from "../../row/rowCollector.js";
import type { BodyTranslation, TranslateOptions } from "../ingestFormat.js";
import { checkParquetPages } from "./parquetPages.js";

/**
 * Few enough that a run of long rows fits the memory, enough that pages are not read again for
 * each.
 */
const runRows = 10_000;
const magic = "PAR1";

/** A body of Parquet as lines of NDJSON. */
export class ParquetBody implements BodyTranslation {
  readonly #options: TranslateOptions;
  /** Known once the first line is read. */
  #reading: ParquetReading | null = null;

  constructor(options: TranslateOptions) {
    this.#options = options;
  }

  preview(): { readonly parquet?: ParquetReading } {
    return this.#reading === null ? {} : { parquet: this.#reading };
  }

  async *lines(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const bytes = await this.#readAll(body);
    try {
      yield* this.#linesOf(await this.#open(bytes));
    } catch (error) {
      if (error instanceof HadalError) throw error;
      throw unreadable(`The body cannot be read as Parquet: ${(error as Error).message}.`);
    }
  }

  async #readAll(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    for await (const part of body) {
      this.#options.hash?.update(part);
      parts.push(part);
    }
    const bytes = Buffer.concat(parts);
    const start = bytes.toString("latin1", 0, magic.length);
    if (start !== magic)
      throw unreadable(`The body is no Parquet file: it does not begin with ${magic}.`);
    if (bytes.toString("latin1", bytes.length - magic.length) !== magic || bytes.length < 12)
      throw unreadable(
        `The Parquet file is cut off: its ${bytes.length} bytes do not end with ${magic}.`,
      );
    return bytes;
  }

  async #open(bytes: Buffer): Promise<ParquetFile> {
    const { timeName = timeColumn, binary = "text", zone } = this.#options;
    const asked = { timeName, binary, namesZone: zone !== null, hexWords: "binary=hex" };
    const file = await openParquet(bufferOf(bytes), asked);
    checkParquetPages(bytes, file.metadata);
    this.#reading = { rows: file.rowCount, columns: file.columns };
    return file;
  }

  async *#linesOf(file: ParquetFile): AsyncGenerator<Uint8Array> {
    const { timeName = timeColumn, isPreview } = this.#options;
    // The time may be within a struct.
    const [ownName = ""] = timeName.split(".");
    if (!file.columns.some(({ name }) => name === timeName || name === ownName)) {
      if (isPreview) return;
      throw timeMissing(timeName, file);
    }
    let printedBytes = 0;
    for await (const { lines } of file.runs(runRows)) {
      const block = Buffer.from(`${lines.join("\n")}\n`);
      printedBytes += block.length;
      if (printedBytes > columnBytesMax) {
        const limitName = "columnBytesMax, what its rows take as text; send it as several files";
        throw new HadalError("body-too-large", { max: columnBytesMax, limitName });
      }
      yield block;
    }
  }
}

function bufferOf(bytes: Buffer): AsyncBuffer {
  const { buffer, byteOffset, length } = bytes;
  return {
    byteLength: length,
    slice: (start, end = length) =>
      buffer.slice(byteOffset + start, byteOffset + Math.min(end, length)) as ArrayBuffer,
  };
}

function unreadable(detail: string): HadalError {
  return bodyProblem("body-undecodable", "body-undecodable", 1, `${detail} Nothing was stored.`);
}

function timeMissing(timeName: string, { columns }: ParquetFile): HadalError {
  const found = columns.slice(0, 20).map(({ name }) => JSON.stringify(name.slice(0, 100)));
  const detail = `The file has no column \`${timeName.slice(0, 100)}\`; its columns are ${found.join(", ")}. Name the column of the time with time=.`;
  return bodyProblem("body-undecodable", "time-missing", 1, detail);
}
