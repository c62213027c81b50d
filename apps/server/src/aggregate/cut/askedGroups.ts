import type { AskedGroups, ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { NumberedGroups } from "../key/numberedGroups.js";
import { numberGroups } from "../key/numberGroups.js";
import { seriesKeys, withoutTime } from "../merge/seriesOf.js";
import type { PartialResult } from "../partial/partialResult.js";
import { printAskedKeys } from "./askedKeys.js";

/**
 * The answer of a leaf, or of several that an aggregator merged. If it is not done, no number of it
 * is complete.
 */
export interface AnswerPart {
  readonly partId: string;
  readonly partial: PartialResult;
  readonly done: boolean;
}

/** The second question to each part. */
export interface SecondQuestion {
  of(partId: string): AskedGroups;
}

/**
 * A leaf that cut its groups may have left out its part of a group that another leaf sent; the merged number
 * would be too small. So each leaf is asked for the groups that only others sent (a leaf that cut nothing for
 * none, a leaf that is not done for all). Null when no group can lack a part.
 */
export function groupsToAskAgain(
  parts: readonly AnswerPart[],
  resolved: ResolvedQuery,
): SecondQuestion | null {
  const isCut = ({ partial }: AnswerPart) => partial.sides.some(({ groupsCut }) => groupsCut > 0);
  if (!parts.some(isCut) || parts.length < 2) return null;
  const { bySeries } = resolved.cut;
  const sides = parts.flatMap(({ partial }) => partial.sides);
  const keyed = sides.map((side) => ({
    keys: bySeries ? seriesKeys(side.keys, resolved) : side.keys,
    groupCount: side.groupCount,
  }));
  const numbered = numberGroups((bySeries ? withoutTime(resolved) : resolved).groupBy, keyed);
  /** The groups that leaves sent which are done. */
  const sentBy = new Map<string, readonly Int32Array[]>();
  let first = 0;
  for (const { partId, partial, done } of parts) {
    const end = first + partial.sides.length;
    if (done) sentBy.set(partId, numbered.numbersOf.slice(first, end));
    first = end;
  }
  const whole = new Set(parts.flatMap((part) => (part.done && !isCut(part) ? part.partId : [])));
  return createQuestion(numbered, sentBy, whole, null);
}

/** Asks each leaf for the groups that it did not send, except those that are `whole`; with `isAsked` only for these. */
export function createQuestion(
  numbered: NumberedGroups,
  sentBy: ReadonlyMap<string, readonly Int32Array[]>,
  whole: ReadonlySet<string>,
  isAsked: Uint8Array | null,
): SecondQuestion {
  return {
    of(partId) {
      const wanted = new Uint32Array(whole.has(partId) ? 0 : numbered.count);
      if (wanted.length === 0) return printGroups(numbered, wanted);
      const isSent = new Uint8Array(numbered.count);
      for (const groups of sentBy.get(partId) ?? []) {
        for (let i = 0; i < groups.length; i++) isSent[groups[i]!] = 1;
      }
      let used = 0;
      for (let group = 0; group < wanted.length; group++) {
        if (isSent[group] === 0 && (isAsked === null || isAsked[group] === 1)) {
          wanted[used++] = group;
        }
      }
      return printGroups(numbered, wanted.subarray(0, used));
    },
  };
}

function printGroups(numbered: NumberedGroups, groups: Uint32Array): AskedGroups {
  const groupCount = groups.length;
  const keys = numbered.keysOf(groups).map((column) => printAskedKeys(column, groupCount));
  return { groupCount, keys };
}

/**
 * A leaf's first and second answer, as parts to merge. The second contains groups that the first cut off; they
 * no longer count as cut off.
 */
export function joinParts(
  first: PartialResult,
  second: PartialResult,
  resolved: ResolvedQuery,
): readonly PartialResult[] {
  const found = second.sides.map((side) => unitsOf(side, resolved));
  const sides = first.sides.map((side, i) => ({
    ...side,
    groupsCut: Math.max(0, side.groupsCut - found[i]!),
  }));
  const rest = second.sides.map((side) => ({ ...side, groupsCut: 0 }));
  return [
    { ...first, sides },
    { ...second, sides: rest },
  ];
}

/** The same if the first answer was reduced to the groups that may be shown: the second's groups did not count as cut off. */
export function joinDecided(first: PartialResult, second: PartialResult): readonly PartialResult[] {
  const sides = second.sides.map((side) => ({ ...side, groupsCut: 0 }));
  return [first, { ...second, sides }];
}

/** How many groups (series, when the cut is by series) a side has. */
function unitsOf(side: PartialResult["sides"][number], resolved: ResolvedQuery): number {
  if (!resolved.cut.bySeries) return side.groupCount;
  const keyed = { keys: seriesKeys(side.keys, resolved), groupCount: side.groupCount };
  return numberGroups(withoutTime(resolved).groupBy, [keyed]).count;
}
