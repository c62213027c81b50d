import { type CsvParameters, type HadalClient, HadalError, type RowsPreview } from "@hadal/sdk";
import { useEffect, useState } from "react";
import { cutBody } from "./cutBody.js";
import { type BodyFormat, contentTypes, wholeStart } from "./readPreview.js";

export interface PreviewAsked {
  readonly file: Blob;
  readonly table: string;
  readonly format: BodyFormat;
  /** null: nobody has said yet which column holds the time. */
  readonly timeColumn: string | null;
  readonly csv: CsvParameters;
}

export interface StoredPreview {
  /** The last answer: it stays while the next one is on its way. */
  readonly preview: RowsPreview | null;
  /** Why the body cannot be read as asked. */
  readonly problem: string | null;
}

/** As much as the server decides types from. */
const sampleBytes = 1024 * 1024;

/** What the server would store of the start of a file, asked again whenever the question changes. */
export function useStoredPreview(client: HadalClient, asked: PreviewAsked): StoredPreview {
  const { file, table, format, timeColumn, csv } = asked;
  const { delimiter, decimal, null: nullTexts, types } = csv;
  const [stored, setStored] = useState<StoredPreview>({ preview: null, problem: null });
  useEffect(() => {
    const stop = new AbortController();
    const ask = async (): Promise<void> => {
      const body = await sampleOf(file, format, delimiter);
      const preview = await client.previewBody(table, body, {
        contentType: contentTypes[format],
        signal: stop.signal,
        ...(timeColumn === null ? {} : { time: timeColumn }),
        ...(format === "csv" ? { csv: { delimiter, decimal, null: nullTexts, types } } : {}),
      });
      if (!stop.signal.aborted) setStored({ preview, problem: null });
    };
    ask().catch((error: unknown) => {
      if (stop.signal.aborted) return;
      if (!(error instanceof HadalError)) throw error;
      setStored({ preview: null, problem: error.message });
    });
    return () => stop.abort();
  }, [client, file, table, format, timeColumn, delimiter, decimal, nullTexts, types]);
  return stored;
}

/** Whole records from the start of the file. */
async function sampleOf(
  file: Blob,
  format: BodyFormat,
  delimiter: string | undefined,
): Promise<string | Uint8Array> {
  if (format === "json") return wholeStart(await file.slice(0, sampleBytes).text());
  for await (const { bytes } of cutBody(file, { format, partBytes: sampleBytes, delimiter }))
    return bytes;
  return "";
}
