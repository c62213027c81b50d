import type { AggregateSpec, GroupBy, Query, TimeBucket } from "@hadal/sdk";
import {
  aggregateName,
  isFunctionAggregate,
  isNumberAggregate,
  limitDefault,
  rawCountName,
} from "@hadal/sdk";
import type { Answer, AnswerColumn, Cell } from "../query/answer.js";
import { compareRows, exact, missing } from "../query/answer.js";
import { answerOrder, seriesOrder } from "../query/answerOrder.js";
import { columnOfGroup, groupName, keysOf } from "../query/groupKeys.js";
import type { Side } from "../query/scope.js";
import { bucketEdges, isTimeBucket, shiftBack, sidesOf, zoneOf } from "../query/scope.js";
import type { OracleRow, OracleTable, OracleValue } from "../table/oracleTable.js";
import { columnOf } from "../table/oracleTable.js";
import { createKeyTree } from "./keyTree.js";
import { naiveAggregate, sumOverflows } from "./naiveAggregate.js";
import { comparisonCells } from "./naiveCompare.js";
import { rowTest } from "./naiveFilter.js";
import { passesHaving } from "./naiveHaving.js";

interface Group {
  readonly keys: readonly OracleValue[];
  /** Rows per side. */
  readonly rows: readonly OracleRow[][];
}

/** Answers a query row by row, by the letter of the interface. Slow and plain: this is the truth. */
export function answerNaively(table: OracleTable, query: Query, sketchError = 0): Answer {
  const run = createRun(table, query, sketchError);
  const groups = groupsOf(run, query.groupBy ?? []);
  const finished = groups
    .map((group) => ({ group, cells: finishGroup(run, group) }))
    .filter(({ cells }) => passesHaving(query.having ?? [], run.columns, cells));
  const rankOf = rankSeries(
    run,
    finished.map(({ group }) => group),
  );
  const rows = finished
    .map(({ group, cells }) => [...cells, exact(rankOf(group))])
    .filter((row) => row.at(-1)?.value !== null);
  const order = answerOrder(query, run.columns);
  rows.sort((a, b) => compareRows(a, b, order));
  const hasSeries = query.series !== undefined && query.series !== null;
  return {
    columns: run.columns,
    keyCount: query.groupBy?.length ?? 0,
    rows,
    order,
    limit: query.limit ?? limitDefault,
    groupCount: groups.length,
    candidateCount: hasSeries ? run.seriesGroups().length : rows.length,
    overflows: run.overflows,
  };
}

export function aggregatesOf(query: Query): readonly AggregateSpec[] {
  return (query.aggregates ?? [{ fn: "count" }]).map((spec) => {
    if (isFunctionAggregate(spec)) throw new Error("the naive engine has no functions");
    return spec;
  });
}

interface Run {
  readonly table: OracleTable;
  readonly query: Query;
  readonly sketchError: number;
  readonly sides: readonly Side[];
  /** Of each time group, per side, where its buckets start. */
  readonly edges: ReadonlyMap<TimeBucket, readonly (readonly number[])[]>;
  readonly columns: readonly AnswerColumn[];
  /** Per side. */
  readonly matched: readonly (readonly OracleRow[])[];
  /** Groups by all keys but the time: what series are chosen from. */
  seriesGroups(): readonly Group[];
  overflows: boolean;
}

function createRun(table: OracleTable, query: Query, sketchError: number): Run {
  const sides = sidesOf(query);
  const edges = (query.groupBy ?? []).filter(isTimeBucket).map((by) => {
    const own = bucketEdges(query, by);
    const back = own.map((edge) => shiftBack(edge, query.compare?.offset, zoneOf(query)));
    return [by, [own, back]] as const;
  });
  let seriesGroups: readonly Group[] | undefined;
  const run: Run = {
    table,
    query,
    sketchError,
    sides,
    edges: new Map(edges),
    columns: answerColumns(table, query),
    matched: sides.map((side) => matchedRows(table, side)),
    seriesGroups: () => {
      seriesGroups ??= groupsOf(run, withoutTime(query));
      return seriesGroups;
    },
    overflows: false,
  };
  return run;
}

export function matchedRows(table: OracleTable, side: Side): OracleRow[] {
  const passes = rowTest(table, side.filter);
  return table.rows.filter(
    (row) => row.timeMs >= side.fromMs && row.timeMs < side.toMs && passes(row) === true,
  );
}

/** Names and scales of the answer's columns, in order. */
export function answerColumns(table: OracleTable, query: Query): AnswerColumn[] {
  const columns: AnswerColumn[] = (query.groupBy ?? []).map((group) =>
    isTimeBucket(group)
      ? { name: group.as ?? "time", decimals: 0 }
      : { name: groupName(group), decimals: columnOf(table, columnOfGroup(group)).decimals },
  );
  for (const spec of aggregatesOf(query)) {
    const counts = spec.fn.startsWith("count") || spec.fn === "distinct";
    const decimals =
      counts || spec.column === undefined ? 0 : columnOf(table, spec.column).decimals;
    const name = aggregateName(spec);
    columns.push({ name, decimals });
    if (query.compare !== undefined && query.compare !== null) {
      columns.push({ name: `${name}.compare`, decimals });
      if (!isNumberAggregate(spec)) continue;
      columns.push({ name: `${name}.delta`, decimals }, { name: `${name}.delta_pct`, decimals: 0 });
    }
    if (hasRawCount(spec)) columns.push({ name: rawCountName(spec), decimals: 0 });
  }
  return columns;
}

/** `count` is followed by the number of rows as stored, which is not compared. */
export function hasRawCount(spec: AggregateSpec): boolean {
  return spec.fn === "count";
}

