import type { AggregateFn, AggregateSpec, Compare, GroupBy, OrderBy, Query } from "@hadal/sdk";
import { aggregateName, elementGroupsMax, isNumberAggregate, sampleRateColumn } from "@hadal/sdk";
import { groupName } from "../query/groupKeys.js";
import { lengthMs, parseLength } from "../query/scope.js";
import { clocksChange } from "../query/zoneTime.js";
import type { SeededRandom } from "../seed/seededRandom.js";
import { createSeededRandom } from "../seed/seededRandom.js";
import type { OracleTable } from "../table/oracleTable.js";
import { randomFilters } from "./randomFilter.js";
import { withHaving } from "./randomHaving.js";

const groupColumns = [
  "few",
  "many",
  "odd",
  "flag",
  "actor.login",
  "constructor",
  `it's "quoted"`,
  "small",
  "constant",
  "extreme",
  "price",
  "ratio",
  "unique",
  "wide",
  "latency_us",
  "regular",
  "message",
  "features",
  "stack",
  "grown",
  "mixed",
  "turned",
  "gathered",
];
const listColumns = ["features", "stack", "turned", "gathered"];
/** Columns of numbers among them. */
const bucketColumns = ["small", "constant", "price", "ratio", "extreme", "grown"];
const numberColumns = [
  "small",
  "wide",
  "latency_us",
  "constant",
  "regular",
  "price",
  "ratio",
  "grown",
];
const bucketLengths = ["1s", "10s", "1m", "7m", "15m", "1h", "6h", "1d", "1w", "1mo", "1q", "1y"];
const timeZones = ["UTC", "Asia/Kathmandu", "America/New_York", "Europe/Berlin"];
const bucketsMax = 800;

/** A query over everything that version 1 answers, decided by the seed alone. */
export function randomQuery(table: OracleTable, seed: number): Query {
  const random = createSeededRandom(seed);
  const range = randomRange(table, random);
  const filter = random.chance(0.65) ? randomFilters(table, random) : undefined;
  const compare = random.chance(0.25) ? randomCompare(table, random) : undefined;
  const timeZone = random.chance(0.3) ? random.pick(timeZones) : undefined;
  const base = {
    table: table.name,
    ...range,
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(filter === undefined ? {} : { filter }),
  };
  const compared = compare === undefined ? {} : { compare };
  if (random.chance(0.08)) return { ...base, ...compared, ...randomSample(table, random) };
  const groupBy = randomGroupBy(table, random, base);
  const aggregates = random.chance(0.95) ? randomAggregates(table, random) : undefined;
  const query: Query = {
    ...base,
    ...(groupBy.length === 0 && random.chance(0.5) ? {} : { groupBy }),
    ...(aggregates === undefined ? {} : { aggregates }),
    ...compared,
  };
  const whole: Query = { ...query, ...randomEnd(query, random) };
  // Another stream of chances: queries of old seeds stay what they were.
  return withHaving(table, whole, createSeededRandom(seed ^ 0x6a09e667));
}

function randomRange(table: OracleTable, random: SeededRandom): Pick<Query, "from" | "to"> {
  const times = table.rows.map((row) => row.timeMs);
  const first = times.reduce((a, b) => Math.min(a, b));
  const last = times.reduce((a, b) => Math.max(a, b)) + 1;
  if (random.chance(last - first < 1000 ? 0.85 : 0.4)) return { from: first, to: last };
  if (random.chance(0.1)) return { from: last, to: last + 3_600_000 };
  const at = () => first + random.int(-60_000, last - first + 60_000);
  const [from = first, to = last] = [at(), at()].sort((a, b) => a - b);
  const range = { from, to: Math.max(to, from + 1) };
  if (random.chance(0.8)) return range;
  return { from: new Date(range.from).toISOString(), to: new Date(range.to).toISOString() };
}

function randomCompare(table: OracleTable, random: SeededRandom): Compare {
  const offset = random.pick(["1m", "37m", "1h", "1d", "2d", "1w", "1mo"]);
  const kind = random.int(0, 2);
  return {
    ...(kind === 1 ? {} : { offset }),
    ...(kind === 0 ? {} : { filter: randomFilters(table, random) }),
  };
}

function randomSample(table: OracleTable, random: SeededRandom): Partial<Query> {
  const names = table.columns.map((column) => column.name);
  const columns = random.chance(0.5) ? random.sample(names, random.int(1, 5)) : null;
  const orderBy = random.chance(0.4) ? [{ by: "time", desc: random.chance(0.5) }] : undefined;
  return {
    sampleView: columns === null ? {} : { columns },
    limit: random.pick([1, 10, 100, 5000]),
    ...(orderBy === undefined ? {} : { orderBy }),
  };
}

function randomGroupBy(table: OracleTable, random: SeededRandom, query: Query): GroupBy[] {
  const known = withSampleRate(table, groupColumns);
  const columns = random.sample(known, random.pick([0, 1, 1, 1, 2, 2, 3]));
  let elements = 0;
  const groupBy = columns.map((column) => {
    const group = randomGroup(column, random);
    const isElement = typeof group !== "string" && "element" in group;
    return isElement && ++elements > elementGroupsMax ? column : group;
  });
  if (!random.chance(0.45)) return groupBy;
  const fitting = bucketLengths.filter((length) => fits(query, length));
  if (fitting.length === 0) return groupBy;
  const bucket = { time: random.pick(fitting) };
  return random.chance(0.7) ? [bucket, ...groupBy] : [...groupBy, bucket];
}

