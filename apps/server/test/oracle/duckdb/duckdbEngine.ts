import type { AggregateSpec, GroupBy, Query } from "@hadal/sdk";
import { rateUnitMs } from "@hadal/sdk";
import { fractionOf } from "../naive/naiveAggregate.js";
import { aggregatesOf, answerColumns, hasRawCount } from "../naive/naiveEngine.js";
import type { SampleRow } from "../naive/naiveSample.js";
import { sampleColumns } from "../naive/naiveSample.js";
import type { AnswerOrder, Cell } from "../query/answer.js";
import { answerOrder, rankIndex, seriesOrder } from "../query/answerOrder.js";
import type { Side } from "../query/scope.js";
import {
  bucketEdges,
  isTimeBucket,
  lengthMs,
  monthsOf,
  parseLength,
  shiftBack,
  sidesOf,
  zoneOf,
} from "../query/scope.js";
import { columnOf } from "../table/oracleTable.js";
import { filtersAsSql } from "./duckdbFilter.js";
import { havingSql } from "./duckdbHaving.js";
import { explodedSql, keySql } from "./duckdbKeys.js";
import type { DuckDBTable } from "./duckdbTable.js";
import { sqlString } from "./duckdbTable.js";

/** Rows in order, before the limit; columns as {@link answerColumns} names them. */
export async function answerByDuckDB(
  duckdb: DuckDBTable,
  query: Query,
): Promise<readonly (readonly Cell["value"][])[]> {
  const reader = await duckdb.connection.runAndReadAll(answerSql(duckdb, query));
  return reader.getRows() as unknown as Cell["value"][][];
}

/** Raw rows of one side that match, in no order. */
export async function sampleByDuckDB(
  duckdb: DuckDBTable,
  query: Query,
  sideIndex: number,
): Promise<SampleRow[]> {
  const main = sidesOf(query)[sideIndex];
  const columns = sampleColumns(duckdb.table, query).map((name) => duckdb.column(name));
  const sql = `SELECT ${["time", ...columns].join(", ")} FROM t WHERE ${main === undefined ? "FALSE" : sideSql(duckdb, main)}`;
  const reader = await duckdb.connection.runAndReadAll(sql);
  return reader.getRows().map(([time, ...values]) => ({
    timeMs: Number(time),
    values: values.map((value) =>
      value !== null && typeof value === "object" && "items" in value
        ? (value.items as readonly string[])
        : (value as string | bigint | null),
    ),
  }));
}

function answerSql(duckdb: DuckDBTable, query: Query): string {
  const columns = answerColumns(duckdb.table, query);
  const groupBy = query.groupBy ?? [];
  const all = `SELECT * FROM (${relationSql(duckdb, query, groupBy)}) WHERE ${havingSql(query.having ?? [], columns)}`;
  const order = orderSql(answerOrder(query, columns));
  const { series } = query;
  if (series === undefined || series === null) return `SELECT * FROM (${all})${order}`;
  const keys = groupBy.filter((by) => !isTimeBucket(by));
  const ranks = `row_number() OVER (${orderSql(seriesOrder(query, columns))})`;
  const same = groupBy
    .map((by, index) => ({ by, index }))
    .filter(({ by }) => !isTimeBucket(by))
    .map(({ index }, keyIndex) => `r.o${index} IS NOT DISTINCT FROM b.o${keyIndex}`)
    .join(" AND ");
  const left = `SELECT b.* FROM (${relationSql(duckdb, query, keys)}) b SEMI JOIN (${all}) r ON ${same}`;
  const best = `SELECT *, ${ranks} AS rank FROM (${left}) QUALIFY rank <= ${series}`;
  return `SELECT r.*, b.rank AS o${rankIndex(columns)} FROM (${all}) r JOIN (${best}) b ON ${same}${order}`;
}

function orderSql(order: readonly AnswerOrder[]): string {
  if (order.length === 0) return "";
  const terms = order.map(({ columnIndex, desc }) =>
    desc ? `o${columnIndex} DESC NULLS FIRST` : `o${columnIndex} ASC NULLS LAST`,
  );
  return ` ORDER BY ${terms.join(", ")}`;
}

