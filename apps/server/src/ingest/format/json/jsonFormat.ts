import type { IngestFormat } from "../ingestFormat.js";
import { createJsonReader } from "./jsonReader.js";

/** One object, a list of objects, or objects one after the other. */
export const jsonFormat: IngestFormat = {
  mediaTypes: ["application/json"],
  open: (collector, { json }) => createJsonReader(collector, json),
};
