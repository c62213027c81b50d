import { hasFurtherTimes } from "../../aggregate/merge/seriesOf.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { PreCut } from "../task/scanTask.js";

/**
 * What a scan thread may leave out at once, so that a query with many groups costs little beyond its scan:
 * groups that rank behind the cut. Only where a group's rank is a plain number and nothing joins sides later;
 * the exact cut, with ties and further ranks, follows on what is left. Of series only where one time bucket is outermost.
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
