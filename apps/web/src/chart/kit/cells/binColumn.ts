import {
  type BucketBound,
  type ColumnFilter,
  exactAmount,
  exactNumber,
  type NumberBucket,
  type Query,
  type Result,
} from "@hadal/sdk";
import { type Amount, asAmount } from "../answer/series.js";
import { type BinScale, type Bound, boundsOf, edgeIndex } from "./binScale.js";

/** The bins of a query: their column, and the index of their keys in the result. */
export interface BinColumn {
  readonly scale: BinScale;
  readonly index: number;
  /** Name of the result column. */
  readonly name: string;
}

/** The query's n-th group by ranges of numbers (−1: the last), with its result column; null: there is none. */
export function binColumnOf(query: Query, result: Result, nth = -1): BinColumn | null {
  const found = (query.groupBy ?? [])
    .flatMap((group, place) =>
      typeof group === "object" && "bucket" in group && group.edges !== undefined
        ? [{ group: group as NumberBucket, place }]
        : [],
    )
    .at(nth);
  if (found === undefined) return null;
  const { group, place } = found;
  const edges = (group.edges ?? []).map(exactAmount);
  // Group columns are in the order of the query.
  const index = result.columns.flatMap(({ role }, i) => (role === "group" ? [i] : []))[place] ?? -1;
  let [hasBelow, hasAbove] = [false, false];
  for (const row of result.rows) {
    const key = keyOf(asAmount(row[index]));
    if (key === null) continue;
    if (key < (edges[0] ?? 0)) hasBelow = true;
    else if (key >= (edges[edges.length - 1] ?? 0)) hasAbove = true;
  }
  const measure = { unit: result.columns[index]?.unit };
  const name = result.columns[index]?.name ?? "";
  return { index, name, scale: { column: group.bucket, edges, hasBelow, hasAbove, measure } };
}

/** The bin of a row, from the lowest; null: its number is missing. */
export function binOfKey({ edges, hasBelow }: BinScale, amount: Amount): number | null {
  const key = keyOf(amount);
  return key === null ? null : edgeIndex(edges, key) + (hasBelow ? 1 : 0);
}

/** Rows whose number is in these bins, ends included. */
export function filtersOfBins(scale: BinScale, from: number, to: number): ColumnFilter[] {
  const { low } = boundsOf(scale, from);
  const { high } = boundsOf(scale, to);
  const { column } = scale;
  return [
    ...(low === null ? [] : [{ column, op: ">=" as const, value: writtenBound(low) }]),
    ...(high === null ? [] : [{ column, op: "<" as const, value: writtenBound(high) }]),
    // Open at both ends: all rows that have a number.
    ...(low === null && high === null ? [{ column, op: "is present" as const }] : []),
  ];
}

const writtenBound = (bound: Bound): BucketBound =>
  exactNumber(typeof bound === "bigint" ? String(bound) : bound);

/** An integer beyond 2^53 stays a BigInt. */
const keyOf = (amount: Amount): Bound | null =>
  amount === null || typeof amount === "bigint" ? amount : Number(amount);
