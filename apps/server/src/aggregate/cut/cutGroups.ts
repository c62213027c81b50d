import { atOnce, type Steps } from "../../base/schedule/steps.js";
import { edgesOfBuckets } from "../../plan/bucket/timeBuckets.js";
import { branchQuery } from "../../plan/query/branchQuery.js";
import type { FinishValue } from "../../plan/query/finishValue.js";
import type {
  AskedGroups,
  Rank,
  ResolvedQuery,
  ResolvedSide,
} from "../../plan/query/resolvedQuery.js";
import type { FinishedValue } from "../function/aggregateKind.js";
import { aggregateKindOf } from "../function/aggregateKinds.js";
import { keyColumnOrder, keyOrder, ordinalsOfValues } from "../key/keyOrdinals.js";
import type { KeyedGroups } from "../key/numberedGroups.js";
import { numberSteps } from "../key/numberGroups.js";
import { bestSteps, type OrderColumn } from "../key/order.js";
import { mergeSeries, seriesKeys, withoutTime } from "../merge/seriesOf.js";
import { takeGroups } from "../merge/takeGroups.js";
import type { PartialResult, PartialSide } from "../partial/partialResult.js";
import { roughSums } from "../state/sumState.js";
import { readAskedKeys } from "./askedKeys.js";

/**
 * Cuts a leaf's answer to its best groups (or series, with all their points). A group among the best of one
 * side is kept on both, so that they can be compared.
 */
export function cutGroups(partial: PartialResult, resolved: ResolvedQuery): PartialResult {
  return atOnce(cutSteps(partial, resolved));
}

/** The same in steps: if a million groups tie, all their keys are compared. */
export function* cutSteps(partial: PartialResult, resolved: ResolvedQuery): Steps<PartialResult> {
  const { branches } = resolved;
  if (branches !== undefined) {
    const parts: (PartialResult | null)[] = [];
    for (const [i, part] of (partial.branches ?? []).entries()) {
      parts.push(part && (yield* cutSteps(part, branchQuery(resolved, branches[i]!))));
    }
    return { ...partial, branches: parts };
  }
  const { cut, only } = resolved;
  if (only !== undefined) return yield* takeAsked(partial, only, resolved);
  if (partial.sides.every(({ groupCount }) => groupCount <= cut.max)) return partial;
  const ranked = partial.sides.map((side) => (cut.bySeries ? mergeSeries(side, resolved) : side));
  const best: Uint32Array[] = [];
  for (const side of ranked) {
    const columns = [...cut.ranks.map((rank) => rankColumn(rank, side)), ...keyOrder(side.keys)];
    best.push(yield* bestSteps(side.groupCount, columns, cut.max));
  }
  const [side] = partial.sides;
  if (side !== undefined && partial.sides.length === 1 && !cut.bySeries) {
    const kept = keepGroups(side, best[0]!, resolved);
    const cutRanks = cutRanksOf(side, best[0]!, resolved);
    return { ...partial, sides: [cutRanks === null ? kept : { ...kept, cutRanks }] };
  }
  const keyed = partial.sides.map((side) => unitsOf(side, resolved));
  const { count, numbersOf } = yield* numberSteps(unitGroups(resolved), [...keyed, ...ranked]);
  const isKept = new Uint8Array(count);
  best.forEach((groups, i) => {
    const numbers = numbersOf[keyed.length + i]!;
    for (let k = 0; k < groups.length; k++) isKept[numbers[groups[k]!]!] = 1;
  });
  const sides = partial.sides.map((side, i) => keepUnits(side, numbersOf[i]!, isKept, resolved));
  return { ...partial, sides };
}

/** Only the groups that the root asked for. */
function* takeAsked(
  partial: PartialResult,
  only: AskedGroups,
  resolved: ResolvedQuery,
): Steps<PartialResult> {
  const asked = { keys: readAskedKeys(only), groupCount: only.groupCount };
  const keyed = partial.sides.map((side) => unitsOf(side, resolved));
  const { count, numbersOf } = yield* numberSteps(unitGroups(resolved), [asked, ...keyed]);
  const isKept = new Uint8Array(count);
  for (const number of numbersOf[0]!) isKept[number] = 1;
  const sides = partial.sides.map((side, i) =>
    keepUnits(side, numbersOf[i + 1]!, isKept, resolved),
  );
  return { ...partial, sides };
}

