import { HadalError } from "@hadal/sdk";
import { arrowFormat } from "./arrow/arrowFormat.js";
import { csvFormat } from "./csv/csvFormat.js";
import type { IngestFormat } from "./ingestFormat.js";
import { jsonFormat } from "./json/jsonFormat.js";
import { ndjsonFormat } from "./json/ndjsonFormat.js";
import { otlpFormats } from "./otlp/otlpFormat.js";
import { parquetFormat } from "./parquet/parquetFormat.js";
import { profileFormats } from "./profile/profileFormats.js";
import { rawFormat } from "./raw/rawFormat.js";

/** Every format that is read, in the order in which a refusal lists them. */
const formats: readonly IngestFormat[] = [
  ndjsonFormat,
  jsonFormat,
  csvFormat,
  arrowFormat,
  parquetFormat,
  rawFormat,
  ...profileFormats,
  ...otlpFormats,
];

const byMediaType: ReadonlyMap<string, IngestFormat> = new Map(
  formats.flatMap((format) => format.mediaTypes.map((name) => [name, format] as const)),
);

const sentTypes = formats
  .filter(({ isOfRoute }) => isOfRoute !== true)
  .flatMap(({ mediaTypes }) => mediaTypes);

/** The format of a body; undefined where its Content-Type is missing or not known. */
export function findFormat(contentType: string | undefined): IngestFormat | undefined {
  return byMediaType.get(mediaTypeOf(contentType).toLowerCase());
}

/** The same for a body to read; throws `unsupported-media-type`. */
export function formatToRead(contentType: string | undefined): IngestFormat {
  const format = findFormat(contentType);
  if (format === undefined) {
    const mediaType = mediaTypeOf(contentType);
    throw new HadalError("unsupported-media-type", {
      detail: `Content-Type ${mediaType === "" ? "is missing" : `${mediaType} is not known`}; send ${sentTypes.join(", ")}.`,
    });
  }
  checkCharset(contentType);
  return format;
}

function mediaTypeOf(contentType: string | undefined): string {
  return contentType?.split(";")[0]?.trim() ?? "";
}

function checkCharset(contentType: string | undefined): void {
  const [, ...parameters] = (contentType ?? "").split(";");
  for (const parameter of parameters) {
    const charset = /^charset\s*=\s*"?([^"]*)"?$/i.exec(parameter.trim())?.[1]?.toLowerCase();
    if (charset === undefined || ["utf-8", "utf8", "us-ascii"].includes(charset)) continue;
    throw new HadalError("unsupported-media-type", {
      detail: `charset=${charset} is not read; send UTF-8.`,
    });
  }
}