/** Sample rates are weights, and a column like others. */
function withSampleRate(table: OracleTable, columns: readonly string[]): readonly string[] {
  const isKnown = table.columns.some(({ name }) => name === sampleRateColumn);
  return isKnown ? [...columns, sampleRateColumn] : columns;
}

/** By value, by element, or by bucket. */
function randomGroup(column: string, random: SeededRandom): GroupBy {
  if (listColumns.includes(column)) return random.chance(0.65) ? { element: column } : column;
  if (!bucketColumns.includes(column) || random.chance(0.4)) {
    return random.chance(0.8) ? column : { column, as: `${column} as named` };
  }
  const wholes = [1, 7, 100, 1000, 1_000_000, 9_007_199_254_740_991];
  const fractions = [0.5, 0.001, 2.5];
  const decimal = column === "price" || column === "ratio" || column === "grown";
  switch (random.int(0, 2)) {
    case 0:
      return { bucket: column, scale: "log" };
    case 1:
      if (column === "extreme") return { bucket: column, width: wholes.at(-1) as number };
      return {
        bucket: column,
        width: random.pick(decimal ? [...wholes.slice(0, 5), ...fractions] : wholes),
      };
    default: {
      const edges = [-1_000_000, -5, 0, 1, 3, 100, 5000, ...(decimal ? fractions : [])];
      const chosen = random.sample(edges, random.int(1, 5)).sort((a, b) => a - b);
      return { bucket: column, edges: chosen };
    }
  }
}

/** Few enough buckets; and none shorter than a day while the clocks are set, where an hour exists twice or never. */
function fits(query: Query, length: string): boolean {
  const [fromMs, toMs] = [query.from, query.to].map((time) => new Date(time).getTime());
  if (fromMs === undefined || toMs === undefined) return false;
  const stepMs = lengthMs(parseLength(length));
  if ((toMs - fromMs) / stepMs > bucketsMax) return false;
  if (stepMs >= 86_400_000) return true;
  const marginMs = 14 * 86_400_000;
  return !clocksChange(fromMs - marginMs, toMs + marginMs, query.timeZone ?? "UTC");
}

function randomAggregates(table: OracleTable, random: SeededRandom): AggregateSpec[] {
  const names = new Set<string>();
  const aggregates: AggregateSpec[] = [];
  const wanted = random.pick([1, 1, 2, 3, 4]);
  while (aggregates.length < wanted) {
    const spec = randomAggregate(table, random, aggregates.length);
    if (names.has(aggregateName(spec))) continue;
    names.add(aggregateName(spec));
    aggregates.push(spec);
  }
  return aggregates;
}

function randomAggregate(table: OracleTable, random: SeededRandom, index: number): AggregateSpec {
  const fns: readonly AggregateFn[] = [
    ...(["count", "count.raw", "sum", "avg", "min", "max", "percentile"] as const),
    ...(["histogram", "stddev", "distinct"] as const),
  ];
  const fn = random.pick(fns);
  const alias = random.chance(0.2) ? { as: random.pick(["x", "Größe", "__proto__"]) + index } : {};
  const per = random.chance(0.3) ? { per: random.pick(["second", "minute", "hour"] as const) } : {};
  const extremes =
    random.chance(0.08) ||
    fn === "min" ||
    fn === "max" ||
    fn === "percentile" ||
    fn === "stddev" ||
    fn === "histogram";
  const numbers = withSampleRate(table, numberColumns);
  const column = random.pick(extremes ? [...numbers, "extreme"] : numbers);
  switch (fn) {
    case "count":
      return random.chance(0.7)
        ? { fn, ...per, ...alias }
        : { fn, column: random.pick(table.columns).name, ...per, ...alias };
    case "count.raw":
      return { fn, ...per, as: `raw${index}` };
    case "sum":
      return { fn, column, ...per, ...alias };
    case "min":
    case "max":
      return { fn, column: random.chance(0.1) ? "time" : column, ...alias };
    case "distinct":
      return { fn, column: random.pick(table.columns).name, ...alias };
    case "percentile":
      return { fn, column, p: random.pick([1, 7, 25, 50, 75, 90, 95, 99, 99.9]), ...alias };
    default:
      return { fn, column, ...alias };
  }
}

/** Order, limit and series. */
function randomEnd(query: Query, random: SeededRandom): Partial<Query> {
  const specs = (query.aggregates ?? [{ fn: "count" }]).filter(isNumberAggregate);
  const aggregates = specs.map(aggregateName);
  const keys = (query.groupBy ?? []).map(groupName);
  const hasTime = keys.includes("time");
  const mayRank = hasTime && keys.length > 1 && aggregates.length > 0;
  const series = mayRank && random.chance(0.5) ? random.int(1, 6) : null;
  const compared = query.compare !== undefined && series === null;
  const suffixes = compared ? ["", "", ".compare", ".delta", ".delta_pct"] : [""];
  const orderBy: OrderBy[] = [];
  if (random.chance(0.5)) {
    const by = random.sample([...keys, ...aggregates], random.pick([1, 1, 2]));
    for (const name of by) {
      const suffix = aggregates.includes(name) ? random.pick(suffixes) : "";
      orderBy.push({
        by: name + suffix,
        ...(random.chance(0.6) ? { desc: random.chance(0.8) } : {}),
      });
    }
  }
  return {
    ...(orderBy.length === 0 ? {} : { orderBy }),
    ...(random.chance(0.5) ? { limit: random.pick([1, 3, 10, 50, 2000]) } : {}),
    ...(series === null ? {} : { series }),
  };
}
