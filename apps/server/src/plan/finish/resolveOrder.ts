import { HadalError, nearestHint, type OrderBy } from "@hadal/sdk";
import type {
  ComparePart,
  FinishAggregate,
  FinishGroup,
  FinishOrder,
  FinishPlan,
  FinishSeries,
  FinishTarget,
} from "../query/finishPlan.js";
import type { Rank } from "../query/resolvedQuery.js";

/** The order asked for, or the default: time, else the first aggregate, largest first. */
export function resolveOrders(
  orderBy: readonly OrderBy[],
  groups: readonly FinishGroup[],
  aggregates: readonly FinishAggregate[],
  place: {
    readonly timeGroupIndex: number;
    readonly compare: boolean;
    readonly show: FinishPlan["show"];
  },
): readonly FinishOrder[] {
  if (orderBy.length === 0) {
    const groupIndex = place.timeGroupIndex;
    return groupIndex >= 0
      ? [{ target: { kind: "key", groupIndex }, desc: false }]
      : firstNumber(aggregates, place.show);
  }
  const targets = resultTargets(groups, aggregates, place);
  return orderBy.map((order, i) => {
    const target = targets.get(order.by);
    const desc = order.desc ?? false;
    if (target !== undefined) return { target, desc, ...nullsOf(order) };
    const detail = `The result has no column "${order.by}".${nearestHint(order.by, targets.keys())}`;
    throw new HadalError("invalid-query", { detail }, [
      { path: `orderBy[${i}].by`, code: "unknown-result-column", detail },
    ]);
  });
}

/** Missing values come last ascending, first descending; only another place is noted. */
function nullsOf({ desc = false, nulls }: OrderBy): Pick<FinishOrder, "nulls"> {
  return nulls === undefined || (nulls === "first") === desc ? {} : { nulls };
}

/** What series are ranked by: the first aggregate that the order names, else the first one, largest first. */
export function seriesRank(
  orders: readonly FinishOrder[],
  aggregates: readonly FinishAggregate[],
  show: FinishPlan["show"],
): Pick<FinishSeries, "rank" | "isRankAsked"> {
  const asked = orders.find((order) => order.target.kind === "aggregate");
  const [rank = asked] = asked === undefined ? firstNumber(aggregates, show) : [];
  if (rank !== undefined) return { rank, isRankAsked: rank === asked };
  const detail = "`series` ranks by a number: ask for one beside the histogram, such as count.";
  throw new HadalError("invalid-query", { detail }, [
    { path: "series", code: "unexpected", detail },
  ]);
}

/**
 * The order as leaves can follow it with their own states, each side by its own number; null: what it goes by is known
 * at the root only, as differences are, which need both sides. `cutsBuckets`: groups are buckets of time, of which the
 * first and the last may be cut short, so that a rate is another order than its sum.
 */
export function leafRank(
  order: FinishOrder,
  aggregates: readonly FinishAggregate[],
  { cutsBuckets }: { readonly cutsBuckets: boolean },
): Rank | null {
  const { target, desc, nulls } = order;
  // A leaf does not know which numbers will be missing once all is merged.
  if (nulls !== undefined) return null;
  if (target.kind === "key") return { by: target, desc };
  const { value, rankBy } = aggregates[target.aggregateIndex]!;
  const isRate = "perMs" in value && value.perMs !== null;
  const isDifference = target.part === "delta" || target.part === "delta_pct";
  if (isDifference || (isRate && cutsBuckets) || rankBy === null) return null;
  return { by: rankBy, desc };
}

/** The first shown aggregate that is a number, largest first, of those that leaves can rank by if there is one; none when all are histograms. */
function firstNumber(
  aggregates: readonly FinishAggregate[],
  show: FinishPlan["show"],
): FinishOrder[] {
  const shown = show === null ? aggregates : aggregates.filter(({ name }) => show.includes(name));
  const numbers = shown.filter(({ type }) => type !== "histogram" && type !== "string");
  const first = numbers.find(({ rankBy }) => rankBy !== null) ?? numbers[0];
  if (first === undefined) return [];
  const aggregateIndex = aggregates.indexOf(first);
  return [{ target: { kind: "aggregate", aggregateIndex, part: "main" }, desc: true }];
}

/** What the result's columns stand for, by name; histograms are nothing to order by or to compare. */
export function resultTargets(
  groups: readonly FinishGroup[],
  aggregates: readonly FinishAggregate[],
  { compare }: { readonly compare: boolean },
): ReadonlyMap<string, FinishTarget> {
  const targets = new Map<string, FinishTarget>();
  groups.forEach(({ name }, groupIndex) => {
    targets.set(name, { kind: "key", groupIndex });
  });
  aggregates.forEach(({ name, type, compared }, aggregateIndex) => {
    if (type === "histogram") return;
    const add = (column: string, part: ComparePart) =>
      targets.set(column, { kind: "aggregate", aggregateIndex, part });
    add(name, "main");
    if (compare) for (const part of compared) add(`${name}.${part}`, part);
  });
  return targets;
}
