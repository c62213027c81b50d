import type { IngestFormat } from "../ingestFormat.js";
import { CsvReader } from "./csvReader.js";

/** Lines of values behind a header; `csvParameters` reads what a request says about them. */
export const csvFormat: IngestFormat = {
  mediaTypes: ["text/csv"],
  open: (collector, { timeName, csv }) => new CsvReader(collector, timeName, csv),
};