function groupsOf(run: Run, groupBy: readonly GroupBy[]): readonly Group[] {
  const groups = createKeyTree<Group>((keys) => ({ keys, rows: run.sides.map(() => []) }));
  if (groupBy.length === 0) groups.of([]);
  for (const [sideIndex, rows] of run.matched.entries()) {
    for (const row of rows) {
      for (const keys of keyTuples(run, groupBy, row, sideIndex)) {
        groups.of(keys).rows[sideIndex]?.push(row);
      }
    }
  }
  return groups.all;
}

/** Every combination of the row's keys. */
function keyTuples(
  run: Run,
  groupBy: readonly GroupBy[],
  row: OracleRow,
  sideIndex: number,
): readonly (readonly OracleValue[])[] {
  let tuples: OracleValue[][] = [[]];
  for (const by of groupBy) {
    const keys = isTimeBucket(by) ? [timeKey(run, by, row, sideIndex)] : keysOf(run.table, by, row);
    const [only = null] = keys;
    if (keys.length === 1) for (const tuple of tuples) tuple.push(only);
    else tuples = tuples.flatMap((tuple) => keys.map((key) => [...tuple, key]));
  }
  return tuples;
}

/** A bucket of the base side is named by the bucket of the main side with the same index. */
function timeKey(run: Run, by: TimeBucket, row: OracleRow, sideIndex: number): OracleValue {
  const edges = run.edges.get(by) ?? [];
  return BigInt(edges[0]?.[bucketIndex(edges[sideIndex] ?? [], row.timeMs)] ?? Number.NaN);
}

function bucketIndex(edges: readonly number[], timeMs: number): number {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((edges[middle] ?? 0) <= timeMs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The group's cells, and whether the main side lacks it. */
function finishGroup(run: Run, group: Group): Cell[] {
  const cells = group.keys.map((key) => exact(key));
  const isAbsent = group.rows[0]?.length === 0;
  for (const spec of aggregatesOf(run.query)) {
    cells.push(...aggregateCells(run, spec, group));
    if (hasRawCount(spec)) {
      const rows = group.rows[0] ?? [];
      const { per: _, ...raw } = { ...spec, fn: "count.raw" as const };
      cells.push(naiveAggregate(run.table, raw, { rows, coveredMs: 0 }, 0));
    }
  }
  cells.push(exact(isAbsent ? 1n : 0n));
  return cells;
}

function aggregateCells(run: Run, spec: AggregateSpec, group: Group): readonly Cell[] {
  const cells = group.rows.map((rows, sideIndex) => {
    const coveredMs = covered(run, group, sideIndex);
    const cell = naiveAggregate(run.table, spec, { rows, coveredMs }, run.sketchError);
    if (sumOverflows(spec, cell)) run.overflows = true;
    return cell;
  });
  const [main = missing, base] = cells;
  if (base === undefined) return [main];
  if (!isNumberAggregate(spec)) return [main, base];
  const decimals =
    spec.column === undefined || spec.fn.startsWith("count") || spec.fn === "distinct"
      ? 0
      : columnOf(run.table, spec.column).decimals;
  return [main, ...comparisonCells(main, base, decimals)];
}

/** How much of the side's range the group's buckets have in common. */
function covered(run: Run, group: Group, sideIndex: number): number {
  const { fromMs, toMs } = run.sides[sideIndex] ?? { fromMs: 0, toMs: 0 };
  const groupBy = run.query.groupBy ?? [];
  if (group.keys.length < groupBy.length) return toMs - fromMs;
  let [startMs, endMs] = [fromMs, toMs];
  for (const [index, by] of groupBy.entries()) {
    if (!isTimeBucket(by)) continue;
    const edges = run.edges.get(by) ?? [];
    const bucket = edges[0]?.indexOf(Number(group.keys[index])) ?? -1;
    startMs = Math.max(startMs, edges[sideIndex]?.[bucket] ?? Number.NaN);
    endMs = Math.min(endMs, edges[sideIndex]?.[bucket + 1] ?? Number.NaN);
  }
  return Math.max(0, endMs - startMs);
}

/** Place of a group's series among the best key tuples over the whole range, of which a group is left; null: not among them. Without series: 0. */
function rankSeries(run: Run, left: readonly Group[]): (group: Group) => bigint | null {
  const { series } = run.query;
  if (series === undefined || series === null) return () => 0n;
  const order = seriesOrder(run.query, run.columns);
  const isTimeKey = (index: number) => isTimeBucket(run.query.groupBy?.[index] ?? "");
  const keysWithoutTime = ({ keys }: Group) => keys.filter((_, index) => !isTimeKey(index));
  const leftKeys = new Set(left.map((group) => keyText(keysWithoutTime(group))));
  const ranked = run
    .seriesGroups()
    .filter(({ keys }) => leftKeys.has(keyText(keys)))
    .map((group) => ({ keys: group.keys, cells: finishGroup(run, group) }))
    .sort((a, b) => compareRows(a.cells, b.cells, order));
  const ranks = new Map(ranked.slice(0, series).map(({ keys }, rank) => [keyText(keys), rank]));
  return (group) => {
    const rank = ranks.get(keyText(keysWithoutTime(group)));
    return rank === undefined ? null : BigInt(rank);
  };
}

function withoutTime(query: Query): readonly GroupBy[] {
  return (query.groupBy ?? []).filter((by) => !isTimeBucket(by));
}

function keyText(keys: readonly OracleValue[]): string {
  return JSON.stringify(keys.map((key) => (typeof key === "bigint" ? [key.toString()] : key)));
}
