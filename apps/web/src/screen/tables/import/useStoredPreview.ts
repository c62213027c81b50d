import { type HadalClient, HadalError, type RowsPreview } from "@hadal/sdk";
import { useEffect, useState } from "react";
import { bodyOptions, type ReadOptions } from "../file/readOptions.js";
import type { BodyFormat } from "../file/readPreview.js";
import { FileFault, type RowFile } from "../file/rowFile.js";
import { startBody } from "../file/startBody.js";

export interface PreviewAsked {
  readonly file: RowFile;
  readonly table: string;
  readonly format: BodyFormat;
  readonly readOptions: ReadOptions;
}

export interface StoredPreview {
  /** The last answer, kept until the next one arrives. */
  readonly preview: RowsPreview | null;
  /** Why the file cannot be read with these options. */
  readonly problem: string | null;
}

/** What the server would store from the start of a file; updated when an option changes. */
export function useStoredPreview(client: HadalClient, asked: PreviewAsked): StoredPreview {
  const { file, table, format } = asked;
  const { timeColumn, timeUnit, timeZone, csv, pattern, at } = asked.readOptions;
  const { delimiter, decimal, null: nullTexts, types } = csv;
  const [stored, setStored] = useState<StoredPreview>({ preview: null, problem: null });
  useEffect(() => {
    const stop = new AbortController();
    const ask = async (): Promise<void> => {
      const body = await startBody(file, format, delimiter);
      const readOptions = { timeColumn, timeUnit, timeZone };
      const own = {
        ...(pattern === undefined ? {} : { pattern }),
        ...(at === undefined ? {} : { at }),
      };
      const options = {
        ...readOptions,
        ...own,
        csv: { delimiter, decimal, null: nullTexts, types },
      };
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
      // Without a time column every row is rejected; the hint beside the choice explains it.
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
    pattern,
    at,
  ]);
  return stored;
}
