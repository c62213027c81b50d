import type { AskedGroups, ResolvedQuery } from "../plan/resolvedQuery.js";
import { printAskedKeys } from "./askedKeys.js";
import { GroupTable } from "./groupTable.js";
import { KeyWords } from "./keyWords.js";
import type { PartialResult } from "./partialResult.js";
import { seriesKeys, withoutTime } from "./seriesOf.js";

/**
 * A leaf that cut its groups may have left out its part of a group that another leaf sent: what is merged
 * then is too small, and looks right. These are the groups to ask all leaves for once more; null when no
 * group can lack a part.
 */
export function groupsToAskAgain(
  partials: readonly PartialResult[],
  merge: () => PartialResult,
  resolved: ResolvedQuery,
): AskedGroups | null {
  const wasCut = partials.some(({ sides }) => sides.some(({ groupsCut }) => groupsCut > 0));
  if (!wasCut || partials.length < 2) return null;
  const { cut } = resolved;
  const merged = merge();
  const units = cut.bySeries ? withoutTime(resolved) : resolved;
  const keyWords = new KeyWords(units.groupBy);
  const asked = new GroupTable(keyWords.width, cut.max);
  for (const side of merged.sides) {
    const words = keyWords.encode(cut.bySeries ? seriesKeys(side) : side.keys, side.groupCount);
    for (let at = 0; at < words.length; at += keyWords.width) asked.add(words, at);
  }
  const keys = keyWords.decode(asked.words).map((column) => printAskedKeys(column, asked.count));
  return { groupCount: asked.count, keys };
}
