import type { Steps } from "../../base/schedule/steps.js";
import type { FinishOrder, FinishPlan, FinishSeries } from "../../plan/query/finishPlan.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import { GroupTable } from "../key/groupTable.js";
import { type JoinedGroups, joinSides } from "../key/joinSides.js";
import { keyColumnOrder, keyOrder, ordinalsOfKeys, ordinalsOfValues } from "../key/keyOrdinals.js";
import { KeyWords } from "../key/keyWords.js";
import { numberGroups } from "../key/numberGroups.js";
import { firstSteps, type OrderColumn, orderOf } from "../key/order.js";
import { mergeSeries, seriesKeys, withoutTime } from "../merge/seriesOf.js";
import type { KeyColumn, PartialSide } from "../partial/partialResult.js";
import { type FinishedValues, finishValues } from "./finishedValues.js";
import { groupsThatPass } from "./having.js";

/** Rows of the result, chosen among the joined groups. */
export interface ChosenRows {
  /** Joined groups, in the order of the result. */
  readonly groups: Uint32Array;
  /** Groups left out by the limit, and series by `series`. */
  readonly groupsLeft: number;
  readonly seriesLeft: number;
}

/** The groups of a result, with their numbers. */
export interface JoinedSides {
  readonly sides: readonly PartialSide[];
  readonly joined: JoinedGroups;
  readonly values: FinishedValues;
  /** The sides over all their time buckets; null: they are merged when they are needed. */
  readonly seriesSides: readonly PartialSide[] | null;
}

/** Orders the joined groups and keeps what `limit` and `series` allow, a step at a time. */
export function* chooseSteps(
  { sides, joined, values, seriesSides }: JoinedSides,
  resolved: ResolvedQuery,
  finish: FinishPlan,
): Steps<ChosenRows> {
  const passing = groupsThatPass(joined, values, resolved, finish);
  if (finish.series !== null) {
    const merged = seriesSides ?? sides.map((side) => mergeSeries(side, resolved));
    const series = { sides: merged, resolved, finish, series: finish.series };
    return yield* chooseSeries(series, joined, passing);
  }
  const columns = [
    ...finish.orders.flatMap((order) => orderColumns(order, joined, values, finish)),
    ...keyOrder(joined.keys),
  ];
  const groups = yield* bestAmong(passing, joined.count, columns, finish.limit);
  return { groups, groupsLeft: (passing?.length ?? joined.count) - groups.length, seriesLeft: 0 };
}

/** The best of some groups (null: of all), in their order. */
function* bestAmong(
  groups: Uint32Array | null,
  groupCount: number,
  columns: readonly OrderColumn[],
  limit: number,
): Steps<Uint32Array> {
  if (groups === null) return yield* firstSteps(groupCount, columns, limit);
  const own = columns.map((column) => orderOf(column, groups));
  return (yield* firstSteps(groups.length, own, limit)).map((i) => groups[i]!);
}

/** Series to choose from: the sides over all their time buckets. */
interface AllSeries {
  readonly sides: readonly PartialSide[];
  readonly resolved: ResolvedQuery;
  readonly finish: FinishPlan;
  readonly series: FinishSeries;
}

function* chooseSeries(
  all: AllSeries,
  joined: JoinedGroups,
  passing: Uint32Array | null,
): Steps<ChosenRows> {
  const { resolved, finish, series } = all;
  const keys = seriesKeys(joined.keys, resolved);
  const rankOf = yield* rankSeries(all, { keys, passing, count: joined.count });
  const ranks = rankOf.ranks(keys, joined.count);
  const points = passing ?? Uint32Array.from(ranks.keys());
  const kept = points.filter((group) => ranks[group]! >= 0);
  const time = ordinalsOfKeys(joined.keys[series.timeGroupIndex]!);
  const columns: OrderColumn[] = [
    { ordinals: Float64Array.from(kept, (group) => time[group]!), desc: series.timeDesc },
    { ordinals: Float64Array.from(kept, (group) => ranks[group]!), desc: false },
  ];
  const best = yield* firstSteps(kept.length, columns, finish.limit);
  const groups = best.map((i) => kept[i]!);
  return { groups, groupsLeft: kept.length - groups.length, seriesLeft: rankOf.left };
}

interface SeriesRanks {
  /** The rank of each group's series, -1 for those left out. */
  ranks(keys: JoinedGroups["keys"], groupCount: number): Int32Array;
  readonly left: number;
}

