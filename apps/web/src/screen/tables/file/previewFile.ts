import type { HadalClient } from "@hadal/sdk";
import { tooLong, wholeBytesMax } from "./cutBody.js";
import { otlpSignalOfBytes } from "./otlpFile.js";
import {
  arrowPreview,
  contentTypes,
  type Preview,
  parquetPreview,
  previewWithTime,
  readPreview,
} from "./readPreview.js";
import { FileFault, type RowFile } from "./rowFile.js";
import type { TextFormat } from "./textFormat.js";

/** Enough for fifty long rows; the rest is read during the upload. */
const previewBytes = 256 * 1024;

/** Unsupported file types by their first bytes, and what to do instead. */
const others: readonly (readonly [start: string, words: string])[] = [
  ["PK\u0003\u0004", "a ZIP archive, as workbooks of Excel are: save the sheet as CSV"],
  ["\u00ff\u00fe", "UTF-16: save it as UTF-8"],
  ["\u00fe\u00ff", "UTF-16: save it as UTF-8"],
  ["%PDF", "a PDF document, which has no rows"],
  ["BZh", "compressed with bzip2: decompress it first"],
  ["\u00fd7zXZ", "compressed with xz: decompress it first"],
];
const parquetStart = "PAR1";
/** Of a file, and of a stream. */
const arrowStarts = ["ARROW1", "\u00ff\u00ff\u00ff\u00ff"];

/** The preview of a file. Throws {@link FileFault}, or the server's error for Parquet. `chosen`: of a text, its format. */
export async function previewFile(
  client: Pick<HadalClient, "previewBody">,
  file: RowFile,
  table: string,
  chosen?: TextFormat,
): Promise<Preview> {
  if (file.size === 0) throw new FileFault(`“${file.name}” is empty.`);
  const { bytes } = await file.start(previewBytes);
  const start = String.fromCharCode(...bytes.subarray(0, 8));
  if (start.startsWith(parquetStart)) return previewParquet(client, file, table);
  if (arrowStarts.some((magic) => start.startsWith(magic))) return previewArrow(file);
  const other = others.find(([text]) => start.startsWith(text));
  if (other !== undefined) throw new FileFault(`“${file.name}” is ${other[1]}.`);
  const signal = otlpSignalOfBytes(bytes);
  if (signal !== null) return previewWithTime(`otlp-${signal}-protobuf`);
  const zeroAt = bytes.indexOf(0);
  if (zeroAt >= 0)
    throw new FileFault(
      `“${file.name}” is not text: byte ${zeroAt + 1} is zero. Supported formats: JSON lines, a JSON list, CSV, TSV, log lines, folded stacks, .cpuprofile, OTLP, Parquet and Arrow.`,
    );
  return readPreview(new TextDecoder().decode(bytes), { name: file.name, chosen });
}

/** The library is loaded for an Arrow file only. */
async function previewArrow(file: RowFile): Promise<Preview> {
  const { bytes, isWhole } = await file.start(wholeBytesMax);
  if (!isWhole) throw new FileFault(tooLong(file.name));
  const { RecordBatchReader } = await import("apache-arrow");
  try {
    const reader = RecordBatchReader.from(bytes).open();
    return arrowPreview(reader.schema.fields.map(({ name, type }) => ({ name, type: `${type}` })));
  } catch (error) {
    const reason = error instanceof Error ? `: ${error.message}` : "";
    throw new FileFault(`“${file.name}” starts like Arrow, but cannot be read${reason}.`);
  }
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
