import type { TimeSpan } from "../../base/row/timeSpan.js";
import type { TreeAnswers } from "../../tree/treeAnswers.js";

/** From the first to the last row of the leaves' times with rows thinned by a key; null: there are none. */
export function keyThinnedTimes(answers: TreeAnswers["answers"]): TimeSpan | null {
  let found: TimeSpan | null = null;
  for (const { leaves } of answers) {
    for (const { stats } of leaves) {
      const { thinnedByKey: own } = stats;
      if (own === undefined) continue;
      found = found === null ? own : [Math.min(found[0], own[0]), Math.max(found[1], own[1])];
    }
  }
  return found;
}
