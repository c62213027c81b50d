import {
  columnSettingsMax,
  columnTypes,
  keepAtLeastMax,
  keepOneInMax,
  retentionAgeMsMin,
  retentionBytesMin,
  thinningGroupsMax,
  thinningStepsMax,
} from "../model/check/checkTableSettings.js";
import { decimalsMax, keepAtLeastDefault } from "../model/schema.js";
import {
  closedObject,
  type JsonSchema,
  list,
  type NamedSchemas,
  nullable,
  openObject,
  ref,
} from "./jsonSchema.js";
import { count, integer, number, text } from "./valueSchemas.js";

const retentionBound = (minimum: number, description: string): JsonSchema => ({
  ...nullable({ type: "integer", minimum, maximum: Number.MAX_SAFE_INTEGER }),
  description,
});

const tableProperties: NamedSchemas = {
  name: text,
  rows: count,
  bytes: { ...count, description: "Memory of its rows." },
  bytesPerRow: nullable(number),
  compressionRatio: nullable(number),
  fromMs: nullable(integer),
  toMs: nullable(integer),
  retention: ref("Retention"),
  "visible?": ref("VisibleTimes"),
};

/** Tables, their columns and settings. */
export const tableSchemas: NamedSchemas = {
  TableInfo: openObject(tableProperties),
  ColumnInfo: openObject({
    name: text,
    type: { enum: columnTypes },
    decimals: count,
    "unit?": text,
    rows: { ...count, description: "Rows that have a value." },
    bytes: count,
    compressionRatio: nullable(number),
  }),
  TableDetail: openObject({
    ...tableProperties,
    columns: list(ref("ColumnInfo")),
    segments: count,
    bookBytes: count,
    thinning: list(ref("ThinningStep")),
    columnSettings: list(ref("ColumnSetting")),
  }),
  VisibleTimes: openObject(
    {
      p50Ms: nullable(number),
      p99Ms: nullable(number),
      samples: count,
      unseen: { ...count, description: "Rows that no answer had within a minute." },
    },
    {
      description:
        "How long sampled rows took from their event to an answer that had them; left out where none was sampled.",
    },
  ),
  Retention: closedObject(
    {
      "maxAgeMs?": retentionBound(retentionAgeMsMin, "Rows older than this go; null: never."),
      "maxBytes?": retentionBound(
        retentionBytesMin,
        "The oldest rows are removed when the table takes more; null: never.",
      ),
    },
    { description: "When rows are removed, oldest first." },
  ),
  ThinningStep: closedObject(
    {
      afterMs: {
        ...{ type: "integer", minimum: retentionAgeMsMin, maximum: Number.MAX_SAFE_INTEGER },
        description: "Age by event time; greater than that of the previous step.",
      },
      keepOneIn: {
        ...{ type: "integer", minimum: 2, maximum: keepOneInMax },
        description: "A multiple of the previous step's, at least twice it.",
      },
      "key?": {
        ...ref("Name"),
        description:
          "Rows with the same value of this column are kept or removed together. Not with `groups`.",
      },
      "groups?": list(ref("Name"), {
        minItems: 1,
        maxItems: thinningGroupsMax,
        description:
          "Groups of these columns are thinned each for itself: rare ones are kept whole. Not with `key`.",
      }),
      "keepAtLeast?": {
        ...{ type: "integer", minimum: 1, maximum: keepAtLeastMax },
        description: `Rows of each group that are kept in every segment of up to 65,536 rows; ${keepAtLeastDefault} when left out.`,
      },
    },
    {
      description:
        "One in `keepOneIn` older rows is kept at random, with its `sample_rate` multiplied by `keepOneIn`, or in groups by as much as its group was thinned.",
    },
  ),
  ColumnSetting: closedObject(
    {
      name: ref("Name"),
      "type?": { enum: columnTypes, description: "Left out: decided by the values." },
      "decimals?": {
        ...{ type: "integer", minimum: 0, maximum: decimalsMax },
        description: "Digits behind the point of numbers; further ones are truncated.",
      },
    },
    {
      description:
        "How values of new rows are read. Stored rows are not changed. Has `type`, `decimals`, or both.",
      anyOf: [{ required: ["type"] }, { required: ["decimals"] }],
    },
  ),
  TableSettings: closedObject({
    "retention?": ref("Retention"),
    "thinning?": list(ref("ThinningStep"), { maxItems: thinningStepsMax }),
    "columns?": list(ref("ColumnSetting"), { maxItems: columnSettingsMax }),
  }),
  ColumnValue: openObject({
    value: { type: ["string", "number", "null"], description: "null: rows without a value." },
    count: { ...number, description: "Events, adjusted for `sample_rate`." },
  }),
};
