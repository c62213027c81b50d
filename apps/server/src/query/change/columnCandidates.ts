import type { ChangedValue } from "@hadal/sdk";
import { keyOrder } from "../../aggregate/key/keyOrdinals.js";
import { numberGroups } from "../../aggregate/key/numberGroups.js";
import { bestFirst } from "../../aggregate/key/order.js";
import { decimalCell } from "../../aggregate/partial/decimalCell.js";
import type {
  KeyColumn,
  PartialResult,
  PartialSide,
} from "../../aggregate/partial/partialResult.js";
import { keyCell } from "../../aggregate/partial/resultCells.js";
import { spreadOf } from "../../aggregate/state/spreadState.js";
import type { SplitQuery } from "../../plan/query/splitQuery.js";
import type { SchemaColumn } from "../../plan/schema/tableSchema.js";
import { barEdges } from "../study/valueEdges.js";
import { isMissing, weighGroup } from "../study/weighedValues.js";
import type { ExactRange } from "./changeFilters.js";
import { addSamples, nothing, type Sample } from "./compareShares.js";

/** A value or range of a column, and the rows that have it in each set. */
export interface Candidate {
  readonly is: ChangedValue;
  /** Of ranges: bounds in units of the column's last digit. */
  readonly bounds: { readonly from: bigint | null; readonly to: bigint | null } | null;
  readonly a: Sample;
  readonly b: Sample;
  /** Whether it has a bar in the histogram. */
  readonly isBar: boolean;
}

/** Numbers with more different values are compared by ranges alone. */
const listedNumbersMax = 64;
/** Up to this many different numbers get a bar each. */
const barNumbersMax = 20;
/** Number of bounds for open ranges, at even parts of the rows of both sets. */
const thresholdCount = 32;

/** Reads a group's states. `spreadIndex`: the state with squares of weights; null: no row has a sample rate. */
export function sampleOf(side: PartialSide, group: number, spreadIndex: number | null): Sample {
  if (group < 0 || group >= side.groupCount) return nothing;
  const { rows, weight } = weighGroup(side, group);
  const spread = spreadIndex === null ? undefined : side.states[spreadIndex];
  const squares = weight + (spread === undefined ? 0 : spreadOf(spread, group)[0]);
  return { rows, weight, squares };
}

/** The groups of both sets, joined by their keys. */
interface JoinedColumn {
  readonly keys: KeyColumn;
  readonly groups: readonly { readonly a: Sample; readonly b: Sample }[];
}

export function joinSets(partial: PartialResult, { resolved, finish }: SplitQuery): JoinedColumn {
  const [a, b] = partial.sides;
  if (a === undefined || b === undefined) throw new Error("two sets are compared");
  const { count, numbersOf, keys } = numberGroups(resolved.groupBy, [a, b]);
  const spreadIndex = finish.aggregates[0]?.spreadIndex ?? null;
  const samples = [a, b].map((side, i) => {
    const list = Array.from({ length: count }, () => nothing);
    numbersOf[i]!.forEach((number, group) => {
      list[number] = sampleOf(side, group, spreadIndex);
    });
    return list;
  });
  const groups = Array.from({ length: count }, (_, i) => ({
    a: samples[0]![i]!,
    b: samples[1]![i]!,
  }));
  return { keys: keys()[0]!, groups };
}

/** A candidate for each value or element, and one for missing values. */
export function valueCandidates(
  column: SchemaColumn,
  joined: JoinedColumn,
  split: SplitQuery,
): Candidate[] {
  const isList = column.type === "set" || column.type === "vector";
  const isBar = column.type !== "int" || joined.groups.length <= barNumbersMax;
  if (column.type === "int" && joined.groups.length > listedNumbersMax) return [];
  // By key, so that the order of ties does not depend on which leaf answers first.
  const byKey = bestFirst(joined.groups.length, keyOrder([joined.keys]), joined.groups.length);
  return Array.from(byKey, (group) => {
    const { a, b } = joined.groups[group]!;
    const value = keyCell(joined.keys, group, split.finish.groups[0]!, []);
    if (typeof value === "object" && value !== null) throw new Error("a value is one cell");
    const is: ChangedValue =
      isList && typeof value === "string" ? { kind: "element", value } : { kind: "value", value };
    return { is, bounds: null, a, b, isBar };
  });
}

/** Ranges of numbers: bars of a histogram with these edges (null: no bars), and everything from or below a bound. */
export function rangeCandidates(
  { decimals }: SchemaColumn,
  joined: JoinedColumn,
  edges: readonly bigint[] | null,
): Candidate[] {
  const { keys, groups } = joined;
  if (keys.kind !== "int") return [];
  const buckets = groups
    .flatMap((samples, group) =>
      isMissing(keys, group) ? [] : [{ low: keys.values[group]!, ...samples }],
    )
    .map((bucket) => ({ ...bucket, weight: bucket.a.weight + bucket.b.weight }))
    .sort((x, y) => (x.low < y.low ? -1 : 1));
  const rangeOf = (from: bigint | null, to: bigint | null): Omit<Candidate, "isBar"> => {
    const within = buckets.filter(
      ({ low }) => (from === null || low >= from) && (to === null || low < to),
    );
    const sum = (samples: readonly Sample[]): Sample => samples.reduce(addSamples, nothing);
    return {
      is: { kind: "range", from: boundCell(from, decimals), to: boundCell(to, decimals) },
      bounds: { from, to },
      a: sum(within.map(({ a }) => a)),
      b: sum(within.map(({ b }) => b)),
    };
  };
  const candidates: Candidate[] = [];
  if (edges !== null) {
    const bounds = [null, ...barEdges(buckets, edges), null];
    for (let i = 1; i < bounds.length; i++) {
      // A single bar would contain all rows.
      if (bounds.length > 2) {
        candidates.push({ ...rangeOf(bounds[i - 1]!, bounds[i]!), isBar: true });
      }
    }
    const missing = groups.findIndex((_, group) => isMissing(keys, group));
    const absent = groups[missing];
    if (absent !== undefined) {
      candidates.push({ is: { kind: "value", value: null }, bounds: null, ...absent, isBar: true });
    }
  }
  for (const bound of thresholds(buckets)) {
    candidates.push({ ...rangeOf(bound, null), isBar: false });
    candidates.push({ ...rangeOf(null, bound), isBar: false });
  }
  return candidates;
}

/** Bounds at even parts of the weight of both sets. */
function thresholds(
  buckets: readonly { readonly low: bigint; readonly weight: number }[],
): bigint[] {
  const total = buckets.reduce((sum, { weight }) => sum + weight, 0);
  const found = new Set<bigint>();
  let seen = 0;
  let next = 1;
  for (const { low, weight } of buckets) {
    if (seen >= (next * total) / thresholdCount) {
      found.add(low);
      while (seen >= (next * total) / thresholdCount) next++;
    }
    seen += weight;
  }
  return [...found];
}

function boundCell(bound: bigint | null, decimals: number): number | null {
  return bound === null ? null : Number(decimalCell(bound, decimals));
}

/** Bounds for a filter: as texts where a number would lose digits. */
export function exactRange({ bounds }: Candidate, decimals: number): ExactRange | null {
  if (bounds === null) return null;
  const exact = (bound: bigint | null): number | string | null => {
    if (bound === null) return null;
    if (decimals > 0) return decimalCell(bound, decimals);
    return Number.isSafeInteger(Number(bound)) ? Number(bound) : bound.toString();
  };
  return { from: exact(bounds.from), to: exact(bounds.to) };
}
