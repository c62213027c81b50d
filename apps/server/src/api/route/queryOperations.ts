import type { Result } from "@hadal/sdk";
import { ref } from "@hadal/sdk/schema";
import { bindingProblems, type Operation } from "../docs/operation.js";

const query = {
  table: "visits",
  from: "2026-11-21T00:00:00Z",
  to: "2026-11-22T00:00:00Z",
  filter: [{ column: "page", op: "=", value: "/cart" }],
  groupBy: [{ time: "1h" }, "page"],
  aggregates: [{ fn: "count" }, { fn: "percentile", column: "ms", p: 95 }],
} as const;

const result: Result = {
  columns: [
    { name: "time", type: "time", role: "group" },
    { name: "page", type: "string", role: "group" },
    { name: "count", type: "int", role: "aggregate" },
    { name: "count.raw", type: "int", role: "aggregate" },
    { name: "p95_ms", type: "int", role: "aggregate", unit: "ms" },
  ],
  rows: [[1795251600000, "/cart", 1, 1, 81]],
  completeness: {
    fraction: 0.977,
    rowsExpected: 5172421,
    rowsAnswered: 5053455,
    leaves: { answered: 43, total: 44, missing: ["leaf-17"] },
  },
  intervals: { p95_ms: [[81, 82]] },
  asOf: 1795254000000,
  final: true,
  truncated: null,
  stats: {
    rowsScanned: 5053455,
    rowsMatched: 1,
    bytesScanned: 40427640,
    segments: 80,
    segmentsSkipped: 2,
    cache: "miss",
    elapsedMs: 12.5,
    scanMs: 11.2,
    mergeMs: 0.4,
  },
};

const frame = { kind: "subscribe", id: "s1", query, everyMs: 5000 } as const;

/** Of whatever is answered. */
export const sessionParameter = {
  name: "X-Hadal-Session",
  in: "header",
  description:
    "Names the client: of answers to one session `asOf` never goes back, also where `freshnessMs` would allow an older one. A live socket is a session by itself, or goes on with the one that `?session=` names.",
  schema: { type: "string", pattern: "^[\\w.:-]{1,100}$" },
} as const;

export const postQuery: Operation = {
  operationId: "query",
  summary: "Ask once",
  description:
    "One final answer, in the form that `Accept` asks for. Every form carries the completeness: JSON inside, NDJSON in the last line, CSV in a comment at the end, Arrow in the metadata of its schema (`hadal.completeness`), and all of them in the header `X-Hadal-Completeness`.",
  tag: "Queries",
  parameters: [
    {
      name: "X-Query-Id",
      in: "header",
      description: "Names the query, so that it can be cancelled while it runs.",
      schema: { type: "string", pattern: "^[\\w.:-]{1,100}$" },
    },
    sessionParameter,
  ],
  body: {
    content: {
      "application/json": {
        schema: {
          anyOf: [
            { type: "object", required: ["query"], properties: { query: ref("Query") } },
            { type: "object", required: ["sql"], properties: { sql: { type: "string" } } },
          ],
        },
        example: { query },
      },
    },
  },
  answer: {
    status: 200,
    description: "The result.",
    headers: {
      "X-Hadal-Completeness": { description: "`0.977; rows 3/4; leaves 43/44; missing leaf-17`" },
      "X-Query-Id": { description: "The id of the query." },
    },
    content: {
      "application/json": { schema: ref("Result"), example: result },
      "application/x-ndjson": {
        schema: {
          type: "string",
          description:
            "One object a row, then one with completeness, asOf, truncated, coverage, lowerBounds, intervals, stats and whatever else a result has beside its rows.",
        },
      },
      "text/csv": {
        schema: {
          type: "string",
          description:
            "RFC 4180; then `# completeness: …`, and `# truncated: …`, `# lowerBounds: …`, `# coverage: …` and `# compareCoverage: …` where a result has them.",
        },
      },
      "application/vnd.apache.arrow.stream": {
        schema: {
          type: "string",
          contentEncoding: "binary",
          description:
            "Times are Timestamp(ms, UTC), integers Int64, decimals Decimal128, strings coded by dictionaries, sets and vectors List(Utf8). All else of the result is in the schema's metadata, as JSON: `hadal.completeness`, `hadal.coverage` …",
        },
      },
    },
  },
  problems: [
    ...bindingProblems,
    "sum-overflow",
    "too-many-groups",
    "query-memory",
    "incomplete",
    "no-leaves",
    "not-acceptable",
    "leaf-failed",
    "cancelled",
  ],
};

export const deleteQuery: Operation = {
  operationId: "cancelQuery",
  summary: "Cancel a running query on every leaf",
  tag: "Queries",
  parameters: [
    {
      name: "id",
      in: "path",
      description: "The id that `X-Query-Id` gave the query, or that the status lists.",
      schema: { type: "string" },
      example: "my-query",
    },
  ],
  answer: { status: 204, description: "It was running and is no more." },
  problems: ["unknown-query"],
};

export const live: Operation = {
  operationId: "live",
  summary: "Live queries over a WebSocket",
  description: `A WebSocket of JSON texts. The client sends \`ClientFrame\`s, such as \`${JSON.stringify(frame)}\`; the server answers with \`ServerFrame\`s: partials that replace one another, then \`final\`, or a \`problem\`. Closing the socket cancels its queries.`,
  tag: "Queries",
  answer: {
    status: 101,
    description: "The connection is a WebSocket from here on.",
    content: {
      "application/json": { schema: { anyOf: [ref("ClientFrame"), ref("ServerFrame")] } },
    },
  },
  problems: ["bad-request", "origin-refused"],
};
