import {
  columnSettingsMax,
  columnTypes,
  keepOneInMax,
  retentionAgeMsMin,
  retentionBytesMin,
  thinningStepsMax,
} from "../model/check/checkTableSettings.js";
import { functionSourceMax } from "../model/expression.js";
import { previewRowsMax, rowProblemsMax, timeForms } from "../model/ingest.js";
import { linkPathMax } from "../model/link.js";
import { problemCodes } from "../model/problem/problem.js";
import { aggregatesMax } from "../model/query.js";
import type { CoverageReason } from "../model/result.js";
import { decimalsMax } from "../model/schema.js";
import { functionDescriptionMax, functionTrialRowsMax } from "../model/userFunction.js";
import { everyMsMin } from "../wire/frames.js";
import {
  closedObject,
  type JsonSchema,
  list,
  type NamedSchemas,
  nullable,
  openObject,
  ref,
} from "./jsonSchema.js";

const count: JsonSchema = { type: "integer", minimum: 0 };
const text: JsonSchema = { type: "string" };
const number: JsonSchema = { type: "number" };
const integer: JsonSchema = { type: "integer" };
const bounds: JsonSchema = {
  type: "array",
  prefixItems: [number, number],
  minItems: 2,
  maxItems: 2,
};

const coverageReasons: readonly CoverageReason[] = [
  "missing-leaves",
  "open",
  "before-data",
  "future",
  "thinned",
  "expired",
];

const resultSchemas: NamedSchemas = {
  ResultColumn: openObject({
    name: text,
    type: {
      enum: ["time", "int", "decimal", "float", "string", "set", "vector", "histogram"],
      description: "int and decimal are exact; time is milliseconds since 1970.",
    },
    role: { enum: ["group", "aggregate", "sample"] },
    "unit?": text,
    "decimals?": { ...count, description: "Digits behind the point of a decimal column." },
  }),
  ResultValue: {
    description:
      "One cell; null is missing. An integer beyond 2^53, or a decimal beyond that or with more than 15 digits, is a decimal string. A histogram is a list of [low, high, count].",
    anyOf: [
      { type: ["string", "number", "null"] },
      list(text),
      list({ type: "array", prefixItems: [number, number, number], minItems: 3, maxItems: 3 }),
    ],
  },
  Completeness: openObject(
    {
      fraction: { ...number, minimum: 0, maximum: 1, description: "rowsAnswered ÷ rowsExpected." },
      "known?": {
        const: false,
        description:
          "Counts of rows are lost: nobody knows how many rows there should be. `fraction` is 0 then.",
      },
      "reason?": { ...text, description: "Why the share is not known." },
      rowsExpected: count,
      rowsAnswered: count,
      leaves: openObject({ answered: count, total: count, missing: list(text) }),
    },
    { description: "What share of the wanted rows stands behind an answer, and who is missing." },
  ),
  QueryStats: openObject({
    rowsScanned: count,
    rowsMatched: count,
    bytesScanned: count,
    segments: count,
    segmentsSkipped: count,
    cache: { enum: ["miss", "hit", "stale"] },
    elapsedMs: number,
    scanMs: { ...number, description: "Longest scan of one leaf." },
    mergeMs: number,
  }),
  Truncated: openObject(
    {
      ...{ "groups?": count, "rows?": count, "series?": count },
      "atLeast?": {
        const: true,
        description:
          "Groups and series are lower bounds: leaves cut some that nobody counted together.",
      },
      "unseenMax?": {
        ...number,
        description:
          "Of a top list by a count or a sum that is never negative: no group (or series, over the whole range) that is not shown has more than this, in the leaves that answered.",
      },
    },
    { description: "What was cut off, per kind." },
  ),
  BucketCoverage: {
    type: "array",
    prefixItems: [
      { ...integer, description: "Start of the bucket." },
      { ...number, minimum: 0, maximum: 1, description: "Of its rows, or else of its time." },
      { enum: coverageReasons },
    ],
    minItems: 3,
    maxItems: 3,
    description:
      "A time bucket that is not whole, what share of it is there, and why: leaves are missing, it is not over or has not begun, it lies before the table's first row, its rows were thinned, or retention may have let them go.",
  },
  Result: openObject({
    columns: list(ref("ResultColumn")),
    rows: list(list(ref("ResultValue"))),
    completeness: ref("Completeness"),
    intervals: {
      type: "object",
      additionalProperties: list(nullable(bounds)),
      description: "Error bars per column, per row; null where none can be given.",
    },
    asOf: { ...integer, description: "No row acknowledged before this is left out." },
    final: { type: "boolean" },
    truncated: nullable(ref("Truncated")),
    "incomplete?": list(integer, {
      description:
        "Starts of the time buckets among the rows that the range covers in part only, or that are not over yet.",
    }),
    "coverage?": list(ref("BucketCoverage"), {
      description: "With a time bucket: those of the range that are not whole.",
    }),
    "compareCoverage?": list(ref("BucketCoverage"), {
      description:
        "What time alone leaves out of side B, with the starts of side A's buckets; without a time bucket its range as one.",
    }),
    "lowerBounds?": list(text, {
      description:
        "Columns of counts, and of sums that are known not to be negative, which stand on a part of the rows: the full answer is no less.",
    }),
    "notes?": list(openObject({ "column?": text, text }), {
      description: "What to know of numbers that no error bar can be given for.",
    }),
    "functions?": list(openObject({ name: text, version: count }), {
      description: "The saved functions that it used.",
    }),
    stats: ref("QueryStats"),
  }),
};