/** The points of all series, and which of them pass `having` (null: all). */
interface SeriesPoints {
  readonly keys: JoinedGroups["keys"];
  readonly passing: Uint32Array | null;
  readonly count: number;
}

/** Ranks series by their aggregate over the whole range, not bucket by bucket: those of which a point is left. */
function* rankSeries(
  { sides: seriesSides, resolved, finish, series }: AllSeries,
  points: SeriesPoints,
): Steps<SeriesRanks> {
  const seriesResolved = withoutTime(resolved);
  const joined = joinSides(seriesSides, seriesResolved);
  // Over all times a sum may overflow that does at no time: only those count that series are ranked by.
  const { target } = series.rank;
  const ranking = target.kind === "aggregate" ? [finish.aggregates[target.aggregateIndex]!] : [];
  const { aggregates } = finish;
  const finishing = { sides: seriesSides, joined, resolved: seriesResolved };
  const values = finishValues(finishing, aggregates, ranking);
  const columns = [
    ...orderColumns(series.rank, joined, values, {
      ...finish,
      defaultOrder: !series.isRankAsked,
    }),
    ...keyOrder(joined.keys),
  ];
  const keyWords = new KeyWords(seriesResolved.groupBy);
  const passing = seriesThatPass(points, joined, keyWords);
  const best = yield* bestAmong(passing, joined.count, columns, series.max);
  return {
    left: (passing?.length ?? joined.count) - best.length,
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

/** Series that have a point which passes; null: all of them. */
function seriesThatPass(
  { keys, passing, count }: SeriesPoints,
  joined: JoinedGroups,
  keyWords: KeyWords,
): Uint32Array | null {
  if (passing === null) return null;
  const table = new GroupTable(keyWords.width, joined.count);
  const pointWords = keyWords.encode(keys, count);
  for (const point of passing) table.add(pointWords, point * keyWords.width);
  const words = keyWords.encode(joined.keys, joined.count);
  const all = Uint32Array.from({ length: joined.count }, (_, group) => group);
  return all.filter((group) => table.find(words, group * keyWords.width) >= 0);
}

/** One order as columns; where the missing stand elsewhere than they would, they do so first of all. */
function orderColumns(
  order: FinishOrder,
  joined: JoinedGroups,
  values: FinishedValues,
  finish: Pick<FinishPlan, "aggregates" | "defaultOrder">,
): OrderColumn[] {
  const columns = valueColumns(order, joined, values, finish);
  if (order.nulls === undefined) return columns;
  const { ordinals } = columns[0]!;
  const isMissing = Float64Array.from(ordinals, (ordinal) =>
    ordinal === Number.POSITIVE_INFINITY ? 1 : 0,
  );
  return [{ ordinals: isMissing, desc: order.nulls === "first" }, ...columns];
}

/** In the default order groups that the main side lacks come last. */
function valueColumns(
  order: FinishOrder,
  joined: JoinedGroups,
  values: FinishedValues,
  { aggregates, defaultOrder }: Pick<FinishPlan, "aggregates" | "defaultOrder">,
): OrderColumn[] {
  const { target, desc } = order;
  if (target.kind === "key") {
    return [keyColumnOrder(joined.keys[target.groupIndex]!, { desc })];
  }
  const { aggregateIndex, part } = target;
  if (aggregates[aggregateIndex]!.type === "string") {
    return [
      keyColumnOrder(
        textColumn(joined.count, (i) => values.textOf(aggregateIndex, part, i)),
        { desc },
      ),
    ];
  }
  const known = values.ordinalsOf(aggregateIndex, part);
  const column = {
    ordinals: known ?? ordinalsOfValues(values.valuesOf(aggregateIndex, part)),
    desc,
  };
  if (!defaultOrder || joined.positions.length < 2) return [column];
  const absent = Float64Array.from(joined.positions[0]!, (position) => (position < 0 ? 1 : 0));
  return [{ ordinals: absent, desc: false }, column];
}

/** The texts of groups as a key column. */
function textColumn(count: number, textOf: (group: number) => string | null): KeyColumn {
  const numbers = new Map<string, number>();
  const codes = Int32Array.from({ length: count }, (_, group) => {
    const text = textOf(group);
    if (text === null) return -1;
    const code = numbers.get(text) ?? numbers.size;
    numbers.set(text, code);
    return code;
  });
  return { kind: "string", codes, dictionary: [...numbers.keys()] };
}
