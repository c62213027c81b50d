import { type BinaryForm, HadalError } from "@hadal/sdk";
import type { AsyncBuffer, FileMetaData } from "hyparquet";
import type { CutBody } from "./bodyCutter.js";
import { type ParquetPrinter, parsers, printParquetRow } from "./parquetCells.js";
import { readParquetTypes } from "./parquetTypes.js";

/** Rows of one request; few enough that long ones fit. */
const bodyRows = 5_000;

export interface ParquetOptions {
  readonly timeName: string;
  readonly binary: BinaryForm;
}

/** The rows of a Parquet file as bodies of NDJSON: every value as exactly as it is stored, or refused by its column's name. */
export async function* cutParquetFile(
  path: string,
  { timeName, binary }: ParquetOptions,
): AsyncGenerator<CutBody> {
  // Loaded when a file is one: nobody else needs them.
  const { asyncBufferFromFile, parquetMetadataAsync, parquetSchema } = await import("hyparquet");
  try {
    const file = await asyncBufferFromFile(path);
    const metadata = await parquetMetadataAsync(file, { geoparquet: false });
    const columns = readParquetTypes(parquetSchema(metadata));
    const printer = { columns, timeName, binary };
    if (binary === "text") await checkBinary({ file, metadata }, printer);
    for await (const { rows, firstRow } of readRows({ file, metadata })) {
      const lines = rows.map((row, i) => printParquetRow(row, firstRow + i, printer));
      yield {
        bytes: Buffer.from(`${lines.join("\n")}\n`),
        rows: rows.length,
        fileLine: (line) => firstRow + line - 1,
      };
    }
  } catch (error) {
    if (error instanceof HadalError || (error as NodeJS.ErrnoException).code === "ENOENT") {
      throw error;
    }
    const detail = `${path} cannot be read as Parquet: ${(error as Error).message}`;
    throw new HadalError("body-undecodable", { detail });
  }
}

interface OpenFile {
  readonly file: AsyncBuffer;
  readonly metadata: FileMetaData;
}

/** Bytes that are no text are found before anything is sent. */
async function checkBinary(open: OpenFile, printer: ParquetPrinter): Promise<void> {
  const names = [...printer.columns.binary];
  if (names.length === 0) return;
  for await (const { rows, firstRow } of readRows(open, names)) {
    for (const [i, row] of rows.entries()) printParquetRow(row, firstRow + i, printer);
  }
}

interface RowRun {
  readonly rows: readonly Record<string, unknown>[];
  /** From 1. */
  readonly firstRow: number;
}

async function* readRows({ file, metadata }: OpenFile, columns?: string[]): AsyncGenerator<RowRun> {
  const { parquetReadObjects } = await import("hyparquet");
  const { compressors } = await import("hyparquet-compressors");
  const rowCount = Number(metadata.num_rows);
  for (let rowStart = 0; rowStart < rowCount; rowStart += bodyRows) {
    const rowEnd = Math.min(rowStart + bodyRows, rowCount);
    const rows = await parquetReadObjects({
      ...{ file, metadata, compressors, parsers, utf8: false, rowStart, rowEnd },
      ...(columns === undefined ? {} : { columns }),
    });
    yield { rows, firstRow: rowStart + 1 };
  }
}
