import { cutBody } from "./cutBody.js";
import { type BodyFormat, wholeStart } from "./readPreview.js";
import type { RowFile } from "./rowFile.js";

/** The server decides the types from this much of a file. */
const startBytes = 1024 * 1024;
const newline = 10;

/** Complete records from the start of the file, as the body of a request. */
export async function startBody(
  file: RowFile,
  format: BodyFormat,
  delimiter: string | undefined,
): Promise<string | Uint8Array> {
  if (format === "json") {
    const { bytes, isWhole } = await file.start(startBytes);
    // The server checks a complete file.
    return isWhole ? bytes : wholeStart(new TextDecoder().decode(bytes));
  }
  if (format === "raw") {
    const { bytes, isWhole } = await file.start(startBytes);
    return isWhole ? bytes : bytes.subarray(0, bytes.lastIndexOf(newline) + 1);
  }
  for await (const { bytes } of cutBody(file, { format, partBytes: startBytes, delimiter }))
    return bytes;
  return "";
}
