import { type AggregateFn, aggregateFns, rateUnitMs } from "../model/aggregate.js";
import { type AggregateMeaning, aggregateMeanings } from "../model/aggregateMeanings.js";
import { functionColumnsMax } from "../model/check/checkAggregate.js";
import { operatorsTaking } from "../model/check/checkFilter.js";
import {
  deriveMax,
  expressionArity,
  expressionFns,
  expressionTextMax,
  functionSourceMax,
} from "../model/expression.js";
import { facetColumnsMax, facetLimitDefault, facetLimitMax } from "../model/facets.js";
import { filterDepthMax, filterTermsMax } from "../model/filter.js";
import {
  aggregatesMax,
  bucketEdgesMax,
  cacheUses,
  calculateMax,
  elementGroupsMax,
  freshnessMsMax,
  groupByMax,
  havingMax,
  limitDefault,
  limitMax,
  offsetMax,
  seriesMax,
  timeoutMsDefault,
  timeoutMsMax,
} from "../model/query.js";
import { nameBytesMax } from "../model/schema.js";
import { monthUnits } from "../model/time/calendarLength.js";
import { durationUnits } from "../model/time/duration.js";
import { timeMsMax } from "../model/time/invalidTime.js";
import {
  closedObject,
  type JsonSchema,
  list,
  type NamedSchemas,
  nullable,
  ref,
} from "./jsonSchema.js";
import { whatChangedRequest } from "./whatChangedSchemas.js";

const safeInteger = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };
const name = ref("Name");
const filters = list(ref("Filter"));
const as = { ...name, description: "Name of the result column." };
const resultName = { type: "string", description: "Name of a result column." };
const rateUnit = { enum: Object.keys(rateUnitMs) };
const wholeText = { type: "string", pattern: "^-?\\d{1,19}$" };
const bucketWidth = {
  anyOf: [
    { type: "number", exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    { ...wholeText, pattern: "^0*[1-9]\\d*$", maxLength: 19 },
  ],
};
const bucketEdges = list(
  { anyOf: [{ type: "number", ...safeInteger }, wholeText] },
  { minItems: 1, maxItems: bucketEdgesMax, description: "Ascending." },
);

const wholeNumber = (maximum: number, parts: object = {}) => ({
  type: "integer",
  minimum: 1,
  maximum,
  ...parts,
});

const names: NamedSchemas = {
  Name: {
    type: "string",
    minLength: 1,
    maxLength: nameBytesMax,
    pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]+$",
    description: `Name of a table or column: UTF-8 of at most ${nameBytesMax} bytes without control characters.`,
  },
  Time: {
    description:
      "`now`, ISO-8601 with zone, or whole milliseconds since 1970; lengths are added or taken away: `-3h` (from now), `-1mo` (by the calendar of `timeZone`), `now+1h`.",
    examples: ["-3h", "-1mo", "now", "2025-06-21T10:00:00Z", 1750500000000],
    anyOf: [
      {
        type: "string",
        pattern:
          "^\\s*((now|0|\\d{9,16}|\\d{4}-\\d\\d-\\d\\d([Tt ].+)?)|-\\s*\\d+[a-z]+)(\\s*[+-]\\s*\\d+[a-z]+)*\\s*$",
      },
      { type: "integer", minimum: -timeMsMax, maximum: timeMsMax },
    ],
  },
  CalendarLength: {
    type: "string",
    pattern: `^(?=.*[1-9])(\\d{1,16}(${durationUnits.join("|")})|\\d{1,9}(${monthUnits.join("|")}))$`,
    description: `A number above 0 and a unit: ${[...durationUnits, ...monthUnits].join(", ")}.`,
    examples: ["1m", "7d", "1mo"],
  },
};

const filterSchemas: NamedSchemas = {
  FilterValue: {
    description: "Integers beyond 2^53 are decimal strings.",
    anyOf: [{ type: "string" }, { type: "boolean" }, { type: "number", ...safeInteger }],
  },
  ColumnFilter: {
    description: "A condition on one column.",
    anyOf: [
      closedObject({
        column: name,
        op: { enum: operatorsTaking("one") },
        value: ref("FilterValue"),
      }),
      closedObject({
        column: name,
        op: { enum: operatorsTaking("text") },
        value: { type: "string" },
      }),
      closedObject({
        column: name,
        op: { enum: operatorsTaking("list") },
        value: list(ref("FilterValue")),
      }),
      closedObject({ column: name, op: { enum: operatorsTaking("none") } }),
    ],
  },
  Filter: {
    description: `A condition on rows. At most ${filterTermsMax} terms, values of lists included, nested at most ${filterDepthMax} deep. Comparing with a missing value is neither true nor false.`,
    anyOf: [
      ref("ColumnFilter"),
      closedObject({ any: filters }),
      closedObject({ all: filters }),
      closedObject({ not: ref("Filter") }),
    ],
  },
};