/** One row per group: o0 … oN, in the order of the answer's columns. */
function relationSql(duckdb: DuckDBTable, query: Query, groupBy: readonly GroupBy[]): string {
  const sides = sidesOf(query).map((side, index) =>
    sideGroups(duckdb, query, groupBy, side, index),
  );
  const keys = groupBy.map((_, index) => `k${index}`);
  const terms = flatAggregates(query);
  if (sides.length === 1) {
    const outputs = [...keys, ...terms.map((_, index) => `a${index}`), "0"];
    return `SELECT ${outputs.map((name, index) => `${name} AS o${index}`).join(", ")} FROM (${sides[0]})`;
  }
  const outputs = keys.map((key) => `coalesce(m.${key}, b.${key})`);
  for (const [index, term] of terms.entries()) {
    // Counts of a group that one side lacks are 0.
    const side = (name: string) =>
      term.fn.startsWith("count") || term.fn === "distinct"
        ? `coalesce(${name}.a${index}, 0)`
        : `${name}.a${index}`;
    const [main, base] = [side("m"), side("b")];
    if (term.companion) {
      outputs.push(main);
      continue;
    }
    outputs.push(main, base, `${main} - ${base}`);
    outputs.push(
      `CASE WHEN ${base} = 0 THEN NULL ELSE (${main} - ${base})::DOUBLE / abs(${base}::DOUBLE) * 100 END`,
    );
  }
  // Every group has rows: a side that lacks it has no row for it.
  outputs.push("CASE WHEN m.rows IS NULL THEN 1 ELSE 0 END");
  const list = outputs.map((sql, index) => `${sql} AS o${index}`).join(", ");
  const on = keys.map((key) => `m.${key} IS NOT DISTINCT FROM b.${key}`).join(" AND ");
  const join = on === "" ? "CROSS JOIN" : "FULL OUTER JOIN";
  return `SELECT ${list} FROM (${sides[0]}) m ${join} (${sides[1]}) b${on === "" ? "" : ` ON ${on}`}`;
}

interface Term extends AggregateSpec {
  /** The raw count that follows a count; it is not compared. */
  readonly companion: boolean;
}

/** The aggregates with the companions of counts, in the order of the answer. */
function flatAggregates(query: Query): Term[] {
  return aggregatesOf(query).flatMap((spec): Term[] => {
    if (!hasRawCount(spec)) return [{ ...spec, companion: false }];
    const { per: _, ...raw } = { ...spec, fn: "count.raw" as const, companion: true };
    return [{ ...spec, companion: false }, raw];
  });
}

/** Keys k0 … and aggregates a0 … of one side. */
function sideGroups(
  duckdb: DuckDBTable,
  query: Query,
  groupBy: readonly GroupBy[],
  side: Side,
  sideIndex: number,
): string {
  const keyColumns = groupBy.map(
    (by, index) => `${groupSql(duckdb, query, by, sideIndex)} AS k${index}`,
  );
  const weight = duckdb.table.columns.some((column) => column.name === "sample_rate")
    ? `coalesce(${duckdb.column("sample_rate")}, 1)`
    : "1";
  const rows = `SELECT *, ${[...keyColumns, `${weight}::HUGEINT AS w`].join(", ")} FROM ${explodedSql(duckdb, groupBy)} WHERE ${sideSql(duckdb, side)}`;
  const keys = groupBy.map((_, index) => `k${index}`);
  const terms = flatAggregates(query);
  const ranks = terms.flatMap((term, index) => rankSql(duckdb, term, index, keys));
  const ranked = ranks.length === 0 ? rows : `SELECT *, ${ranks.join(", ")} FROM (${rows})`;
  const timeIndex = groupBy.findIndex(isTimeBucket);
  const coveredMs = coveredSql(query, side, sideIndex, timeIndex < 0 ? null : `k${timeIndex}`);
  const sums = terms.map(
    (term, index) => `${aggregateSql(duckdb, term, index, coveredMs)} AS a${index}`,
  );
  const grouping = keys.length === 0 ? "" : ` GROUP BY ${keys.join(", ")}`;
  return `SELECT ${[...keys, ...sums, "count(*) AS rows"].join(", ")} FROM (${ranked})${grouping}`;
}

