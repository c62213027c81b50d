import { timeColumn } from "@hadal/sdk";
import { loadArrow } from "../../../base/format/arrowLibrary.js";
import type { IngestFormat } from "../ingestFormat.js";
import { createArrowReader } from "./arrowReader.js";

/** Arrow IPC; a stream and a file differ in their first bytes. */
export const arrowFormat: IngestFormat = {
  mediaTypes: ["application/vnd.apache.arrow.stream", "application/vnd.apache.arrow.file"],
  open: async (collector, { timeName = timeColumn, binary = "text" }) =>
    createArrowReader(collector, await loadArrow(), { timeName, binary }),
};
