import { aggregateName, isNumberAggregate } from "@hadal/sdk";
import type { ViewSpec } from "./viewSpec.js";

/** A question as it was written in SQL or JSON, where no other view asks it: its result, column by column. */
export const query: ViewSpec = {
  id: "query",
  name: "As written",
  answers: "What does the query say, exactly as it was written?",
  fields: ["compare"],
  options: [],
  needsColumns: false,
  lacks: ({ shape }) => (shape === null ? "No query was written in SQL or JSON yet" : null),
  fill: (state) => state,
  orderNames: ({ shape }) => (shape?.aggregates ?? []).filter(isNumberAggregate).map(aggregateName),
  build: ({ shape }, { base, counted }) => {
    if (shape === null) return { query: counted };
    return { query: { ...base, ...shape, ...(counted.compare && { compare: counted.compare }) } };
  },
};
