import {
  type AckLevel,
  apiBase,
  type BinaryForm,
  type RawParameters,
  type TimeUnit,
} from "@hadal/sdk";
import { ref } from "@hadal/sdk/schema";
import type { FastifyInstance } from "fastify";
import { bodyOf } from "../../body/requestBody.js";
import { type Operation, readParameters, tableParameter } from "../../docs/operation.js";
import type { RouteContext } from "../routeContext.js";
import {
  ackParameter,
  encodingParameter,
  keyParameter,
  sendProblems,
  timeParameter,
  timeUnitParameter,
  timeZoneParameter,
} from "./ingestParameters.js";
import { checkMayIngest, headerText, senderOf } from "./ingestRequests.js";

const rowsReply = {
  batchId: "0b5f7a2e-6c1d-4e0a-9d3a-1f6f1c2b7a90",
  accepted: 1,
  rejected: 1,
  problems: [{ line: 2, code: "time-missing", detail: "The row has no `time`." }],
  ack: "durable",
} as const;

const row = '{"time":"2026-11-21T09:00:00Z","page":"/cart","ms":81,"tags":{"$set":["beta"]}}';
const text = (description: string) => ({ type: "string", description });

const postRows: Operation = {
  operationId: "sendRows",
  summary: "Take rows in",
  description:
    "The first row makes the table. One verdict per row: bad rows never stop good ones. Answered with 200 when at least one row was accepted, else with a problem that lists each refusal. Bodies may be compressed (`Content-Encoding: gzip`, `deflate` or `zstd`) and have at most 64 MiB before and after. Where more is sent than can be taken in, large bodies wait for room and are refused with 429 (`overloaded`) when it takes too long: `Retry-After` says when to send again. Small ones do not wait. A user or token that has sent the rows or bytes of a second already is refused with 429 (`quota-exceeded`); nothing of that send is stored.",
  tag: "Rows",
  access: "ingest",
  parameters: [
    tableParameter,
    timeParameter,
    timeUnitParameter,
    timeZoneParameter,
    {
      name: "binary",
      in: "query",
      description:
        "What becomes of columns of bytes in Arrow and Parquet: `text` where a value is UTF-8, else its row is refused; or lower-case hexadecimal.",
      schema: { enum: ["text", "hex"], default: "text" },
    },
    ackParameter,
    {
      name: "preview",
      in: "query",
      description:
        "`true` stores nothing and answers what would be stored (`RowsPreview`): columns with their types, the first rows, how their times were read (`times`), and what would be refused.",
      schema: { enum: ["true", "false"], default: "false" },
    },
    {
      name: "delimiter",
      in: "query",
      description:
        "CSV: the character that separates values, or `tab`. Left out: a first line `sep=;` says it, or it is found among comma, semicolon, tab and vertical bar.",
      schema: { type: "string", minLength: 1, maxLength: 10 },
    },
    {
      name: "decimal",
      in: "query",
      description:
        "CSV: the decimal separator. Left out: the point, or the comma where values are not separated by commas and the first rows show it (`3,9853`). The other one, apostrophes and no-break spaces may separate thousands.",
      schema: { enum: [".", ","] },
    },
    {
      name: "null",
      in: "query",
      description:
        'CSV: texts that are missing in every column, in quotes or not, separated by commas: `NA,unknown`. Always missing are empty values without quotes (in quotes they are empty texts in columns of texts, unless every value of the file is in quotes; `""` listed here makes them missing, too), and in columns of numbers NA, N/A, #N/A, NaN, null, none, nil, - and \\N; the answer counts these.',
      schema: { type: "string", minLength: 1 },
    },
    {
      name: "types",
      in: "query",
      description:
        "CSV: types of columns as `name:type`, separated by commas (`price:decimal(2),zip:string`): `string`, `number` (whole numbers and fractions as they come), `integer` (a fraction is refused), `decimal(2)` (digits behind the point, cut beyond), `set` and `vector` (lists of texts in JSON). A row that does not fit is refused. Left out: a column is `number` when every value of the first megabyte is one and would not change by it; `string` when all are in quotes, one begins with a zero, one does not fit 64 bits, or digits behind the point vary with zeros at the end (1.1 and 1.10). The answer contains the types that were found as `csv`; send them with the file's next body to read it in the same way.",
      schema: { type: "string", minLength: 1 },
    },
    {
      name: "pattern",
      in: "query",
      description:
        "Raw lines: `combined`, `common`, `syslog`, `log4j`, `logfmt`, `nginx-error`, `apache-error`, `plain` (any line: its time where it begins with one, else the time of receipt), or a pattern of RE2 whose named groups are the columns: `(?P<time>\\S+) (?P<status>\\d+) (?P<message>.*)`. A group that can only be digits has numbers.",
      schema: { type: "string", minLength: 1, maxLength: 2_000 },
    },
    {
      name: "multiline",
      in: "query",
      description:
        "Raw lines: which of them belong to the event before, and follow in its `message`: none, those that are indented (stack traces), or all that the pattern does not match. Left out: `unmatched` for `log4j`, `indented` for `syslog`, `plain` and error logs, else `none`.",
      schema: { enum: ["none", "indented", "unmatched"] },
    },
    {
      name: "at",
      in: "query",
      description:
        "Profiles: the time of folded stacks, and of the end of a `.cpuprofile`, as ISO-8601 or milliseconds. Left out: when they are received.",
      schema: { type: "string", minLength: 1, maxLength: 100 },
    },
    keyParameter,
    encodingParameter,
  ],
  body: {
    content: {
      "application/x-ndjson": {
        schema: text("One row a line."),
        example: `${row}\n{"page":"/"}\n`,
      },
      "application/json": {
        schema: { anyOf: [{ type: "array", items: ref("Row") }, ref("Row")] },
        example: [JSON.parse(row)],
      },
      "text/csv": {
        schema: text(
          "RFC 4180 with a header; what is empty is missing. Empty values beyond the header's names are left out, a row with fewer or more values is refused.",
        ),
        example: "time,page,ms\n2026-11-21T09:00:00Z,/cart,81\n",
      },
      "text/plain": {
        schema: text(
          "Lines of logs, read by `pattern`. A time without a zone is read in `timeZone`; without a year it is the latest one.",
        ),
      },
      "text/x-folded": {
        schema: text(
          "Folded stacks, one a line: `stack` (vector, from the root on) and `value` (integer).",
        ),
        example: "main;render;paint 42\nmain;idle 8\n",
      },
      "application/x-cpuprofile": {
        schema: {
          type: "object",
          description:
            "A profile of V8: a row for each sample, `stack` (vector) and `value`, the microseconds until the next one.",
        },
        example: {
          nodes: [
            { id: 1, callFrame: { functionName: "(root)" }, children: [2] },
            { id: 2, callFrame: { functionName: "paint", url: "app.js", lineNumber: 11 } },
          ],
          ...{ startTime: 0, endTime: 250, samples: [2, 2], timeDeltas: [0, 125] },
        },
      },
      "application/vnd.apache.arrow.stream": {
        schema: {
          type: "string",
          contentEncoding: "binary",
          description:
            "An Arrow IPC stream, its buffers as they are or compressed with LZ4 or Zstandard. Integers, decimals (six digits behind the point), floats (NaN is missing), booleans, strings, bytes (see `binary`), dictionaries, timestamps and dates (milliseconds), lists of these (vectors; sets where the field's metadata has `hadal.type` = `set`), and structs, flattened with dots.",
        },
      },
      "application/vnd.apache.arrow.file": {
        schema: {
          type: "string",
          contentEncoding: "binary",
          description: "An Arrow IPC file, read as the stream that is in it.",
        },
      },
      "application/vnd.apache.parquet": {
        schema: {
          type: "string",
          contentEncoding: "binary",
          description:
            "A Parquet file of at most 5,000,000 rows, which take at most 256 MiB as text. Every value is read as exactly as it is stored; a type that is not stored is refused by its column's name. Times that are not said to be in UTC, and days, are read in `timeZone`, in UTC without it. `line` of a problem is the number of the row.",
        },
      },
    },
  },
  answer: {
    status: 200,
    otherwise: { status: 202, description: "The same, with `ack=received`." },
    description: "What became of the rows. At most 100 problems are listed; `rejected` counts all.",
    content: {
      "application/json": {
        schema: { anyOf: [ref("IngestReply"), ref("RowsPreview")] },
        example: rowsReply,
      },
    },
  },
  problems: sendProblems,
};

