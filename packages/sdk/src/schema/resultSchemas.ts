import type { CoverageReason } from "../model/result.js";
import {
  type JsonSchema,
  list,
  type NamedSchemas,
  nullable,
  openObject,
  ref,
} from "./jsonSchema.js";
import { count, integer, number, text } from "./valueSchemas.js";

const bounds: JsonSchema = {
  type: "array",
  prefixItems: [number, number],
  minItems: 2,
  maxItems: 2,
};

const coverageReasons: readonly CoverageReason[] = [
  "missing-leaves",
  "open",
  "before-data",
  "future",
  "thinned",
  "expired",
];

/** The result of a query. */
export const resultSchemas: NamedSchemas = {
  ResultColumn: openObject({
    name: text,
    type: {
      enum: ["time", "int", "decimal", "float", "string", "set", "vector", "histogram"],
      description: "int and decimal are exact; time is milliseconds since 1970.",
    },
    role: { enum: ["group", "aggregate", "sample"] },
    "unit?": text,
    "decimals?": { ...count, description: "Digits behind the point of a decimal column." },
  }),
  ResultValue: {
    description:
      "One cell; null is missing. An integer beyond 2^53, or a decimal beyond that or with more than 15 digits, is a decimal string. A histogram is a list of [low, high, count].",
    anyOf: [
      { type: ["string", "number", "null"] },
      list(text),
      list({ type: "array", prefixItems: [number, number, number], minItems: 3, maxItems: 3 }),
    ],
  },
  Completeness: openObject(
    {
      fraction: { ...number, minimum: 0, maximum: 1, description: "rowsAnswered ÷ rowsExpected." },
      "known?": {
        const: false,
        description:
          "Row counts are lost: the number of expected rows is unknown, and `fraction` is 0.",
      },
      "reason?": { ...text, description: "Why the share is not known." },
      rowsExpected: count,
      rowsAnswered: count,
      leaves: openObject({ answered: count, total: count, missing: list(text) }),
    },
    {
      description:
        "Which share of the wanted rows an answer is based on, and which leaves are missing.",
    },
  ),
  TreeLevel: openObject(
    {
      level: { ...count, description: "0 for the root." },
      children: { ...count, description: "Leaves and aggregators that one aggregator asked." },
      waitMs: { ...number, description: "Until the last answer of the slowest child." },
      mergeMs: number,
    },
    { description: "Of several aggregators of a level each figure is the largest." },
  ),
  QueryStats: openObject({
    rowsScanned: count,
    rowsMatched: count,
    bytesScanned: count,
    segments: count,
    segmentsSkipped: count,
    cache: {
      enum: ["miss", "hit", "joined", "stale", "part"],
      description:
        "miss: rows were read for it; hit: they had been read before, and are the same; joined: they were read for another client that had just asked; stale: it is of an earlier moment, as freshnessMs allows; part: only the newest rows were read.",
    },
    "cacheAgeMs?": { ...number, description: "How long ago the answer was asked for first." },
    elapsedMs: number,
    scanMs: { ...number, description: "Longest scan of one leaf." },
    mergeMs: number,
    "predictedMs?": {
      ...number,
      description: "What elapsedMs was expected to be, from earlier queries like this one.",
    },
    "levels?": list(ref("TreeLevel"), {
      description: "The tree of the query, the root first; empty where nothing was asked.",
    }),
  }),
  Truncated: openObject(
    {
      ...{ "groups?": count, "rows?": count, "series?": count },
      "atLeast?": {
        const: true,
        description:
          "Groups and series are lower bounds: leaves cut some that were not counted together.",
      },
      "unseenMax?": {
        ...number,
        description:
          "For a top list by a count or a non-negative sum: upper bound of that value for groups that are not shown (for series over the whole range), in the leaves that answered.",
      },
    },
    { description: "What was cut off, per kind." },
  ),
  BucketCoverage: {
    type: "array",
    prefixItems: [
      { ...integer, description: "Start of the bucket." },
      { ...number, minimum: 0, maximum: 1, description: "Of its rows, or else of its time." },
      { enum: coverageReasons },
    ],
    minItems: 3,
    maxItems: 3,
    description:
      "An incomplete time bucket, its available share, and the reason: leaves are missing, it is not over or has not begun, it lies before the table's first row, its rows were thinned, or retention may have removed them.",
  },
  Result: openObject({
    columns: list(ref("ResultColumn")),
    rows: list(list(ref("ResultValue"))),
    completeness: ref("Completeness"),
    intervals: {
      type: "object",
      additionalProperties: list(nullable(bounds)),
      description: "Error bars per column, per row; null where there is none.",
    },
    asOf: { ...integer, description: "Every row acknowledged before this time is included." },
    final: { type: "boolean" },
    truncated: nullable(ref("Truncated")),
    "incomplete?": list(integer, {
      description:
        "Starts of the result's time buckets that the range covers in part only, or that are not over yet.",
    }),
    "coverage?": list(ref("BucketCoverage"), {
      description: "With a time bucket: the incomplete buckets of the range.",
    }),
    "compareCoverage?": list(ref("BucketCoverage"), {
      description:
        "The buckets of side B that are incomplete because of time, by the starts of side A's buckets; without a time bucket the range is one bucket.",
    }),
    "lowerBounds?": list(text, {
      description:
        "Columns of counts and of non-negative sums that are based on a part of the rows: the full answer is at least this.",
    }),
    "notes?": list(openObject({ "column?": text, text }), {
      description: "Notes on numbers without an error bar.",
    }),
    "functions?": list(openObject({ name: text, version: count }), {
      description: "The saved functions that were used.",
    }),
    stats: ref("QueryStats"),
  }),
};
