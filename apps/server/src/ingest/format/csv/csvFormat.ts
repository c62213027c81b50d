import type { IngestFormat } from "../ingestFormat.js";
import { CsvReader } from "./csvReader.js";

/** Lines of values after a header; `csvParameters` reads the request's parameters for them. */
export const csvFormat: IngestFormat = {
  mediaTypes: ["text/csv"],
  open: (collector, { timeName, csv }) => new CsvReader(collector, timeName, csv),
};
