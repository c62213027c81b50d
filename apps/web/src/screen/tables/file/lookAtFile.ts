import type { HadalClient } from "@hadal/sdk";
import { tooLong, wholeBytesMax } from "./cutBody.js";
import { contentTypes, type Preview, parquetPreview, readPreview } from "./readPreview.js";
import { FileFault, type RowFile } from "./rowFile.js";

/** Enough for fifty long rows; the rest is read when it is sent. */
const previewBytes = 256 * 1024;

/** Files of other kinds that people have beside those of rows, by how they begin, and what to do with them. */
const others: readonly (readonly [start: string, words: string])[] = [
  ["PK\u0003\u0004", "a ZIP archive, as workbooks of Excel are: save the sheet as CSV"],
  ["ARROW1", "an Arrow file: send it with “npx hadal ingest”"],
  ["\u00ff\u00fe", "UTF-16: save it as UTF-8"],
  ["\u00fe\u00ff", "UTF-16: save it as UTF-8"],
  ["%PDF", "a PDF document: there are no rows in it"],
  ["BZh", "packed with bzip2: unpack it first"],
  ["\u00fd7zXZ", "packed with xz: unpack it first"],
];
const parquetStart = "PAR1";

/** What a file is, as far as its beginning tells. Throws {@link FileFault}, and what the server says of Parquet. */
export async function lookAtFile(
  client: Pick<HadalClient, "previewBody">,
  file: RowFile,
  table: string,
): Promise<Preview> {
  if (file.size === 0) throw new FileFault(`“${file.name}” is empty.`);
  const { bytes } = await file.start(previewBytes);
  const start = String.fromCharCode(...bytes.subarray(0, 8));
  if (start.startsWith(parquetStart)) return lookAtParquet(client, file, table);
  const other = others.find(([text]) => start.startsWith(text));
  if (other !== undefined) throw new FileFault(`“${file.name}” is ${other[1]}.`);
  const zeroAt = bytes.indexOf(0);
  if (zeroAt >= 0)
    throw new FileFault(
      `“${file.name}” is no text: byte ${zeroAt + 1} is zero. Rows come as JSON lines, a JSON list, CSV, TSV or Parquet.`,
    );
  return readPreview(new TextDecoder().decode(bytes));
}

async function lookAtParquet(
  client: Pick<HadalClient, "previewBody">,
  file: RowFile,
  table: string,
): Promise<Preview> {
  const { bytes, isWhole } = await file.start(wholeBytesMax);
  if (!isWhole) throw new FileFault(tooLong(file.name));
  const { parquet } = await client.previewBody(table, bytes, { contentType: contentTypes.parquet });
  if (parquet === undefined) throw new Error("a preview of Parquet tells its columns");
  return parquetPreview(parquet);
}