function sideSql(duckdb: DuckDBTable, side: Side): string {
  return `time >= ${side.fromMs} AND time < ${side.toMs} AND ${filtersAsSql(duckdb, side.filter)}`;
}

/** For a standard deviation: the mean of the group. For a percentile: weight at or below the row's value within its group, and the group's weight. */
function rankSql(
  duckdb: DuckDBTable,
  term: AggregateSpec,
  index: number,
  keys: readonly string[],
): string[] {
  if (term.column === undefined) return [];
  const column = duckdb.column(term.column);
  const part = keys.length === 0 ? "" : `PARTITION BY ${keys.join(", ")}`;
  if (term.fn === "stddev") {
    const sum = (of: string) => `sum(${of}) FILTER (WHERE ${column} IS NOT NULL) OVER (${part})`;
    return [`(${sum(`${column}::HUGEINT * w`)}::DOUBLE / ${sum("w")}::DOUBLE) AS mean${index}`];
  }
  if (term.fn !== "percentile") return [];
  const present = `sum(CASE WHEN ${column} IS NULL THEN 0 ELSE w END)`;
  return [
    `${present} OVER (${part} ORDER BY ${column} NULLS LAST) AS below${index}`,
    `${present} OVER (${part}) AS whole${index}`,
  ];
}

function aggregateSql(
  duckdb: DuckDBTable,
  term: AggregateSpec,
  index: number,
  coveredMs: string,
): string {
  const column = term.column === undefined ? null : duckdb.column(term.column);
  const present = column === null ? "TRUE" : `${column} IS NOT NULL`;
  const weight = `sum(w) FILTER (WHERE ${present})`;
  const decimals = term.column === undefined ? 0 : columnOf(duckdb.table, term.column).decimals;
  const sum = `sum(${column}::HUGEINT * w)`;
  const rate = (total: string, scale: number) =>
    term.per === undefined
      ? total
      : `((${total})::DOUBLE / 1e${scale} / ((${coveredMs})::DOUBLE / ${rateUnitMs[term.per]}))`;
  switch (term.fn) {
    case "count":
      return rate(`coalesce(${weight}, 0)::HUGEINT`, 0);
    case "count.raw":
      return rate(`(count(*) FILTER (WHERE ${present}))::HUGEINT`, 0);
    case "sum":
      return rate(sum, decimals);
    case "avg":
      return `(${sum}::DOUBLE / (${weight})::DOUBLE / 1e${decimals})`;
    case "min":
    case "max":
      return `${term.fn}(${column})::HUGEINT`;
    case "percentile": {
      const { numerator, denominator } = fractionOf(term.p ?? Number.NaN);
      const reached = `below${index} * ${100n * denominator} >= whole${index} * ${numerator}`;
      return `min(${column}) FILTER (WHERE ${present} AND ${reached})::HUGEINT`;
    }
    case "distinct":
      return `count(DISTINCT ${column})::HUGEINT`;
    case "stddev":
      // Equal values lie nowhere but on their mean, which is rounded: a comparison would divide by what that leaves.
      return `(CASE WHEN ${weight} < 2 THEN NULL WHEN min(${column}) = max(${column}) THEN 0 ELSE sqrt(sum(w::DOUBLE * pow(${column}::DOUBLE - mean${index}, 2)) / (${weight} - 1)::DOUBLE) / 1e${decimals} END)`;
    default:
      throw new Error(`the oracles do not know ${term.fn}`);
  }
}

