import { HadalError } from "@hadal/sdk";
import type { FileMetaData } from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { columnBytesMax } from "../../row/rowCollector.js";

/**
 * Values of one row group are in memory together: 32 M of them take about a gigabyte as strings.
 */
const groupValuesMax = 2 ** 25;
/** The sender divides a larger request. */
const rowsMax = 5_000_000;

/**
 * Refuses a file whose pages state that they would take too much memory, before any is
 * decompressed: a page of a few bytes may contain millions of values.
 */
export function checkParquetPages(bytes: Buffer, { num_rows, row_groups }: FileMetaData): void {
  if (num_rows > rowsMax)
    throw tooMuch(rowsMax, "rows of a Parquet body; send it as several files");
  let unpackedBytes = 0;
  for (const { columns } of row_groups) {
    let values = 0;
    for (const { meta_data: chunk } of columns) {
      if (chunk === undefined) continue;
      const from = Number(chunk.dictionary_page_offset ?? chunk.data_page_offset);
      for (const page of pagesOf(bytes, from, from + Number(chunk.total_compressed_size))) {
        values += page.values;
        unpackedBytes += page.unpackedBytes;
        if (values > groupValuesMax) throw tooMuch(groupValuesMax, "values of one row group");
        if (unpackedBytes > columnBytesMax)
          throw tooMuch(columnBytesMax, "what its pages take unpacked");
      }
    }
  }
}

interface Page {
  readonly values: number;
  readonly unpackedBytes: number;
}

function* pagesOf(bytes: Buffer, from: number, end: number): Generator<Page> {
  if (!(from >= 0 && end <= bytes.length)) throw new Error("a column lies outside of the file");
  const view = new DataView(bytes.buffer, bytes.byteOffset, end);
  const reader = { view, offset: from };
  while (reader.offset < end - 1) {
    const header = parquetHeader(reader);
    const { compressed_page_size: size, uncompressed_page_size: unpackedBytes } = header;
    if (!(size >= 0 && unpackedBytes >= 0)) throw new Error("a page without a size");
    reader.offset += size;
    const { data_page_header, data_page_header_v2, dictionary_page_header } = header;
    const { num_values: values } = data_page_header ??
      data_page_header_v2 ??
      dictionary_page_header ?? { num_values: 0 };
    if (!(values >= 0)) throw new Error("a page with fewer than no values");
    yield { values, unpackedBytes };
  }
}

function tooMuch(max: number, what: string): HadalError {
  return new HadalError("body-too-large", { max, limitName: what });
}
