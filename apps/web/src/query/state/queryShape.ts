import type { Query } from "@hadal/sdk";

const shapeKeys = [
  "groupBy",
  "aggregates",
  "calculate",
  "show",
  "having",
  "orderBy",
  "limit",
  "offset",
  "series",
  "sampleView",
] as const;

/** The part of a query besides table, times and filters, in which views differ. */
export type QueryShape = Pick<Query, (typeof shapeKeys)[number]>;

/** The shape of a query, or of anything that claims to be one: other keys are left out. */
export function shapeOf(query: Query | Readonly<Record<string, unknown>>): QueryShape {
  const read = query as Readonly<Record<string, unknown>>;
  const pairs = shapeKeys.flatMap((key) =>
    Object.hasOwn(read, key) && read[key] !== undefined ? [[key, read[key]] as const] : [],
  );
  return Object.fromEntries(pairs) as QueryShape;
}
