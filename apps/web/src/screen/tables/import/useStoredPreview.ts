import { type HadalClient, HadalError, type RowsPreview } from "@hadal/sdk";
import { useEffect, useState } from "react";
import { cutBody } from "../file/cutBody.js";
import { bodyOptions, type HowRead } from "../file/howRead.js";
import { type BodyFormat, wholeStart } from "../file/readPreview.js";
import { FileFault, type RowFile } from "../file/rowFile.js";

export interface PreviewAsked {
  readonly file: RowFile;
  readonly table: string;
  readonly format: BodyFormat;
  readonly how: HowRead;
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
  const { file, table, format } = asked;
  const { timeColumn, timeUnit, timeZone, csv } = asked.how;
  const { delimiter, decimal, null: nullTexts, types } = csv;
  const [stored, setStored] = useState<StoredPreview>({ preview: null, problem: null });
  useEffect(() => {
    const stop = new AbortController();
    const ask = async (): Promise<void> => {
      const body = await sampleOf(file, format, delimiter);
      const how = { timeColumn, timeUnit, timeZone };
      const options = { ...how, csv: { delimiter, decimal, null: nullTexts, types } };
      const { signal } = stop;
      const preview = await client.previewBody(table, body, {
        ...bodyOptions(format, options),
        signal,
      });
      if (!signal.aborted) setStored({ preview, problem: null });
    };
    ask().catch((error: unknown) => {
      if (stop.signal.aborted) return;
      if (!(error instanceof HadalError || error instanceof FileFault)) throw error;
      // While no column is said to hold the time, no row can be right: what to do about it is said beside the choice.
      const isExpected =
        timeColumn === null && error instanceof HadalError && error.code === "rows-rejected";
      setStored({ preview: null, problem: isExpected ? null : error.message });
    });
    return () => stop.abort();
  }, [
    client,
    file,
    table,
    format,
    timeColumn,
    timeUnit,
    timeZone,
    delimiter,
    decimal,
    nullTexts,
    types,
  ]);
  return stored;
}

/** Whole records from the start of the file. */
async function sampleOf(
  file: RowFile,
  format: BodyFormat,
  delimiter: string | undefined,
): Promise<string | Uint8Array> {
  if (format === "json") {
    const { bytes, isWhole } = await file.start(sampleBytes);
    // What is there whole is for the server to judge.
    return isWhole ? bytes : wholeStart(new TextDecoder().decode(bytes));
  }
  for await (const { bytes } of cutBody(file, { format, partBytes: sampleBytes, delimiter }))
    return bytes;
  return "";
}
