import type { AskedGroups, ResolvedQuery } from "../plan/resolvedQuery.js";
import { printAskedKeys } from "./askedKeys.js";
import { GroupTable } from "./groupTable.js";
import { KeyWords } from "./keyWords.js";
import type { PartialResult } from "./partialResult.js";
import { seriesKeys, withoutTime } from "./seriesOf.js";

/** What one leaf has said. A leaf that is not done has said nothing whole. */
export interface LeafPart {
  readonly leafId: string;
  readonly partial: PartialResult;
  readonly done: boolean;
}

/** What each leaf is to be asked once more. */
export interface SecondQuestion {
  of(leafId: string): AskedGroups;
}

/**
 * A leaf that cut its groups may have left out its part of a group that another leaf sent: what is merged
 * then is too small, and looks right. So each leaf is asked for the groups that others sent and it did not
 * (one that cut nothing for none, one that is not done for all). Null when no group can lack a part.
 */
export function groupsToAskAgain(
  parts: readonly LeafPart[],
  resolved: ResolvedQuery,
): SecondQuestion | null {
  const isCut = ({ partial }: LeafPart) => partial.sides.some(({ groupsCut }) => groupsCut > 0);
  if (!parts.some(isCut) || parts.length < 2) return null;
  const bySeries = resolved.cut.bySeries;
  const keyWords = new KeyWords((bySeries ? withoutTime(resolved) : resolved).groupBy);
  const { width } = keyWords;
  const all = new GroupTable(width, resolved.cut.max);
  /** Of leaves that are done: the groups they sent. */
  const sentBy = new Map<string, readonly Uint32Array[]>();
  for (const part of parts) {
    const sent = part.partial.sides.map((side) => {
      const words = keyWords.encode(bySeries ? seriesKeys(side) : side.keys, side.groupCount);
      const groups = new Uint32Array(side.groupCount);
      for (let i = 0; i < groups.length; i++) groups[i] = all.add(words, i * width);
      return groups;
    });
    if (part.done) sentBy.set(part.leafId, sent);
  }
  const whole = new Set(parts.flatMap((part) => (part.done && !isCut(part) ? part.leafId : [])));
  const allWords = all.words;
  return {
    of(leafId) {
      if (whole.has(leafId)) return print(keyWords, new Int32Array(0));
      const isSent = new Uint8Array(all.count);
      for (const groups of sentBy.get(leafId) ?? []) {
        for (let i = 0; i < groups.length; i++) isSent[groups[i]!] = 1;
      }
      let used = 0;
      const words = new Int32Array(allWords.length);
      for (let group = 0; group < isSent.length; group++) {
        if (isSent[group] === 1) continue;
        for (let at = group * width; at < (group + 1) * width; at++) words[used++] = allWords[at]!;
      }
      return print(keyWords, words.subarray(0, used));
    },
  };
}

function print(keyWords: KeyWords, words: Int32Array): AskedGroups {
  const groupCount = words.length / keyWords.width;
  const keys = keyWords.decode(words).map((column) => printAskedKeys(column, groupCount));
  return { groupCount, keys };
}

/**
 * A leaf's first answer and its second, as parts to merge: the second holds groups that the first cut off,
 * which are cut off no more.
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

/** How many groups (series, when the cut is by series) a side has. */
function unitsOf(side: PartialResult["sides"][number], resolved: ResolvedQuery): number {
  if (!resolved.cut.bySeries) return side.groupCount;
  const keyWords = new KeyWords(withoutTime(resolved).groupBy);
  const words = keyWords.encode(seriesKeys(side), side.groupCount);
  const series = new GroupTable(keyWords.width, 0);
  for (let group = 0; group < side.groupCount; group++) series.add(words, group * keyWords.width);
  return series.count;
}
