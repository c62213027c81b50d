import type { IngestFormat } from "../ingestFormat.js";
import { ndjsonFormat } from "../json/ndjsonFormat.js";
import { ParquetBody } from "./parquetBody.js";

/** A file is read from its end, so all of it is in memory; its rows become lines of NDJSON. */
export const parquetFormat: IngestFormat = {
  mediaTypes: ["application/vnd.apache.parquet"],
  open: ndjsonFormat.open,
  translate: (options) => new ParquetBody(options),
};