/** The units of the cut: groups or series. */
const unitGroups = (resolved: ResolvedQuery): ResolvedQuery["groupBy"] =>
  (resolved.cut.bySeries ? withoutTime(resolved) : resolved).groupBy;

function unitsOf(side: PartialSide, resolved: ResolvedQuery): KeyedGroups {
  const keys = resolved.cut.bySeries ? seriesKeys(side.keys, resolved) : side.keys;
  return { keys, groupCount: side.groupCount };
}

/** `numbers`: the unit that each group belongs to. */
function keepUnits(
  side: PartialSide,
  numbers: Int32Array,
  isKept: Uint8Array,
  resolved: ResolvedQuery,
): PartialSide {
  const groups = new Uint32Array(side.groupCount);
  const isDropped = new Uint8Array(isKept.length);
  let used = 0;
  let droppedUnits = 0;
  for (let group = 0; group < groups.length; group++) {
    const number = numbers[group]!;
    if (isKept[number] === 1) groups[used++] = group;
    else if (isDropped[number] === 0) {
      isDropped[number] = 1;
      droppedUnits++;
    }
  }
  const kept = keepGroups(side, groups.subarray(0, used), resolved);
  return resolved.cut.bySeries ? { ...kept, groupsCut: side.groupsCut + droppedUnits } : kept;
}

function keepGroups(side: PartialSide, groups: Uint32Array, resolved: ResolvedQuery): PartialSide {
  const groupsCut = side.groupsCut + side.groupCount - groups.length;
  return { ...takeGroups(side, groups, resolved), groupsCut };
}

/** The ranks of cut groups, including those that are cut now; `kept` is ascending. Null if earlier cuts are unknown. */
function cutRanksOf(
  side: PartialSide,
  kept: Uint32Array,
  { groupBy, cut, sides }: ResolvedQuery,
): Float64Array | null {
  const [rank] = cut.ranks;
  const times = side.keys[groupBy.findIndex(({ kind }) => kind === "time")];
  if (rank?.by.kind !== "state" || !rank.desc || times?.kind !== "bucket") return null;
  const column = side.states[rank.by.stateIndex]!;
  // Other states do not add up; the root never uses their ranks.
  if (column.kind !== "count" && column.kind !== "sum") return null;
  if (side.groupsCut > 0 && side.cutRanks === undefined) return null;
  const ranks = rankColumn(rank, side).ordinals;
  const { indexes } = times;
  const cutRanks = side.cutRanks?.slice() ?? noCutRanks(sides[0]!);
  for (let group = 0, next = 0; group < side.groupCount; group++) {
    if (kept[next] === group) next++;
    else cutRanks[indexes[group]!] = Math.max(cutRanks[indexes[group]!]!, ranks[group]!, 0);
  }
  return cutRanks;
}

function noCutRanks({ buckets }: ResolvedSide): Float64Array {
  if (buckets === null) throw new Error("groups by time have buckets");
  return new Float64Array(edgesOfBuckets(buckets).length - 1).fill(-1);
}

function rankColumn({ by, desc }: Rank, side: PartialSide): OrderColumn {
  switch (by.kind) {
    case "key":
      return keyColumnOrder(side.keys[by.groupIndex]!, { desc });
    case "state": {
      const column = side.states[by.stateIndex]!;
      return { ordinals: column.kind === "count" ? column.values : roughSums(column), desc };
    }
    case "value": {
      // The root must see an overflow, which ends the query: the answer must not depend on the limit.
      const first = desc ? Number.MAX_VALUE : -Number.MAX_VALUE;
      return { ordinals: ordinalsOfValues(valuesOf(by.value, side, first)), desc };
    }
  }
}

function valuesOf(value: FinishValue, side: PartialSide, ofOverflow: number): FinishedValue[] {
  const kind = aggregateKindOf(value);
  if (kind === null) throw new Error("leaves do not rank by calculated numbers");
  return Array.from({ length: side.groupCount }, (_, group) => {
    const found = kind.finish(value, side.states, group);
    return found === "overflow" ? ofOverflow : found;
  });
}
