/** What an aggregate means to those who ask for it. */
export interface AggregateMeaning {
  /** What people call it, as a heading over "of latency_us". */
  readonly words: string;
  /** Which column it takes: none, one or none, or one. */
  readonly column: "none" | "optional" | "needed";
  /** Whether it adds up over time, so that it can be divided by it. */
  readonly addsUp: boolean;
  /** Whether its values have the unit of the column. */
  readonly keepsUnit: boolean;
  /** Names that call it in SQL; `distinct` is written count(DISTINCT column). */
  readonly sqlNames: readonly string[];
}

/** Every aggregate: the one place of the SDK to add one. */
export const aggregateMeanings = {
  count: {
    ...{ words: "count", column: "optional", addsUp: true, keepsUnit: false },
    sqlNames: ["count", "count_if", "countif"],
  },
  "count.raw": {
    words: "stored rows",
    column: "none",
    addsUp: true,
    keepsUnit: false,
    sqlNames: ["count.raw"],
  },
  sum: { words: "sum", column: "needed", addsUp: true, keepsUnit: true, sqlNames: ["sum"] },
  avg: { words: "average", column: "needed", addsUp: false, keepsUnit: true, sqlNames: ["avg"] },
  min: { words: "minimum", column: "needed", addsUp: false, keepsUnit: true, sqlNames: ["min"] },
  max: { words: "maximum", column: "needed", addsUp: false, keepsUnit: true, sqlNames: ["max"] },
  percentile: {
    ...{ words: "percentile", column: "needed", addsUp: false, keepsUnit: true },
    sqlNames: ["percentile", "median"],
  },
  distinct: {
    words: "distinct values",
    column: "needed",
    addsUp: false,
    keepsUnit: false,
    sqlNames: [],
  },
  histogram: {
    words: "histogram",
    column: "needed",
    addsUp: false,
    keepsUnit: false,
    sqlNames: ["histogram"],
  },
  stddev: {
    ...{ words: "standard deviation", column: "needed", addsUp: false, keepsUnit: true },
    sqlNames: ["stddev", "stddev_samp"],
  },
  stddev_pop: {
    ...{ words: "standard deviation (of all)", column: "needed", addsUp: false, keepsUnit: true },
    sqlNames: ["stddev_pop"],
  },
  var_samp: {
    ...{ words: "variance", column: "needed", addsUp: false, keepsUnit: false },
    sqlNames: ["var_samp", "variance"],
  },
  var_pop: {
    ...{ words: "variance (of all)", column: "needed", addsUp: false, keepsUnit: false },
    sqlNames: ["var_pop"],
  },
} as const satisfies Readonly<Record<string, AggregateMeaning>>;
