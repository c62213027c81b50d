import type { IngestFormat } from "../ingestFormat.js";
import { createNdjsonReader } from "./ndjsonReader.js";

/** One object a line. */
export const ndjsonFormat: IngestFormat = {
  mediaTypes: ["application/x-ndjson", "application/ndjson", "application/jsonl"],
  open: (collector, { json }) => createNdjsonReader(collector, json),
};
