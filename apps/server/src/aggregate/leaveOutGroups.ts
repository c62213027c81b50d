import type { AskedGroups, ResolvedQuery } from "../plan/resolvedQuery.js";
import { readAskedKeys } from "./askedKeys.js";
import { GroupTable } from "./groupTable.js";
import { KeyWords } from "./keyWords.js";
import type { PartialResult, PartialSide } from "./partialResult.js";
import { seriesKeys, withoutTime } from "./seriesOf.js";
import { takeGroups } from "./takeGroups.js";

/** The parts without these groups (or series, with all their points), which count as cut off. */
export function leaveOutGroups(
  parts: readonly PartialResult[],
  left: readonly AskedGroups[],
  resolved: ResolvedQuery,
): readonly PartialResult[] {
  const { bySeries } = resolved.cut;
  const keyWords = new KeyWords((bySeries ? withoutTime(resolved) : resolved).groupBy);
  const { width } = keyWords;
  const out = new GroupTable(width, 0);
  for (const asked of left) {
    const words = keyWords.encode(readAskedKeys(asked), asked.groupCount);
    for (let group = 0; group < asked.groupCount; group++) out.add(words, group * width);
  }
  if (out.count === 0) return parts;
  const withoutOut = (side: PartialSide): PartialSide => {
    const words = keyWords.encode(bySeries ? seriesKeys(side) : side.keys, side.groupCount);
    const kept = new Uint32Array(side.groupCount);
    let used = 0;
    for (let group = 0; group < side.groupCount; group++) {
      if (out.find(words, group * width) < 0) kept[used++] = group;
    }
    const taken = takeGroups(side, kept.subarray(0, used), resolved);
    return { ...taken, groupsCut: side.groupsCut + out.count };
  };
  return parts.map((part) => ({ ...part, sides: part.sides.map(withoutOut) }));
}