const groupSchemas: NamedSchemas = {
  GroupBy: {
    description:
      "A column, a bucket of time, a bucket of numbers, or the elements of a set or vector.",
    anyOf: [
      name,
      closedObject({ time: ref("CalendarLength"), "as?": as }),
      closedObject({ column: name, "as?": as }),
      closedObject({ bucket: name, scale: { const: "log" }, "as?": as }),
      closedObject({
        ...{ bucket: name, "scale?": { const: "linear" }, width: bucketWidth },
        "as?": as,
      }),
      closedObject({
        ...{ bucket: name, "scale?": { const: "linear" }, edges: bucketEdges },
        "as?": as,
      }),
      closedObject({ element: name, "as?": as }),
    ],
  },
  Aggregate: {
    description:
      "One number per group; for `histogram` a list of buckets. `sample_rate` weights count, sum, avg, percentiles, histograms and stddev.",
    anyOf: [...aggregateFns.map(aggregateSchema), ref("FunctionAggregate")],
  },
  FunctionAggregate: closedObject(
    {
      fn: { allOf: [name, { not: { enum: aggregateFns } }], description: "Name of the function." },
      columns: list(name, { minItems: 1, maxItems: functionColumnsMax }),
      "as?": as,
    },
    {
      description:
        "A saved function over rows: called with the values of these columns, for every row that has all of them.",
    },
  ),
  OrderBy: closedObject({
    by: { ...resultName, description: "Name of a result column; of raw rows any column." },
    "desc?": { type: "boolean" },
    "nulls?": {
      enum: ["first", "last"],
      description:
        "Position of missing values; default last when ascending, first when descending.",
    },
  }),
  Having: {
    description: "A condition on a finished result row.",
    anyOf: [
      closedObject({
        column: resultName,
        op: { enum: ["=", "!=", "<", "<=", ">", ">="] },
        value: { anyOf: [{ type: "number", ...safeInteger }, { type: "string" }] },
      }),
      closedObject({ column: resultName, op: { enum: ["is missing", "is present"] } }),
    ],
  },
};

/** One schema for all functions with the same number of arguments. */
function callSchemas(): JsonSchema[] {
  const arities = new Set(expressionFns.map((fn) => expressionArity[fn].join()));
  return [...arities].map((arity) => {
    const fns = expressionFns.filter((fn) => expressionArity[fn].join() === arity);
    const [minItems, maxItems] = expressionArity[fns[0]!];
    return closedObject({
      fn: { enum: fns },
      args: list(ref("Expression"), { minItems, maxItems }),
    });
  });
}

const derivedSchemas: NamedSchemas = {
  Expression: {
    description: "A value computed from a row's columns.",
    anyOf: [
      closedObject({ column: name }),
      closedObject({
        value: {
          anyOf: [
            { type: "string", maxLength: expressionTextMax },
            { type: "number", ...safeInteger },
            { type: ["boolean", "null"] },
          ],
        },
      }),
      closedObject({
        integer: { type: "string", pattern: "^-?\\d{1,19}$", description: "Exact beyond 2^53." },
      }),
      closedObject({
        decimal: {
          type: "string",
          pattern: "^-?\\d{1,19}\\.\\d{1,18}$",
          description: "Keeps the digits behind the point as written.",
        },
      }),
      ...callSchemas(),
    ],
  },
  CalculatedColumn: {
    ...closedObject({ as: name, expression: ref("Expression") }),
    description:
      "A result column calculated from the query's groups and aggregates; `column` refers to one of them.",
  },
  DerivedColumn: {
    description:
      "A column computed per row: by an expression, a JavaScript function, or a saved function.",
    anyOf: [
      closedObject({ as: name, expression: ref("Expression") }),
      closedObject({ as: name, js: { type: "string", maxLength: functionSourceMax } }),
      closedObject({ as: name, function: name, "args?": list(name, { maxItems: aggregatesMax }) }),
    ],
  },
};

