import { hasFurtherTimes } from "../../aggregate/merge/seriesOf.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { PreCut } from "../task/scanTask.js";

/**
 * The groups that a scan thread may leave out because they rank behind the cut, so that many groups
 * cost little beyond the scan. Only where a rank is one number and sides are not joined later; for
 * series only where the single time bucket is the outermost component. The exact cut follows.
 */
export function choosePreCut(query: ResolvedQuery): PreCut | null {
  const { cut, sides, states } = query;
  const by = cut.ranks[0]?.by;
  if (by?.kind !== "state" || sides.length > 1 || query.only !== undefined) return null;
  const kind = states[by.stateIndex]?.kind;
  if (kind !== "rows" && kind !== "weight" && kind !== "sum") return null;
  const { max, bySeries } = cut;
  if (bySeries && hasFurtherTimes(query)) return null;
  return { stateIndex: by.stateIndex, max, desc: cut.ranks[0]!.desc, bySeries };
}
