import type { BodyOptions, CsvParameters, TimeUnit } from "@hadal/sdk";
import { type BodyFormat, contentTypes, hasOwnTime } from "./readPreview.js";

/** How a file is read: detected or chosen. */
export interface ReadOptions {
  /** null: not chosen yet. */
  readonly timeColumn: string | null;
  /** The unit of numeric times; `auto`: detected for each. */
  readonly timeUnit: TimeUnit;
  /** The zone of times and dates without one. */
  readonly timeZone: string;
  readonly csv: CsvParameters;
  /** Of log lines: a name of the server's, or an expression with named groups. */
  readonly pattern?: string;
  /** The time of a profile, which has none itself. */
  readonly at?: string;
}

/** Options of every request about the file: the preview and each stored part. */
export function bodyOptions(format: BodyFormat, readOptions: ReadOptions): BodyOptions {
  const { timeColumn, timeUnit, timeZone, csv, pattern, at } = readOptions;
  return {
    ...{ contentType: contentTypes[format], timeUnit, timeZone },
    ...(timeColumn === null || hasOwnTime(format) ? {} : { time: timeColumn }),
    ...(format === "csv" ? { csv } : {}),
    ...(format === "raw" ? { raw: { pattern } } : {}),
    ...(format === "folded" || format === "cpuprofile" ? { raw: { at } } : {}),
  };
}
