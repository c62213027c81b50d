import { type Facet, type FacetRange, type FacetValue, unitOfColumn } from "@hadal/sdk";
import { keyOrder, ordinalsOfValues } from "../../aggregate/key/keyOrdinals.js";
import { bestFirst } from "../../aggregate/key/order.js";
import { decimalCell } from "../../aggregate/partial/decimalCell.js";
import type { PartialSide } from "../../aggregate/partial/partialResult.js";
import { keyCell } from "../../aggregate/partial/resultCells.js";
import type { SplitQuery } from "../../plan/query/splitQuery.js";
import type { SchemaColumn } from "../../plan/schema/tableSchema.js";
import { barEdges } from "../study/valueEdges.js";
import { isMissing, type Weighed, weighGroup } from "../study/weighedValues.js";

/** So few different numbers are shown one by one. */
const listedNumbersMax = 20;

/** What is known of one column. */
export interface ColumnAnswer {
  readonly column: SchemaColumn;
  readonly all: Weighed;
  /** Rows that have a value. */
  readonly present: Weighed;
  /** The rows among which these were counted: more where some have come between two scans. */
  readonly presentOf: Weighed;
  readonly distinct: { readonly count: number; readonly isExact: boolean } | null;
  /** Null: there are too many. */
  readonly values: { readonly side: PartialSide; readonly split: SplitQuery } | null;
  readonly ranges: { readonly side: PartialSide; readonly edges: readonly bigint[] } | null;
}

export function facetOfColumn(answer: ColumnAnswer, limit: number): Facet {
  const { column, all, present, presentOf, distinct, values, ranges } = answer;
  const { name, type, decimals } = column;
  const unit = type === "int" ? unitOfColumn(name) : undefined;
  const isListed =
    values !== null && distinct?.isExact === true && distinct.count <= listedNumbersMax;
  return {
    ...{ name, type, decimals },
    ...(unit === undefined ? {} : { unit }),
    rows: present.rows,
    count: present.weight,
    fill: shareOf(present, presentOf),
    distinct: distinct?.count ?? null,
    distinctIsExact: distinct?.isExact ?? false,
    values: values === null ? null : listValues(values.side, values.split, all, limit),
    ranges: ranges === null || isListed ? null : listRanges(ranges, decimals, all),
  };
}

function shareOf({ weight }: Weighed, all: Weighed): number {
  return all.weight === 0 ? 0 : weight / all.weight;
}

function listValues(
  side: PartialSide,
  { finish }: SplitQuery,
  all: Weighed,
  limit: number,
): FacetValue[] {
  const [key] = side.keys;
  const [group] = finish.groups;
  if (key === undefined || group === undefined) return [];
  const weights = Array.from({ length: side.groupCount }, (_, i) => weighGroup(side, i).weight);
  const order = [{ ordinals: ordinalsOfValues(weights), desc: true }, ...keyOrder(side.keys)];
  // One more, in case that the missing are among the first.
  const best = Array.from(bestFirst(side.groupCount, order, limit + 1));
  const shown = best.filter((index) => !isMissing(key, index)).slice(0, limit);
  return shown.map((index) => {
    const weighed = weighGroup(side, index);
    const value = keyCell(key, index, group, []);
    if (value === null || typeof value === "object") throw new Error("a value is one cell");
    return { value, rows: weighed.rows, count: weighed.weight, share: shareOf(weighed, all) };
  });
}

function listRanges(
  { side, edges }: NonNullable<ColumnAnswer["ranges"]>,
  decimals: number,
  all: Weighed,
): FacetRange[] {
  const [key] = side.keys;
  if (key?.kind !== "int") return [];
  const buckets = Array.from({ length: side.groupCount }, (_, group) => group)
    .filter((group) => !isMissing(key, group))
    .map((group) => ({ low: key.values[group]!, ...weighGroup(side, group) }))
    .sort((a, b) => (a.low < b.low ? -1 : 1));
  const bounds = barEdges(buckets, edges);
  const bars = Array.from({ length: bounds.length + 1 }, () => ({ rows: 0, weight: 0 }));
  let bar = 0;
  for (const { low, rows, weight } of buckets) {
    while (bar < bounds.length && low >= bounds[bar]!) bar++;
    const into = bars[bar]!;
    into.rows += rows;
    into.weight += weight;
  }
  const cell = (bound: bigint | undefined): number | null =>
    bound === undefined ? null : Number(decimalCell(bound, decimals));
  return bars.map((weighed, i) => ({
    from: cell(bounds[i - 1]),
    to: cell(bounds[i]),
    rows: weighed.rows,
    count: weighed.weight,
    share: shareOf(weighed, all),
  }));
}
