import type { AskedGroups, Rank, ResolvedQuery } from "../plan/resolvedQuery.js";
import { readAskedKeys } from "./askedKeys.js";
import { distinctOf } from "./distinctState.js";
import { extremeOf } from "./extremeState.js";
import { GroupTable } from "./groupTable.js";
import { percentileOf } from "./histogramState.js";
import { KeyWords } from "./keyWords.js";
import {
  bestFirst,
  keyColumnOrder,
  keyOrder,
  type OrderColumn,
  ordinalsOfValues,
} from "./order.js";
import type { PartialResult, PartialSide, StateColumn } from "./partialResult.js";
import { mergeSeries, seriesKeys, withoutTime } from "./seriesOf.js";
import { stddevOf } from "./squareState.js";
import { averageOf, roughSum } from "./sumState.js";
import { takeGroups } from "./takeGroups.js";

/**
 * Cuts a leaf's answer to its best groups (or series, with all their points). What is among the best of
 * one side stays on both, so that a comparison compares it.
 */
export function cutGroups(partial: PartialResult, resolved: ResolvedQuery): PartialResult {
  const { cut, only } = resolved;
  if (only !== undefined) return takeAsked(partial, only, resolved);
  if (partial.sides.every(({ groupCount }) => groupCount <= cut.max)) return partial;
  const units = cut.bySeries ? withoutTime(resolved) : resolved;
  const keyWords = new KeyWords(units.groupBy);
  const kept = new GroupTable(keyWords.width, cut.max);
  for (const side of partial.sides) {
    const ranked = cut.bySeries ? mergeSeries(side, resolved) : side;
    const words = keyWords.encode(ranked.keys, ranked.groupCount);
    const columns = [
      ...cut.ranks.map((rank) => rankColumn(rank, ranked)),
      ...keyOrder(ranked.keys),
    ];
    for (const group of bestFirst(ranked.groupCount, columns, cut.max)) {
      kept.add(words, group * keyWords.width);
    }
  }
  const sides = partial.sides.map((side) => keepGroups(side, kept, keyWords, resolved));
  return { ...partial, sides };
}

/** The groups that were asked for by name, and nothing else. */
function takeAsked(
  partial: PartialResult,
  only: AskedGroups,
  resolved: ResolvedQuery,
): PartialResult {
  const units = resolved.cut.bySeries ? withoutTime(resolved) : resolved;
  const keyWords = new KeyWords(units.groupBy);
  const kept = new GroupTable(keyWords.width, only.groupCount);
  const words = keyWords.encode(readAskedKeys(only), only.groupCount);
  for (let group = 0; group < only.groupCount; group++) kept.add(words, group * keyWords.width);
  const sides = partial.sides.map((side) => keepGroups(side, kept, keyWords, resolved));
  return { ...partial, sides };
}

function keepGroups(
  side: PartialSide,
  kept: GroupTable,
  keyWords: KeyWords,
  resolved: ResolvedQuery,
): PartialSide {
  const keys = resolved.cut.bySeries ? seriesKeys(side) : side.keys;
  const words = keyWords.encode(keys, side.groupCount);
  const groups = new Uint32Array(side.groupCount);
  const dropped = new GroupTable(keyWords.width, 0);
  let used = 0;
  for (let group = 0; group < side.groupCount; group++) {
    const at = group * keyWords.width;
    if (kept.find(words, at) >= 0) groups[used++] = group;
    else if (resolved.cut.bySeries) dropped.add(words, at);
  }
  const taken = takeGroups(side, groups.subarray(0, used), resolved);
  // Without series every group stands for itself.
  const droppedCount = resolved.cut.bySeries ? dropped.count : side.groupCount - used;
  return { ...taken, groupsCut: side.groupsCut + droppedCount };
}

function rankColumn(rank: Rank, side: PartialSide): OrderColumn {
  const { by, desc } = rank;
  if (by.kind === "key") return keyColumnOrder(side.keys[by.groupIndex]!, desc);
  const column = side.states[by.stateIndex]!;
  // It ends the query at the root, which has to see it: the answer must not depend on the limit.
  const first = desc ? Number.MAX_VALUE : -Number.MAX_VALUE;
  const numberOf = (group: number): number | bigint | null => {
    switch (by.kind) {
      case "state":
        return stateValue(column, group);
      case "average": {
        const average = averageOf(column, group);
        return average === "overflow" ? first : average;
      }
      case "percentile":
        return percentileOf(column, group, by.p);
      case "stddev": {
        const deviation = stddevOf(column, side.states[by.sumIndex]!, group);
        return deviation === "overflow" ? first : deviation;
      }
    }
  };
  const values = Array.from({ length: side.groupCount }, (_, group) => numberOf(group));
  return { ordinals: ordinalsOfValues(values), desc };
}

function stateValue(column: StateColumn, group: number): number | bigint | null {
  switch (column.kind) {
    case "count":
      return column.values[group]!;
    case "sum":
      return roughSum(column, group);
    case "distinct":
      return distinctOf(column, group);
    case "extreme":
      return extremeOf(column, group);
    case "histogram":
    case "squares":
      throw new Error(`${column.kind} states are ranked by what is made of them`);
  }
}
