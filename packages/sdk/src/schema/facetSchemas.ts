import { list, type NamedSchemas, nullable, openObject, ref } from "./jsonSchema.js";
import { count, integer, number, share, text } from "./valueSchemas.js";

const counted: NamedSchemas = { rows: count, count: number };

/** The answer to a request for facets. */
export const facetSchemas: NamedSchemas = {
  Facet: openObject({
    name: text,
    type: { enum: ["int", "string", "set", "vector"] },
    decimals: count,
    "unit?": text,
    ...counted,
    fill: { ...share, description: "Share of the events with a value." },
    distinct: { ...nullable(count), description: "null: too many to count." },
    distinctIsExact: {
      type: "boolean",
      description: "false: `distinct` is an estimate or a lower bound.",
    },
    values: {
      ...nullable(list(openObject({ value: { type: ["string", "number"] }, ...counted, share }))),
      description: "Most frequent first; null: too many to list.",
    },
    ranges: {
      ...nullable(
        list(openObject({ from: nullable(number), to: nullable(number), ...counted, share })),
      ),
      description: "For numbers with many values: from <= value < to.",
    },
  }),
  Facets: openObject({
    columns: list(ref("Facet")),
    ...counted,
    completeness: ref("Completeness"),
    asOf: integer,
    final: { type: "boolean" },
    "notes?": list(openObject({ "column?": text, text })),
    stats: ref("QueryStats"),
  }),
};
