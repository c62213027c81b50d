import { facetColumnsMax } from "../model/facets.js";
import {
  changesLimitDefault,
  changesLimitMax,
  changeValuesDefault,
  changeValuesMax,
} from "../model/whatChanged.js";
import {
  closedObject,
  type JsonSchema,
  list,
  type NamedSchemas,
  nullable,
  openObject,
  ref,
} from "./jsonSchema.js";
import { count, integer, number, share, text } from "./valueSchemas.js";

const difference: JsonSchema = { type: "number", minimum: -1, maximum: 1 };
const columnType: JsonSchema = { enum: ["int", "string", "set", "vector"] };
const names = list(ref("Name"), { maxItems: facetColumnsMax });
const filters = list(ref("Filter"));

function pairOf(items: JsonSchema): JsonSchema {
  return { type: "array", prefixItems: [items, items], minItems: 2, maxItems: 2 };
}

const p: JsonSchema = {
  ...nullable(share),
  description:
    "Probability that chance alone causes a difference this large in any of the tested values; null: too few rows to test.",
};
const changed: NamedSchemas = {
  a: ref("ChangeShare"),
  b: ref("ChangeShare"),
  difference: { ...difference, description: "Share in A minus share in B." },
  interval: { ...pairOf(difference), description: "95 % confidence interval of the difference." },
  p,
  filter: ref("Filter"),
  exclude: ref("Filter"),
};

/** The request for what changed, without the parts that it shares with others. */
export function whatChangedRequest(rowsAsked: NamedSchemas): JsonSchema {
  return closedObject(
    {
      ...rowsAsked,
      "selection?": closedObject(
        { "filter?": filters, "from?": ref("Time"), "to?": ref("Time") },
        { description: "Filter and time range that separate set A from the rest of the rows." },
      ),
      "against?": {
        anyOf: [
          { const: "rest" },
          closedObject({ offset: ref("CalendarLength"), "filter?": filters }),
          closedObject({ "offset?": ref("CalendarLength"), filter: filters }),
        ],
        default: "rest",
        description:
          "Set B: the rest of the rows, rows of another filter, rows of an earlier time, or both.",
      },
      "columns?": { ...names, description: "Default: every column of the table but the time." },
      "without?": { ...names, description: "Columns to leave out." },
      "limit?": {
        type: "integer",
        minimum: 1,
        maximum: changesLimitMax,
        default: changesLimitDefault,
      },
      "values?": {
        type: "integer",
        minimum: 1,
        maximum: changeValuesMax,
        default: changeValuesDefault,
      },
      "pairs?": { type: "boolean", default: true },
    },
    { description: "Asks in which columns two sets of rows differ." },
  );
}

/** The answer. */
export const whatChangedSchemas: NamedSchemas = {
  ChangeShare: openObject({ rows: count, count: number, share }),
  ChangeSet: openObject({
    rows: count,
    count: number,
    effectiveRows: { ...number, description: "Effective sample size." },
    fromMs: integer,
    toMs: integer,
  }),
  ChangedValue: {
    anyOf: [
      openObject({ kind: { const: "value" }, value: { type: ["string", "number", "null"] } }),
      openObject({ kind: { const: "element" }, value: text }),
      openObject({ kind: { const: "range" }, from: nullable(number), to: nullable(number) }),
    ],
  },
  ValueChange: openObject({ is: ref("ChangedValue"), ...changed }),
  ColumnChange: openObject({
    name: text,
    type: columnType,
    decimals: count,
    "unit?": text,
    score: {
      ...share,
      description: "Lower confidence bound of the share difference of the best value.",
    },
    best: ref("ValueChange"),
    values: list(ref("ValueChange")),
    distinct: nullable(count),
  }),
  HiddenColumn: openObject({
    name: text,
    type: columnType,
    reason: { enum: ["near-unique", "too-many-values", "tells-the-sets-apart"] },
  }),
  PairChange: openObject({
    columns: pairOf(text),
    is: pairOf(ref("ChangedValue")),
    ...changed,
    purity: share,
    purityAlone: pairOf(share),
  }),
  WhatChanged: openObject({
    a: ref("ChangeSet"),
    b: ref("ChangeSet"),
    columns: list(ref("ColumnChange")),
    columnsFound: count,
    unchanged: list(text),
    hidden: list(ref("HiddenColumn")),
    pairs: list(ref("PairChange")),
    tests: count,
    chance: share,
    "sampledByKey?": {
      ...pairOf(integer),
      description:
        "From the first to the last row that was thinned or sampled by a key; then chance and p are 1, scores 0.",
    },
    completeness: ref("Completeness"),
    asOf: integer,
    final: { type: "boolean" },
    "notes?": list(openObject({ "column?": text, text })),
    stats: ref("QueryStats"),
  }),
};
