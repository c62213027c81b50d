import type { FinishOrder, FinishPlan, FinishSeries } from "../plan/finishPlan.js";
import type { ResolvedQuery } from "../plan/resolvedQuery.js";
import { type FinishedValues, finishValues } from "./finishedValues.js";
import { type JoinedGroups, joinSides } from "./joinSides.js";
import { numberGroups } from "./numberGroups.js";
import {
  bestFirst,
  keyColumnOrder,
  keyOrder,
  type OrderColumn,
  ordinalsOfKeys,
  ordinalsOfValues,
} from "./order.js";
import type { PartialSide } from "./partialResult.js";
import { mergeSeries, withoutTime } from "./seriesOf.js";

export interface ChosenRows {
  /** Joined groups, in the order of the result. */
  readonly groups: Uint32Array;
  /** Groups left out by the limit, and series by `series`. */
  readonly groupsLeft: number;
  readonly seriesLeft: number;
}

/** Orders the joined groups and keeps what `limit` and `series` allow. */
export function chooseRows(
  sides: readonly PartialSide[],
  joined: JoinedGroups,
  values: FinishedValues,
  resolved: ResolvedQuery,
  finish: FinishPlan,
): ChosenRows {
  if (finish.series !== null) {
    return chooseSeries(sides, joined, resolved, finish, finish.series);
  }
  const columns = [
    ...finish.orders.flatMap((order) => orderColumns(order, joined, values, finish.defaultOrder)),
    ...keyOrder(joined.keys),
  ];
  const groups = bestFirst(joined.count, columns, finish.limit);
  return { groups, groupsLeft: joined.count - groups.length, seriesLeft: 0 };
}

function chooseSeries(
  sides: readonly PartialSide[],
  joined: JoinedGroups,
  resolved: ResolvedQuery,
  finish: FinishPlan,
  series: FinishSeries,
): ChosenRows {
  const rankOf = rankSeries(sides, resolved, finish, series);
  const keys = joined.keys.filter(({ kind }) => kind !== "bucket");
  const ranks = rankOf.ranks(keys, joined.count);
  const kept = Uint32Array.from(ranks.keys()).filter((group) => ranks[group]! >= 0);
  const time = ordinalsOfKeys(joined.keys[series.timeGroupIndex]!);
  const columns: OrderColumn[] = [
    { ordinals: Float64Array.from(kept, (group) => time[group]!), desc: series.timeDesc },
    { ordinals: Float64Array.from(kept, (group) => ranks[group]!), desc: false },
  ];
  const groups = bestFirst(kept.length, columns, finish.limit).map((i) => kept[i]!);
  return { groups, groupsLeft: kept.length - groups.length, seriesLeft: rankOf.left };
}

interface SeriesRanks {
  /** The rank of each group's series, -1 for those left out. */
  ranks(keys: JoinedGroups["keys"], groupCount: number): Int32Array;
  readonly left: number;
}

/** Ranks series by their aggregate over the whole range, not bucket by bucket. */
function rankSeries(
  sides: readonly PartialSide[],
  resolved: ResolvedQuery,
  finish: FinishPlan,
  series: FinishSeries,
): SeriesRanks {
  const seriesResolved = withoutTime(resolved);
  const seriesSides = sides.map((side) => mergeSeries(side, resolved));
  const joined = joinSides(seriesSides, seriesResolved);
  const values = finishValues(seriesSides, joined, seriesResolved, finish.aggregates);
  const columns = [...orderColumns(series.rank, joined, values, true), ...keyOrder(joined.keys)];
  const best = bestFirst(joined.count, columns, series.max);
  return {
    left: joined.count - best.length,
    ranks(keys, groupCount) {
      const senders = [
        { keys: joined.keys, groupCount: joined.count },
        { keys, groupCount },
      ];
      const { count, numbersOf } = numberGroups(seriesResolved.groupBy, senders);
      const [numbersOfSeries, numbersOfGroups] = numbersOf;
      const rankOf = new Int32Array(count).fill(-1);
      for (let rank = 0; rank < best.length; rank++) {
        rankOf[numbersOfSeries![best[rank]!]!] = rank;
      }
      return numbersOfGroups!.map((number) => rankOf[number]!);
    },
  };
}

/** One order as columns. `mainFirst`: groups that the main side lacks come last. */
function orderColumns(
  order: FinishOrder,
  joined: JoinedGroups,
  values: FinishedValues,
  mainFirst: boolean,
): OrderColumn[] {
  const { target, desc } = order;
  if (target.kind === "key") {
    return [keyColumnOrder(joined.keys[target.groupIndex]!, desc)];
  }
  const { aggregateIndex, part } = target;
  const known = values.ordinalsOf(aggregateIndex, part);
  const column = {
    ordinals: known ?? ordinalsOfValues(values.valuesOf(aggregateIndex, part)),
    desc,
  };
  if (!mainFirst || joined.positions.length < 2) return [column];
  const absent = Float64Array.from(joined.positions[0]!, (position) => (position < 0 ? 1 : 0));
  return [{ ordinals: absent, desc: false }, column];
}
