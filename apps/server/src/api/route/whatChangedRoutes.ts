import { apiBase, type ChangeShare, type ValueChange, type WhatChanged } from "@hadal/sdk";
import { ref } from "@hadal/sdk/schema";
import type { FastifyInstance } from "fastify";
import { type Operation, sessionParameter } from "../docs/operation.js";
import type { RouteContext } from "./routeContext.js";
import { answerProblems, sendAnswer } from "./sendAnswer.js";

const request = {
  table: "visits",
  from: "2026-11-21T00:00:00Z",
  to: "2026-11-22T00:00:00Z",
  selection: { filter: [{ column: "ms", op: ">", value: 50 }] },
  against: "rest",
} as const;

const day = { fromMs: 1795219200000, toMs: 1795305600000 };
const share = (rows: number, ofRows: number): ChangeShare => ({
  ...{ rows, count: rows },
  share: rows / ofRows,
});
const cart: ValueChange = {
  is: { kind: "value", value: "/cart" },
  ...{ a: share(180, 200), b: share(150, 600), difference: 0.65 },
  ...{ interval: [0.6, 0.7], p: 1e-60 },
  filter: { column: "page", op: "=", value: "/cart" },
  exclude: { column: "page", op: "!=", value: "/cart" },
};
const found: WhatChanged = {
  a: { rows: 200, count: 200, effectiveRows: 200, ...day },
  b: { rows: 600, count: 600, effectiveRows: 600, ...day },
  columns: [
    {
      ...{ name: "page", type: "string", decimals: 0, score: 0.6 },
      ...{ best: cart, values: [cart], distinct: 12 },
    },
  ],
  ...{ columnsFound: 1, unchanged: ["tags"], pairs: [], tests: 40, chance: 0.01 },
  hidden: [{ name: "ms", type: "int", reason: "tells-the-sets-apart" }],
  ...{ asOf: 1795254000000, final: true },
  completeness: {
    ...{ fraction: 1, rowsExpected: 800, rowsAnswered: 800 },
    leaves: { answered: 2, total: 2, missing: [] },
  },
  stats: {
    ...{ rowsScanned: 800, rowsMatched: 800, bytesScanned: 12800, segments: 2, segmentsSkipped: 0 },
    ...{ cache: "miss", elapsedMs: 9.5, scanMs: 2.4, mergeMs: 1.1 },
  },
};

const postWhatChanged: Operation = {
  operationId: "whatChanged",
  summary: "In which columns two sets of rows differ",
  description:
    "Set A is a selection among the rows; set B the rest of them, the rows of another filter, or those of an earlier time. Every column is looked at, elements of sets and vectors and ranges of numbers included, and ranked by how much the shares of its best value differ at least. `p` holds for all comparisons together: where rows were dealt to the sets at random, one answer in a hundred would have any find at all. Values of two columns that separate the sets better together are in `pairs`.",
  tag: "Queries",
  access: "query",
  isForEmbeds: true,
  parameters: [sessionParameter],
  body: {
    content: { "application/json": { schema: ref("WhatChangedRequest"), example: request } },
  },
  answer: {
    status: 200,
    description: "The columns that differ, the most first.",
    headers: {
      "X-Hadal-Completeness": { description: "`1; rows 3/3; leaves 2/2`" },
    },
    content: { "application/json": { schema: ref("WhatChanged"), example: found } },
  },
  problems: answerProblems,
};

/** What two sets of rows differ in. */
export function addWhatChangedRoutes(app: FastifyInstance, context: RouteContext): void {
  app.post(
    `${apiBase}/what-changed`,
    { config: { operation: postWhatChanged } },
    (request, reply) => sendAnswer(request, reply, { ...context, ask: context.deps.whatChanged }),
  );
}
