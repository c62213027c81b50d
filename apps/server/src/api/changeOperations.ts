import { ref } from "@hadal/sdk/schema";
import { postFacets } from "./facetOperations.js";
import type { Operation } from "./operation.js";

const request = {
  table: "visits",
  from: "2026-11-21T00:00:00Z",
  to: "2026-11-22T00:00:00Z",
  selection: { filter: [{ column: "ms", op: ">", value: 50 }] },
  against: "rest",
} as const;

export const postWhatChanged: Operation = {
  operationId: "whatChanged",
  summary: "In which columns two sets of rows differ",
  description:
    "Set A is a selection among the rows; set B the rest of them, the rows of another filter, or those of an earlier time. Every column is looked at, elements of sets and vectors and ranges of numbers included, and ranked by how much the shares of its best value differ at least. `p` holds for all comparisons together: where rows were dealt to the sets at random, one answer in a hundred would have any find at all. Values of two columns that tell the sets apart better together are in `pairs`.",
  tag: "Queries",
  body: {
    content: { "application/json": { schema: ref("WhatChangedRequest"), example: request } },
  },
  answer: {
    status: 200,
    description: "The columns that differ, the most first.",
    headers: {
      "X-Hadal-Completeness": { description: "`1; rows 3/3; leaves 2/2`" },
    },
    content: { "application/json": { schema: ref("WhatChanged") } },
  },
  problems: postFacets.problems ?? [],
};