const compare = {
  ...nullable({
    anyOf: [
      closedObject({ offset: ref("CalendarLength"), "filter?": filters }),
      closedObject({ "offset?": ref("CalendarLength"), filter: filters }),
    ],
  }),
  description:
    "Side B: another time, other rows, or both. There `filter` replaces the filter of the query.",
};

const query = closedObject(
  {
    table: name,
    from: ref("Time"),
    to: ref("Time"),
    "timeZone?": { type: "string", maxLength: 100, default: "UTC", examples: ["Europe/Berlin"] },
    "filter?": { ...filters, description: "Rows must pass all of these." },
    "derive?": list(ref("DerivedColumn"), { maxItems: deriveMax }),
    "groupBy?": list(ref("GroupBy"), {
      maxItems: groupByMax,
      description: `At most ${elementGroupsMax} of them by elements.`,
    }),
    "aggregates?": list(ref("Aggregate"), { maxItems: aggregatesMax }),
    "calculate?": {
      ...list(ref("CalculatedColumn"), { maxItems: calculateMax }),
      description: "Result columns calculated from groups and aggregates.",
    },
    "show?": {
      ...list(name, { minItems: 1, maxItems: groupByMax + aggregatesMax + calculateMax }),
      description: "Which result columns are shown, in this order; default all.",
    },
    "having?": list(ref("Having"), { maxItems: havingMax }),
    "orderBy?": list(ref("OrderBy"), { maxItems: groupByMax + aggregatesMax }),
    "offset?": {
      ...{ type: "integer", minimum: 0, maximum: offsetMax, default: 0 },
      description: "Number of result rows to skip.",
    },
    "limit?": wholeNumber(limitMax, {
      minimum: 0,
      default: limitDefault,
      description: "Maximum number of result rows.",
    }),
    "series?": {
      ...nullable(wholeNumber(seriesMax)),
      description: "With a time bucket: keep the top N groups over the whole range.",
    },
    "compare?": compare,
    "sampleView?": {
      ...nullable(closedObject({ "columns?": nullable(list(name, { maxItems: limitMax })) })),
      description: "Raw rows instead of groups; every column when `columns` is left out or null.",
    },
    "exact?": {
      type: "boolean",
      default: false,
      description: "Refuse an answer that is not based on all rows.",
    },
    "timeoutMs?": wholeNumber(timeoutMsMax, { default: timeoutMsDefault }),
    "freshnessMs?": {
      ...nullable({ type: "integer", minimum: 0, maximum: freshnessMsMax }),
      description: "Maximum age of a cached result.",
    },
    "cache?": {
      enum: cacheUses,
      default: "use",
      description:
        "use: rows may have been read for an earlier question; refresh: they are read now, and what is found is kept; off: they are read now, and nothing is kept.",
    },
  },
  { title: "Query", description: "A query about one table." },
);

const rowsAsked: NamedSchemas = {
  table: name,
  from: ref("Time"),
  to: ref("Time"),
  "timeZone?": { type: "string", maxLength: 100, default: "UTC", examples: ["Europe/Berlin"] },
  "filter?": { ...filters, description: "Rows must pass all of these." },
  "derive?": list(ref("DerivedColumn"), { maxItems: deriveMax }),
  "timeoutMs?": wholeNumber(timeoutMsMax, { default: timeoutMsDefault }),
};

const facetsRequest = closedObject(
  {
    ...rowsAsked,
    "columns?": list(name, {
      maxItems: facetColumnsMax,
      description: "Default: every column of the table but the time.",
    }),
    "limit?": wholeNumber(facetLimitMax, {
      default: facetLimitDefault,
      description: "Maximum number of values per column.",
    }),
  },
  { description: "Asks for the values of many columns at once, counted in one scan." },
);

function aggregateSchema(fn: AggregateFn): JsonSchema {
  const { column, addsUp }: AggregateMeaning = aggregateMeanings[fn];
  return closedObject({
    fn: { const: fn },
    ...(column === "needed" && { column: name }),
    ...(column === "optional" && { "column?": name }),
    ...(addsUp && { "per?": rateUnit }),
    ...(fn === "percentile" && {
      p: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 100 },
    }),
    "as?": as,
  });
}

/**
 * A query and its parts: what {@link checkQuery} accepts, except for rules that no schema can express.
 */
export const querySchemas: NamedSchemas = {
  Query: query,
  FacetsRequest: facetsRequest,
  WhatChangedRequest: whatChangedRequest(rowsAsked),
  ...names,
  ...filterSchemas,
  ...groupSchemas,
  ...derivedSchemas,
};
