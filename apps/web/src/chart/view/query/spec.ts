import { type AggregateSpec, aggregateName, isNumberAggregate } from "@hadal/sdk";
import { FileCode2 } from "lucide-react";
import type { QueryShape } from "../../../query/state/queryShape.js";
import type { ViewSpec } from "../../spec/viewSpec.js";

/** A question as it was written in SQL or JSON, where no other view asks it: its result, column by column. */
export const query: ViewSpec = {
  id: "query",
  name: "As written",
  group: "rows",
  answers: "What does the query say, exactly as it was written?",
  Icon: FileCode2,
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

/** What the address holds may be anything: the server says what is wrong with it. */
function aggregatesOf(shape: QueryShape | null): NonNullable<QueryShape["aggregates"]> {
  const list: unknown = shape?.aggregates;
  const isAggregate = (one: unknown): one is AggregateSpec =>
    typeof one === "object" && one !== null && "fn" in one && typeof one.fn === "string";
  return Array.isArray(list) ? list.filter(isAggregate) : [];
}
