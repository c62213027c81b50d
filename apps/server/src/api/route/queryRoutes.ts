import { randomUUID } from "node:crypto";
import {
  apiBase,
  completenessHeader,
  HadalError,
  printCompletenessLine,
  type Result,
} from "@hadal/sdk";
import { ref } from "@hadal/sdk/schema";
import type { FastifyInstance } from "fastify";
import { readJsonBody } from "../body/jsonBody.js";
import { readQuery } from "../body/queryBody.js";
import { sessionHeader } from "../context/answerSessions.js";
import { noteExport } from "../context/noteExport.js";
import { requesterOf } from "../context/requester.js";
import { bindingProblems, type Operation, sessionParameter } from "../docs/operation.js";
import { queryExample } from "../docs/queryExample.js";
import { answerBody } from "../format/answerBody.js";
import { chooseFormat } from "../format/resultFormats.js";
import { cancelOnDisconnect } from "./cancelOnDisconnect.js";
import type { RouteContext } from "./routeContext.js";

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

const postQuery: Operation = {
  operationId: "query",
  summary: "Ask once",
  description:
    "One final answer, in the form that `Accept` asks for. Every form carries the completeness: JSON inside, NDJSON in the last line, CSV in a comment at the end, Arrow in the metadata of its schema (`hadal.completeness`), and all of them in the header `X-Hadal-Completeness`.",
  tag: "Queries",
  access: "query",
  isForEmbeds: true,
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
        example: { query: queryExample },
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
    "quota-exceeded",
    "incomplete",
    "no-leaves",
    "not-acceptable",
    "leaf-failed",
    "cancelled",
  ],
};

const deleteQuery: Operation = {
  operationId: "cancelQuery",
  summary: "Cancel a running query on every leaf",
  description: "One's own; with the permission `operate` that of anyone.",
  tag: "Queries",
  access: "query",
  parameters: [
    {
      name: "id",
      in: "path",
      description: "The id that `X-Query-Id` gave the query, or that the status lists.",
      schema: { type: "string" },
      example: "my-query",
    },
  ],
  answer: { status: 204, description: "The query was cancelled." },
  problems: ["unknown-query"],
};

const queryIdHeader = "x-query-id";

export function addQueryRoutes(
  app: FastifyInstance,
  { deps, running, sessions }: RouteContext,
): void {
  app.post(`${apiBase}/query`, { config: { operation: postQuery } }, async (request, reply) => {
    const format = chooseFormat(request.headers.accept);
    const id = checkQueryId(request.headers[queryIdHeader]);
    // Also on a problem: it can be looked up in the status and in logs.
    reply.header(queryIdHeader, id);
    const requester = requesterOf(request);
    const session = sessions.of(request.headers[sessionHeader], requester);
    const { query, explain } = readQuery(await readJsonBody(request));
    const controller = cancelOnDisconnect(reply);
    const result = await running
      .run(id, query, { requester, controller }, (signal) =>
        deps.ask(query, { id, signal, session, readable: request.person.readable }),
      )
      .catch((error: unknown) => {
        throw explain(error);
      });
    reply.header(completenessHeader, printCompletenessLine(result.completeness));
    if (!format.mediaType.startsWith("application/json"))
      noteExport(request, `${tableOf(query)} (${format.mediaType})`, deps);
    const held = deps.answers.hold(result, () => reply.raw.destroy());
    reply.raw.once("close", () => held.release());
    const printed = format.print(result);
    const body = printed instanceof Promise ? await printed : answerBody(printed, held);
    return reply.type(format.mediaType).send(body);
  });

  app.delete<{ Params: { id: string } }>(
    `${apiBase}/query/:id`,
    { config: { operation: deleteQuery } },
    async ({ params, person }, reply) => {
      if (!running.cancel(params.id, person))
        throw new HadalError("unknown-query", { id: params.id });
      return reply.code(204).send();
    },
  );
}

const tableOf = (query: unknown): string => (query as { readonly table: string }).table;

/** A client may name its query, to be able to cancel it before the answer's headers are there. */
function checkQueryId(id: string | string[] | undefined): string {
  if (id === undefined) return randomUUID();
  if (typeof id === "string" && /^[\w.:-]{1,100}$/.test(id)) return id;
  throw new HadalError("bad-request", {
    detail: `${queryIdHeader} has 1 to 100 letters, digits, and _ . : -`,
  });
}
