import type { AsyncBuffer, FileMetaData } from "hyparquet";
import { type ParquetPrinter, parsers, printParquetRow } from "./parquetCells.js";
import { printType, readParquetTypes } from "./parquetTypes.js";

export type ParquetAsked = Omit<ParquetPrinter, "columns">;

/** Consecutive rows as lines of NDJSON. */
export interface ParquetRun {
  readonly lines: readonly string[];
  /** The number of the first of them in the file, from 1. */
  readonly firstRow: number;
}

/** A Parquet file whose schema was read. */
export interface ParquetFile {
  readonly metadata: FileMetaData;
  readonly rowCount: number;
  /** Its top-level columns. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** All rows, `runRows` at a time. A value that cannot be kept exact is refused, naming its column. */
  runs(runRows: number): AsyncGenerator<ParquetRun>;
}

/** Loaded with the first Parquet file. */
export async function openParquet(file: AsyncBuffer, asked: ParquetAsked): Promise<ParquetFile> {
  const { parquetMetadataAsync, parquetSchema } = await import("hyparquet");
  const metadata = await parquetMetadataAsync(file, { geoparquet: false });
  const schema = parquetSchema(metadata);
  const columns = schema.children.map(({ element }) => ({
    name: element.name,
    type: printType(element),
  }));
  const printer = { ...asked, columns: readParquetTypes(schema) };
  const open = { file, metadata };
  return {
    metadata,
    rowCount: Number(metadata.num_rows),
    columns,
    async *runs(runRows) {
      // Invalid text is found before anything is sent.
      const binary = asked.binary === "text" ? [...printer.columns.binary] : [];
      if (binary.length > 0)
        for await (const _ of readRuns(open, printer, { runRows, names: binary }));
      yield* readRuns(open, printer, { runRows });
    },
  };
}

interface OpenFile {
  readonly file: AsyncBuffer;
  readonly metadata: FileMetaData;
}

interface RunOptions {
  readonly runRows: number;
  /** Columns; left out: all. */
  readonly names?: string[];
}

async function* readRuns(
  { file, metadata }: OpenFile,
  printer: ParquetPrinter,
  { runRows, names }: RunOptions,
): AsyncGenerator<ParquetRun> {
  const { parquetReadObjects } = await import("hyparquet");
  const { compressors } = await import("hyparquet-compressors");
  const rowCount = Number(metadata.num_rows);
  for (let rowStart = 0; rowStart < rowCount; rowStart += runRows) {
    const rowEnd = Math.min(rowStart + runRows, rowCount);
    const rows = await parquetReadObjects({
      ...{ file, metadata, compressors, parsers, utf8: false, rowStart, rowEnd },
      ...(names === undefined ? {} : { columns: names }),
    });
    const firstRow = rowStart + 1;
    yield { lines: rows.map((row, i) => printParquetRow(row, firstRow + i, printer)), firstRow };
  }
}