const problemSchemas: NamedSchemas = {
  ProblemPart: openObject({
    "path?": { ...text, description: "Where in a JSON input, such as `filter[0].op`." },
    "line?": count,
    "column?": { description: "Column of a text, from 1, or of a row.", anyOf: [integer, text] },
    code: text,
    detail: text,
  }),
  Problem: openObject(
    {
      type: { ...text, examples: ["urn:hadal:problem:unknown-column"] },
      title: text,
      status: integer,
      code: { enum: Object.keys(problemCodes) },
      detail: text,
      "errors?": list(ref("ProblemPart")),
    },
    { description: "Problem details of RFC 9457 with a stable `code`." },
  ),
};

const csvTypePattern = "^(string|integer|number|decimal\\([0-9]{1,2}\\)|set|vector)$";

const ingestSchemas: NamedSchemas = {
  RowProblem: openObject({ line: count, code: text, detail: text, "column?": integer }),
  IngestReply: openObject({
    batchId: text,
    accepted: count,
    rejected: count,
    problems: list(ref("RowProblem"), { maxItems: rowProblemsMax }),
    ack: { enum: ["received", "durable"] },
    "csv?": ref("CsvReading"),
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
            description: "Why it is text although some of its values are numbers.",
          },
        }),
      ),
      missing: list(openObject({ column: text, text, count }), {
        description: "Texts such as NA that were read as missing in columns of numbers.",
      }),
    },
    {
      description:
        "How a CSV body was read. Sent with the file's next body, that one is read alike.",
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

const retentionBound = (minimum: number, description: string): JsonSchema => ({
  ...nullable({ type: "integer", minimum, maximum: Number.MAX_SAFE_INTEGER }),
  description,
});

const tableProperties: NamedSchemas = {
  name: text,
  rows: count,
  bytes: { ...count, description: "Memory that its rows take." },
  bytesPerRow: nullable(number),
  compressionRatio: nullable(number),
  fromMs: nullable(integer),
  toMs: nullable(integer),
  retention: ref("Retention"),
};

const tableSchemas: NamedSchemas = {
  TableInfo: openObject(tableProperties),
  ColumnInfo: openObject({
    name: text,
    type: { enum: columnTypes },
    decimals: count,
    "unit?": text,
    rows: { ...count, description: "Rows that have a value." },
    bytes: count,
    compressionRatio: nullable(number),
  }),
  TableDetail: openObject({
    ...tableProperties,
    columns: list(ref("ColumnInfo")),
    segments: count,
    bookBytes: count,
    thinning: list(ref("ThinningStep")),
    columnSettings: list(ref("ColumnSetting")),
  }),
  Retention: closedObject(
    {
      "maxAgeMs?": retentionBound(retentionAgeMsMin, "Rows older than this go; null: never."),
      "maxBytes?": retentionBound(
        retentionBytesMin,
        "The oldest rows go when the table takes more; null: never.",
      ),
    },
    { description: "When rows go, oldest first." },
  ),
  ThinningStep: closedObject(
    {
      afterMs: {
        ...{ type: "integer", minimum: retentionAgeMsMin, maximum: Number.MAX_SAFE_INTEGER },
        description: "Age by event time; more than that of the step before.",
      },
      keepOneIn: {
        ...{ type: "integer", minimum: 2, maximum: keepOneInMax },
        description: "A multiple of that of the step before, twice it or more.",
      },
    },
    {
      description:
        "Of older rows one in `keepOneIn` stays, picked by chance, with `sample_rate` times as much.",
    },
  ),
  ColumnSetting: closedObject(
    {
      name: ref("Name"),
      "type?": { enum: columnTypes, description: "Left out: as the values come." },
      "decimals?": {
        ...{ type: "integer", minimum: 0, maximum: decimalsMax },
        description: "Digits behind the point, of numbers; further ones are cut off.",
      },
    },
    {
      description:
        "How values of rows to come are read. What is stored stays as it is. Has `type`, `decimals`, or both.",
      anyOf: [{ required: ["type"] }, { required: ["decimals"] }],
    },
  ),
  TableSettings: closedObject({
    "retention?": ref("Retention"),
    "thinning?": list(ref("ThinningStep"), { maxItems: thinningStepsMax }),
    "columns?": list(ref("ColumnSetting"), { maxItems: columnSettingsMax }),
  }),
  ColumnValue: openObject({
    value: { type: ["string", "number", "null"], description: "null: the rows that have none." },
    count: { ...number, description: "Events, adjusted for `sample_rate`." },
  }),
};

const memberTables = list(openObject({ name: text, rows: count, bytes: count }));

const statusSchemas: NamedSchemas = {
  Memory: openObject({
    storeBytes: count,
    storeUsedBytes: count,
    storeLargestFreeBytes: count,
    storeExtents: count,
    queryPoolBytes: count,
    queryPoolUsedBytes: count,
  }),
  Member: openObject({
    id: text,
    role: { enum: ["gateway", "aggregator", "leaf"] },
    address: text,
    pid: nullable(count),
    state: { enum: ["alive", "suspect", "dead"] },
    rows: count,
    bytes: count,
    freeBytes: count,
    memory: nullable(ref("Memory")),
    tables: memberTables,
    lastHeardMs: number,
  }),
  LostColumn: openObject({ leaf: text, table: text, column: text, rows: count, reason: text }),
  LostRows: openObject({ leaf: text, table: text, rows: count, reason: text }),
  Ledger: openObject(
    {
      state: { enum: ["whole", "rebuilding"] },
      reason: { ...nullable(text), description: "What the ledger has lost; null: nothing." },
      comparedMs: {
        ...nullable(number),
        description: "When it was last compared with what all leaves hold.",
      },
      lostRows: {
        ...list(ref("LostRows")),
        description: "Rows that leaves have lost: every answer over them says so.",
      },
      lostColumns: {
        ...list(ref("LostColumn")),
        description:
          "Columns of which leaves have lost values: answers that read one lack these rows, and say so.",
      },
      doubts: {
        ...list(openObject({ table: text, reason: text })),
        description: "Tables of which nobody knows how many rows there should be.",
      },
    },
    { description: "The count of rows that answers are compared with." },
  ),
  Status: openObject({
    ledger: ref("Ledger"),
    members: list(ref("Member")),
    tables: memberTables,
    queries: list(openObject({ id: text, table: text, text, elapsedMs: number })),
    sandbox: openObject({
      state: { enum: ["unused", "strict", "weak", "refused"] },
      keeps: list(text),
    }),
    demo: nullable(
      openObject({ table: text, rows: count, fraction: number, problem: nullable(text) }),
    ),
    admission: openObject({ running: count, waiting: count, refused: count, answerBytes: count }),
    ingest: openObject({
      rowsAccepted: count,
      rowsRejected: count,
      batches: count,
      tables: list(openObject({ name: text, rowsAccepted: count })),
      bytesHeld: count,
      waiting: count,
      refused: count,
    }),
  }),
};

const functionSource: JsonSchema = {
  type: "string",
  maxLength: functionSourceMax,
  examples: ["(a, b) => a / b"],
};
const functionKind: JsonSchema = { enum: ["scalar", "aggregate"] };
const description: JsonSchema = { type: "string", maxLength: functionDescriptionMax };
const rowsTried = list({ type: "object" }, { maxItems: functionTrialRowsMax });

const functionSchemas: NamedSchemas = {
  FunctionDraft: closedObject({ source: functionSource, "description?": description }),
  UserFunction: openObject({
    name: text,
    version: { ...count, description: "Counts from 1; every change makes the next one." },
    kind: functionKind,
    source: text,
    "description?": text,
    savedMs: number,
    example: { type: "boolean", description: "It came with Hadal." },
  }),
  FunctionTrial: {
    description: "A function, and the rows to try it on: given, or the newest of a table.",
    anyOf: [
      closedObject({
        source: functionSource,
        "args?": list(ref("Name"), { maxItems: aggregatesMax }),
        rows: rowsTried,
        "limit?": { type: "integer", minimum: 1, maximum: functionTrialRowsMax },
      }),
      closedObject({
        source: functionSource,
        "args?": list(ref("Name"), { maxItems: aggregatesMax }),
        table: ref("Name"),
        "limit?": { type: "integer", minimum: 1, maximum: functionTrialRowsMax },
      }),
    ],
  },
  FunctionTrialResult: openObject({
    kind: functionKind,
    results: list({
      anyOf: [
        openObject({ value: { type: ["string", "number", "null"] } }),
        openObject({
          error: openObject({ detail: text, "line?": integer, "column?": integer }),
        }),
      ],
    }),
    rows: list({ type: "object" }),
    log: list(text, { description: "What `console.log` was given." }),
    elapsedMs: number,
  }),
};

const linkSchemas: NamedSchemas = {
  LinkDraft: closedObject({
    path: { type: "string", maxLength: linkPathMax, examples: ["/explore?v=1&table=visits"] },
  }),
  ShortLink: openObject({ id: text, path: text, savedMs: number }),
};

const sql: JsonSchema = { type: "string", description: "The query as SQL." };
const frameId: JsonSchema = { type: "string", minLength: 1, maxLength: 200 };

const frameSchemas: NamedSchemas = {
  ClientFrame: {
    description: "What a client sends on the live socket.",
    anyOf: [
      openObject({ kind: { const: "query" }, id: frameId, query: ref("Query") }),
      openObject({ kind: { const: "query" }, id: frameId, sql }),
      openObject({
        kind: { const: "subscribe" },
        id: frameId,
        query: ref("Query"),
        everyMs: { ...number, minimum: everyMsMin },
      }),
      openObject({
        kind: { const: "subscribe" },
        id: frameId,
        sql,
        everyMs: { ...number, minimum: everyMsMin },
      }),
      openObject({ kind: { const: "facets" }, id: frameId, facets: ref("FacetsRequest") }),
      openObject({
        kind: { const: "what-changed" },
        id: frameId,
        whatChanged: ref("WhatChangedRequest"),
      }),
      openObject({ kind: { const: "cancel" }, id: frameId }),
    ],
  },
  ServerFrame: {
    description:
      "What the server answers. A partial replaces the one before it; nothing follows `final`.",
    anyOf: [
      {
        allOf: [
          openObject({ kind: { enum: ["partial", "final"] }, id: frameId, seq: count }),
          ref("Result"),
        ],
      },
      openObject({ kind: { const: "facets" }, id: frameId, seq: count, facets: ref("Facets") }),
      openObject({
        kind: { const: "what-changed" },
        id: frameId,
        seq: count,
        whatChanged: ref("WhatChanged"),
      }),
      openObject({ kind: { const: "problem" }, id: text, problem: ref("Problem") }),
    ],
  },
};

/** What Hadal answers, and the small things it takes beside queries. */
export const answerSchemas: NamedSchemas = {
  ...resultSchemas,
  ...problemSchemas,
  ...ingestSchemas,
  ...tableSchemas,
  ...statusSchemas,
  ...functionSchemas,
  ...linkSchemas,
  ...frameSchemas,
};
