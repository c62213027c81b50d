import type { AggregateSpec, Query, Result } from "@hadal/sdk";
import { HadalError } from "@hadal/sdk";
import { parseSql, printSql } from "@hadal/sdk/sql";
import type { Cluster } from "../../support/startCluster.js";
import { weightOf } from "../naive/naiveAggregate.js";
import { aggregatesOf } from "../naive/naiveEngine.js";
import type { Answer } from "../query/answer.js";
import { cellOf, type OracleTable } from "../table/oracleTable.js";
import { answerDifference, sampleDifference, someRowsDifference } from "./compareAnswers.js";
import { expectationOf, expectedSamples, tableOf } from "./expectation.js";
import { resultRows, resultSample } from "./resultRows.js";

/** What a cluster answers differently from the oracle, or null. `name`: what the cluster calls the table. */
export async function clusterDifference(
  cluster: Pick<Cluster, "client">,
  leafCount: number,
  stored: OracleTable,
  query: Query,
  name = query.table,
): Promise<string | null> {
  const table = await tableOf(stored, query);
  // The oracle cannot say where a derived value needs more than 64 bits.
  if (table === null) return null;
  // Leaves cut what is not asked for exactly.
  const exact = JSON.stringify(query).length % 3 === 0;
  const asked: Query = { ...query, table: name, exact, timeoutMs: 30_000 };
  if (query.sampleView !== undefined) {
    return samplesDifference(table, query, await ask(cluster, asked));
  }
  const { answer: expected, uncut } = expectationOf(table, query);
  try {
    const result = await ask(cluster, asked);
    const rows = resultRows(result, expected.columns);
    if (result.completeness.fraction !== 1) return `complete to ${result.completeness.fraction}`;
    if (isDetermined(expected, asked, leafCount)) {
      const wantsCut = expected.rows.length > expected.limit;
      if (wantsCut && result.truncated === null) return "cut by the limit, but not said so";
      return answerDifference(expected, rows);
    }
    return someRowsDifference(uncut(), rows);
  } catch (error) {
    if (error instanceof HadalError && error.code === "sum-overflow") {
      return mayOverflow(table, expected, query) ? null : "sum-overflow, but all sums fit";
    }
    if (error instanceof HadalError && error.code === "query-memory") {
      return mayTakeMuch(expected, query) ? null : error.message;
    }
    // Nothing about the query: no smaller one will tell more.
    if (error instanceof HadalError && error.code === "connection-lost") throw error;
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

/** Every other query in SQL, as its own text says which: the same is meant, and the same must come of it. */
function ask({ client }: Pick<Cluster, "client">, query: Query): Promise<Result> {
  const { length } = JSON.stringify(query);
  return client.query(length % 2 === 0 ? query : parseSql(printSql(query)));
}

function samplesDifference(table: OracleTable, query: Query, result: Result): string | null {
  const found = expectedSamples(table, query).map((expected, sideIndex) =>
    sampleDifference(expected, resultSample(table, result, expected, sideIndex)),
  );
  return found.find((difference) => difference !== null) ?? null;
}

/**
 * Whether the order leaves no choice, and the leaves' cut to max(5 · limit, 100) groups leaves the answer exact: nothing is cut, or what
 * is cut is cut by keys, or one leaf ranks by the very numbers that the root orders by, or all groups were asked for.
 */
function isDetermined(expected: Answer, query: Query, leafCount: number): boolean {
  const hasSeries = query.series !== undefined && query.series !== null;
  if (mayRankBySketch(query)) return false;
  if (query.exact === true) return true;
  if (!mayBeCut(expected, query)) return true;
  const compares = query.compare !== undefined && query.compare !== null;
  if (compares) return false;
  const byKey = (expected.order[0]?.columnIndex ?? 0) < expected.keyCount;
  if (byKey && !hasSeries) return true;
  return leafCount === 1 && aggregatesOf(query).every((spec) => spec.per === undefined);
}

/** Series of nearly the same percentile may change places, or one may take the other's. */
export function mayRankBySketch(query: Query): boolean {
  const hasSeries = query.series !== undefined && query.series !== null;
  return hasSeries && aggregatesOf(query).some((spec) => spec.fn === "percentile");
}

function mayBeCut(expected: Answer, query: Query): boolean {
  // Leaves send half a million groups then: more than there are rows.
  if (query.having !== undefined) return false;
  return expected.candidateCount > Math.max(5 * (query.series ?? expected.limit), 100);
}

/**
 * Sums beyond 64 bits must be refused; averages, deviations and rates of the extremes, and of derived columns as large,
 * may be, where not even 85 bits do.
 */
export function mayOverflow(table: OracleTable, expected: Answer, query: Query): boolean {
  const isDerived = (name: string) => query.derive?.some(({ as }) => as === name) === true;
  const isExtreme = (name: string) =>
    name === "extreme" || (isDerived(name) && weightedSize(table, name) >= 2n ** 84n);
  const extreme = (spec: AggregateSpec) =>
    spec.column !== undefined &&
    (spec.fn === "avg" || spec.fn === "stddev" || spec.per !== undefined) &&
    isExtreme(spec.column);
  return expected.overflows || aggregatesOf(query).some(extreme);
}

/** What all values of a column come to at most, each as often as its row counts. */
function weightedSize(table: OracleTable, name: string): bigint {
  return table.rows.reduce((size, row) => {
    const value = cellOf(row, name);
    const most = typeof value !== "bigint" ? 0n : value < 0n ? -value : value;
    return size + most * weightOf(row);
  }, 0n);
}

/** A histogram over all of int64 takes 64 KiB, others a few: this many groups of them may be refused, fewer not. Groups are made before `series` cuts them. */
function mayTakeMuch(expected: Answer, query: Query): boolean {
  const columns = aggregatesOf(query)
    .filter((spec) => spec.fn === "percentile" || spec.fn === "histogram")
    .map((spec) => spec.column);
  const groups = Math.max(expected.rows.length, expected.candidateCount);
  return columns.some((column) => groups > (column === "extreme" ? 200 : 10_000));
}
