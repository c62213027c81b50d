import { apiBase, type Facets } from "@hadal/sdk";
import { ref } from "@hadal/sdk/schema";
import type { FastifyInstance } from "fastify";
import { type Operation, sessionParameter } from "../docs/operation.js";
import type { RouteContext } from "./routeContext.js";
import { answerProblems, sendAnswer } from "./sendAnswer.js";

const request = {
  table: "visits",
  from: "2026-11-21T00:00:00Z",
  to: "2026-11-22T00:00:00Z",
  filter: [{ column: "ms", op: ">", value: 50 }],
  columns: ["page", "ms"],
  limit: 5,
} as const;

const facets: Facets = {
  columns: [
    {
      ...{ name: "page", type: "string", decimals: 0, rows: 2, count: 20, fill: 1 },
      ...{ distinct: 2, distinctIsExact: true, ranges: null },
      values: [
        { value: "/cart", rows: 1, count: 15, share: 0.75 },
        { value: "/home", rows: 1, count: 5, share: 0.25 },
      ],
    },
  ],
  ...{ rows: 2, count: 20, asOf: 1795254000000, final: true },
  completeness: {
    ...{ fraction: 1, rowsExpected: 3, rowsAnswered: 3 },
    leaves: { answered: 2, total: 2, missing: [] },
  },
  stats: {
    ...{ rowsScanned: 3, rowsMatched: 2, bytesScanned: 48, segments: 2, segmentsSkipped: 0 },
    ...{ cache: "miss", elapsedMs: 2.5, scanMs: 0.4, mergeMs: 0 },
  },
};

const postFacets: Operation = {
  operationId: "facets",
  summary: "Values of many columns at once",
  description:
    "Of each column the most frequent values (elements, of sets and vectors) with their counts over all rows that pass the filter, the share of events that have one, and how many different ones there are; of numbers with many values ranges too. One scan answers for all columns, and steps behind queries.",
  tag: "Queries",
  access: "query",
  isForEmbeds: true,
  parameters: [sessionParameter],
  body: {
    content: { "application/json": { schema: ref("FacetsRequest"), example: request } },
  },
  answer: {
    status: 200,
    description: "The columns.",
    headers: {
      "X-Hadal-Completeness": { description: "`1; rows 3/3; leaves 2/2`" },
    },
    content: { "application/json": { schema: ref("Facets"), example: facets } },
  },
  problems: answerProblems,
};

/** Values of many columns at once. */
export function addFacetRoutes(app: FastifyInstance, context: RouteContext): void {
  app.post(`${apiBase}/facets`, { config: { operation: postFacets } }, (request, reply) =>
    sendAnswer(request, reply, { ...context, ask: context.deps.facets }),
  );
}
