import type { BodyOptions, CsvParameters, TimeUnit } from "@hadal/sdk";
import { type BodyFormat, contentTypes } from "./readPreview.js";

/** How a file is read: what was found of it, or chosen. */
export interface HowRead {
  /** null: the column of the time is not chosen yet. */
  readonly timeColumn: string | null;
  /** What numbers in it count; `auto`: found for each. */
  readonly timeUnit: TimeUnit;
  /** Of times that name none, and of dates. */
  readonly timeZone: string;
  readonly csv: CsvParameters;
}

/** What is sent with every part of the file, to be looked at and to be stored alike. */
export function bodyOptions(format: BodyFormat, how: HowRead): BodyOptions {
  const { timeColumn, timeUnit, timeZone, csv } = how;
  return {
    ...{ contentType: contentTypes[format], timeUnit, timeZone },
    ...(timeColumn === null ? {} : { time: timeColumn }),
    ...(format === "csv" ? { csv } : {}),
  };
}
