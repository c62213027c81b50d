import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { KeyColumn, PartialSide } from "../partial/partialResult.js";
import { numberGroups } from "./numberGroups.js";

/** Groups of all sides, full outer join: each key once. */
export interface JoinedGroups {
  readonly count: number;
  readonly keys: readonly KeyColumn[];
  /** Per side: where it has each group, or -1. */
  readonly positions: readonly Int32Array[];
}

/** Joins the sides of a comparison by key; the main side's groups come first. Without group by there is always one group. */
export function joinSides(sides: readonly PartialSide[], resolved: ResolvedQuery): JoinedGroups {
  const [only] = sides;
  if (only !== undefined && sides.length === 1 && resolved.groupBy.length > 0) return alone(only);
  const numbered = numberGroups(resolved.groupBy, sides);
  const count = resolved.groupBy.length === 0 ? 1 : numbered.count;
  return {
    count,
    keys: resolved.groupBy.length === 0 ? [] : numbered.keys(),
    positions: numbered.numbersOf.map((groups) => {
      const positions = new Int32Array(count).fill(-1);
      for (let i = 0; i < groups.length; i++) positions[groups[i]!] = i;
      return positions;
    }),
  };
}

/** A merged side has each key once: nothing to join. */
function alone({ groupCount, keys }: PartialSide): JoinedGroups {
  const positions = new Int32Array(groupCount);
  for (let i = 0; i < groupCount; i++) positions[i] = i;
  return { count: groupCount, keys, positions: [positions] };
}
