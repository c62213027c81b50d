import { type BinaryForm, HadalError } from "@hadal/sdk";
import { openParquet } from "../../base/format/parquetRows.js";
import type { CutBody } from "./bodyCutter.js";

/** Rows of one request; few enough that long ones fit. */
const bodyRows = 5_000;

export interface ParquetOptions {
  readonly timeName: string;
  readonly binary: BinaryForm;
  /** Whether the request names the zone of times that have none. */
  readonly namesZone: boolean;
}

/** The rows of a Parquet file as bodies of NDJSON: every value as exactly as it is stored, or refused by its column's name. */
export async function* cutParquetFile(
  path: string,
  options: ParquetOptions,
): AsyncGenerator<CutBody> {
  const { asyncBufferFromFile } = await import("hyparquet");
  try {
    const file = await asyncBufferFromFile(path);
    const parquet = await openParquet(file, { ...options, hexWords: "--binary hex" });
    for await (const { lines, firstRow } of parquet.runs(bodyRows)) {
      yield {
        bytes: Buffer.from(`${lines.join("\n")}\n`),
        rows: lines.length,
        fileLine: (line) => firstRow + line - 1,
      };
    }
  } catch (error) {
    if (error instanceof HadalError || (error as NodeJS.ErrnoException).code === "ENOENT") {
      throw error;
    }
    const detail = `${path} cannot be read as Parquet: ${(error as Error).message}`;
    throw new HadalError("body-undecodable", { detail });
  }
}
