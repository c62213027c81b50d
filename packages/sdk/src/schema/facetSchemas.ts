import {
  type JsonSchema,
  list,
  type NamedSchemas,
  nullable,
  openObject,
  ref,
} from "./jsonSchema.js";

const count: JsonSchema = { type: "integer", minimum: 0 };
const text: JsonSchema = { type: "string" };
const number: JsonSchema = { type: "number" };
const integer: JsonSchema = { type: "integer" };
const share: JsonSchema = { type: "number", minimum: 0, maximum: 1 };
const counted: NamedSchemas = { rows: count, count: number };

/** What a request for facets is answered with. */
export const facetSchemas: NamedSchemas = {
  Facet: openObject({
    name: text,
    type: { enum: ["int", "string", "set", "vector"] },
    decimals: count,
    "unit?": text,
    ...counted,
    fill: { ...share, description: "Share of the events that have a value." },
    distinct: { ...nullable(count), description: "null: more than can be told apart." },
    distinctIsExact: { type: "boolean", description: "Else an estimate, or at least so many." },
    values: {
      ...nullable(list(openObject({ value: { type: ["string", "number"] }, ...counted, share }))),
      description: "Most frequent first; null: too many to tell apart.",
    },
    ranges: {
      ...nullable(
        list(openObject({ from: nullable(number), to: nullable(number), ...counted, share })),
      ),
      description: "Of numbers with many values: from <= value < to.",
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
