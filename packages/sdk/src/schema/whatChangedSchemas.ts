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

const count: JsonSchema = { type: "integer", minimum: 0 };
const text: JsonSchema = { type: "string" };
const number: JsonSchema = { type: "number" };
const integer: JsonSchema = { type: "integer" };
const share: JsonSchema = { type: "number", minimum: 0, maximum: 1 };
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
    "How likely chance alone makes a difference as large anywhere among all that was tested; null: too few rows to test.",
};
const changed: NamedSchemas = {
  a: ref("ChangeShare"),
  b: ref("ChangeShare"),
  difference: { ...difference, description: "Share in A minus share in B." },
  interval: { ...pairOf(difference), description: "The difference lies within 19 times of 20." },
  p,
  filter: ref("Filter"),
  exclude: ref("Filter"),
};

/** What a request for what changed is, but for what it has in common with others. */
export function whatChangedRequest(rowsAsked: NamedSchemas): JsonSchema {
  return closedObject(
    {
      ...rowsAsked,
      "selection?": closedObject(
        { "filter?": filters, "from?": ref("Time"), "to?": ref("Time") },
        { description: "What tells set A from the rest of the rows." },
      ),
      "against?": {
        anyOf: [
          { const: "rest" },
          closedObject({ offset: ref("CalendarLength"), "filter?": filters }),
          closedObject({ "offset?": ref("CalendarLength"), filter: filters }),
        ],
        default: "rest",
        description:
          "Set B: the rest of the rows, those of another filter than the selection's, those of an earlier time, or both.",
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

/** What it is answered with. */
export const whatChangedSchemas: NamedSchemas = {
  ChangeShare: openObject({ rows: count, count: number, share }),
  ChangeSet: openObject({
    rows: count,
    count: number,
    effectiveRows: { ...number, description: "As many rows without sample rates tell as much." },
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
    score: { ...share, description: "The least that the best value's shares differ by." },
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
    completeness: ref("Completeness"),
    asOf: integer,
    final: { type: "boolean" },
    "notes?": list(openObject({ "column?": text, text })),
    stats: ref("QueryStats"),
  }),
};
