import { columnTypes } from "../model/check/checkTableSettings.js";
import { previewRowsMax, rowProblemsMax, timeForms } from "../model/ingest/ingest.js";
import { list, type NamedSchemas, nullable, openObject, ref } from "./jsonSchema.js";
import { count, integer, text } from "./valueSchemas.js";

const csvTypePattern = "^(string|integer|number|decimal\\([0-9]{1,2}\\)|set|vector)$";

/** Rows that are sent, and the answers to them. */
export const ingestSchemas: NamedSchemas = {
  RowProblem: openObject({ line: count, code: text, detail: text, "column?": integer }),
  IngestReply: openObject({
    batchId: text,
    accepted: count,
    rejected: count,
    problems: list(ref("RowProblem"), { maxItems: rowProblemsMax }),
    ack: { enum: ["received", "durable", "replicated"] },
    "csv?": ref("CsvReading"),
  }),
  BatchesRequest: {
    type: "object",
    required: ["tables"],
    additionalProperties: false,
    properties: {
      tables: { type: "object", additionalProperties: list(ref("Row")) },
    },
  },
  BatchesReply: openObject({
    batchId: text,
    accepted: count,
    tables: { type: "object", additionalProperties: openObject({ accepted: count }) },
    ack: { enum: ["received", "durable", "replicated"] },
  }),
  CsvReading: openObject(
    {
      delimiter: text,
      decimal: { enum: [".", ",", null] },
      columns: list(
        openObject({
          name: text,
          type: nullable({ type: "string", pattern: csvTypePattern }),
          "reason?": {
            ...text,
            description: "Why the column is text although some of its values are numbers.",
          },
        }),
      ),
      missing: list(openObject({ column: text, text, count }), {
        description: "Texts such as NA that were read as missing in columns of numbers.",
      }),
    },
    {
      description:
        "How a CSV body was read. Send it with the file's next body to read that in the same way.",
    },
  ),
  RowsPreview: openObject({
    accepted: count,
    rejected: count,
    problems: list(ref("RowProblem"), { maxItems: rowProblemsMax }),
    columns: list(
      openObject({ name: text, type: { enum: ["time", ...columnTypes] }, decimals: count }),
    ),
    rows: list(list({ anyOf: [text, integer, list(text), { type: "null" }] }), {
      maxItems: previewRowsMax,
    }),
    "csv?": ref("CsvReading"),
    times: ref("TimesReading"),
    "parquet?": ref("ParquetReading"),
  }),
  ParquetReading: openObject({
    rows: count,
    columns: list(openObject({ name: text, type: text })),
  }),
  TimesReading: openObject({
    forms: list(openObject({ form: { enum: timeForms }, rows: count })),
    repeated: count,
  }),
  Row: {
    type: "object",
    description:
      'One event. `time` (or the column that `?time=` names) is mandatory: milliseconds since 1970 or ISO-8601 with zone. `{"$set": [...]}` is a set, a list a vector, an object is flattened with dots.',
    examples: [{ time: "2026-11-21T09:00:00Z", page: "/cart", ms: 81, tags: { $set: ["beta"] } }],
  },
};
