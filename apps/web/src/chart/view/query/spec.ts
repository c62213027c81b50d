import { type AggregateSpec, aggregateName, isNumberAggregate } from "@hadal/sdk";
import type { QueryShape } from "../../../query/state/queryShape.js";
import type { ViewSpec } from "../../spec/viewSpec.js";

/** The result of a query in SQL or JSON that no other view can express, column by column. */
export const query: ViewSpec = {
  id: "query",
  name: "As written",
  group: "rows",
  answers: "What does the query say, exactly as it was written?",
  load: async () => (await import("./QueryView.js")).QueryView,
  isText: true,
  fields: ["compare"],
  options: [],
  needsColumns: false,
  lacks: ({ shape }) => (shape === null ? "No query was written in SQL or JSON yet" : null),
  fill: (state) => state,
  orderNames: ({ shape }) => aggregatesOf(shape).filter(isNumberAggregate).map(aggregateName),
  build: ({ shape }, { base, counted }) => {
    if (shape === null) return { query: counted };
    return { query: { ...base, ...shape, ...(counted.compare && { compare: counted.compare }) } };
  },
};

/** The address may contain anything: the server reports what is wrong. */
function aggregatesOf(shape: QueryShape | null): NonNullable<QueryShape["aggregates"]> {
  const list: unknown = shape?.aggregates;
  const isAggregate = (one: unknown): one is AggregateSpec =>
    typeof one === "object" && one !== null && "fn" in one && typeof one.fn === "string";
  return Array.isArray(list) ? list.filter(isAggregate) : [];
}