interface RowsParams {
  readonly table: string;
}

export function addIngestRoutes(app: FastifyInstance, { deps: { ingest } }: RouteContext): void {
  app.post<{ Params: RowsParams }>(
    `${apiBase}/tables/:table/rows`,
    { config: { operation: postRows } },
    async (request, reply) => {
      checkMayIngest(request.params.table, request.person);
      const parameters = readParameters(request.query, postRows);
      const text = (name: string) => parameters.get(name) as string | undefined;
      const rows = {
        table: request.params.table,
        ...senderOf(request),
        body: bodyOf(request),
        contentType: request.headers["content-type"],
        timeName: text("time"),
        timeUnit: text("timeUnit") as TimeUnit | undefined,
        timeZone: text("timeZone"),
        binary: text("binary") as BinaryForm | undefined,
        csv: {
          delimiter: text("delimiter"),
          decimal: text("decimal"),
          null: text("null"),
          types: text("types"),
        },
        raw: {
          pattern: text("pattern"),
          multiline: text("multiline") as RawParameters["multiline"],
          at: text("at"),
        },
      };
      if (text("preview") === "true") return ingest.preview(rows);
      const ack = (parameters.get("ack") ?? "durable") as AckLevel;
      const idempotencyKey = headerText(request, "idempotency-key");
      const answer = await ingest.rows({ ...rows, ack, idempotencyKey });
      return reply.code(ack === "received" ? 202 : 200).send(answer);
    },
  );
}
