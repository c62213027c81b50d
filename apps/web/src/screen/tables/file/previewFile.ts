import type { HadalClient } from "@hadal/sdk";
import { tooLong, wholeBytesMax } from "./cutBody.js";
import { contentTypes, type Preview, parquetPreview, readPreview } from "./readPreview.js";
import { FileFault, type RowFile } from "./rowFile.js";

/** Enough for fifty long rows; the rest is read during the upload. */
const previewBytes = 256 * 1024;

/** Unsupported file types by their first bytes, and what to do instead. */
const others: readonly (readonly [start: string, words: string])[] = [
  ["PK\u0003\u0004", "a ZIP archive, as workbooks of Excel are: save the sheet as CSV"],
  ["ARROW1", "an Arrow file: send it with “npx hadal ingest”"],
  ["\u00ff\u00fe", "UTF-16: save it as UTF-8"],
  ["\u00fe\u00ff", "UTF-16: save it as UTF-8"],
  ["%PDF", "a PDF document, which has no rows"],
  ["BZh", "compressed with bzip2: decompress it first"],
  ["\u00fd7zXZ", "compressed with xz: decompress it first"],
];
const parquetStart = "PAR1";

/** The preview of a file. Throws {@link FileFault}, or the server's error for Parquet. */
export async function previewFile(
  client: Pick<HadalClient, "previewBody">,
  file: RowFile,
  table: string,
): Promise<Preview> {
  if (file.size === 0) throw new FileFault(`“${file.name}” is empty.`);
  const { bytes } = await file.start(previewBytes);
  const start = String.fromCharCode(...bytes.subarray(0, 8));
  if (start.startsWith(parquetStart)) return previewParquet(client, file, table);
  const other = others.find(([text]) => start.startsWith(text));
  if (other !== undefined) throw new FileFault(`“${file.name}” is ${other[1]}.`);
  const zeroAt = bytes.indexOf(0);
  if (zeroAt >= 0)
    throw new FileFault(
      `“${file.name}” is not text: byte ${zeroAt + 1} is zero. Supported formats: JSON lines, a JSON list, CSV, TSV and Parquet.`,
    );
  return readPreview(new TextDecoder().decode(bytes));
}

async function previewParquet(
  client: Pick<HadalClient, "previewBody">,
  file: RowFile,
  table: string,
): Promise<Preview> {
  const { bytes, isWhole } = await file.start(wholeBytesMax);
  if (!isWhole) throw new FileFault(tooLong(file.name));
  const { parquet } = await client.previewBody(table, bytes, { contentType: contentTypes.parquet });
  if (parquet === undefined) throw new Error("the preview of a Parquet file has no columns");
  return parquetPreview(parquet);
}