function groupSql(duckdb: DuckDBTable, query: Query, by: GroupBy, sideIndex: number): string {
  if (!isTimeBucket(by)) return keySql(duckdb, by);
  const zone = zoneOf(query);
  const length = parseLength(by.time);
  if (isByEdges(query)) return edgeSql(query, sideIndex);
  const origin = length.unit === "w" ? "1970-01-05" : "1970-01-01";
  const offset = sideIndex === 0 ? undefined : query.compare?.offset;
  const local = forwardSql("time", offset, zone);
  const bucket = `time_bucket(INTERVAL '${lengthMs(length)} milliseconds', ${local}, TIMESTAMP '${origin}')`;
  return `${instantSql(bucket, zone)}::HUGEINT`;
}

/** Whole months have no one length to add: their buckets are found by their edges. */
function isByEdges(query: Query): boolean {
  const bucket = (query.groupBy ?? []).find(isTimeBucket);
  const lengths = [bucket?.time, query.compare?.offset];
  return lengths.some((text) => text !== undefined && monthsOf(parseLength(text)) !== null);
}

/** The main side's edges and a side's own, as lists. */
function edgeLists(query: Query, sideIndex: number): readonly [string, string] {
  const edges = bucketEdges(query);
  const offset = sideIndex === 0 ? undefined : query.compare?.offset;
  const own = edges.map((edge) => shiftBack(edge, offset, zoneOf(query)));
  return [`[${edges.join(", ")}]::BIGINT[]`, `[${own.join(", ")}]::BIGINT[]`];
}

/** The start of the main side's bucket with the number of the one that a row's time lies in. */
function edgeSql(query: Query, sideIndex: number): string {
  const [main, own] = edgeLists(query, sideIndex);
  return `(${main})[len(list_filter(${own}, edge -> edge <= time))]::HUGEINT`;
}

/** Local time of an instant on the base side, moved to where the main side has it. */
function forwardSql(timeMs: string, offset: string | undefined, zone: string): string {
  if (offset === undefined) return localSql(timeMs, zone);
  const length = parseLength(offset);
  return length.unit === "d" || length.unit === "w"
    ? `(${localSql(timeMs, zone)} + INTERVAL '${lengthMs(length)} milliseconds')`
    : localSql(`(${timeMs} + ${lengthMs(length)})`, zone);
}

/** Milliseconds of the side that the bucket at `startMs` covers (null: the whole side). */
function coveredSql(query: Query, side: Side, sideIndex: number, startMs: string | null): string {
  const bucket = (query.groupBy ?? []).find(isTimeBucket);
  if (startMs === null || bucket === undefined) return `${side.toMs - side.fromMs}`;
  if (isByEdges(query)) {
    const [main, own] = edgeLists(query, sideIndex);
    const place = `list_position(${main}, any_value(${startMs})::BIGINT)`;
    return `least((${own})[${place} + 1], ${side.toMs}) - greatest((${own})[${place}], ${side.fromMs})`;
  }
  const zone = zoneOf(query);
  // Inside GROUP BY the key is one value; any of them will do.
  const start = localSql(`any_value(${startMs})::BIGINT`, zone);
  const step = `INTERVAL '${lengthMs(parseLength(bucket.time))} milliseconds'`;
  const offset = sideIndex === 0 ? undefined : query.compare?.offset;
  const edges = [start, `(${start} + ${step})`].map((local) => backSql(local, offset, zone));
  return `least(${edges[1]}, ${side.toMs}) - greatest(${edges[0]}, ${side.fromMs})`;
}

function backSql(local: string, offset: string | undefined, zone: string): string {
  if (offset === undefined) return instantSql(local, zone);
  const length = parseLength(offset);
  return length.unit === "d" || length.unit === "w"
    ? instantSql(`(${local} - INTERVAL '${lengthMs(length)} milliseconds')`, zone)
    : `(${instantSql(local, zone)} - ${lengthMs(length)})`;
}

function localSql(timeMs: string, zone: string): string {
  return `((make_timestamp((${timeMs}) * 1000) AT TIME ZONE 'UTC') AT TIME ZONE ${sqlString(zone)})`;
}

function instantSql(local: string, zone: string): string {
  return `epoch_ms(${local} AT TIME ZONE ${sqlString(zone)})`;
}
