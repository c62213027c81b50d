import {
  covers,
  emptySnapshot,
  mergeSnapshots,
  snapshotOfQuery,
  type UnitSnapshot,
  unitsOf,
} from "../base/row/unitSnapshot.js";
import type { LeafReport } from "../cluster/treeProtocol.js";

/** What leaves have shown: what they were asked for, and what they knew of gateways beyond. */
export const shownBy = (
  leaves: readonly LeafReport[],
  asked: UnitSnapshot = emptySnapshot,
): UnitSnapshot =>
  leaves.reduce(
    (shown, { stats }) =>
      stats.snapshot === undefined ? shown : mergeSnapshots(shown, ownOf(stats.snapshot, asked)),
    asked,
  );

/** Whether each of them has shown all of that: else one shows a unit of which another hides a part. */
export function haveShown(
  shown: UnitSnapshot,
  leaves: readonly LeafReport[],
  asked: UnitSnapshot,
): boolean {
  // No leaf knew of others: that is so wherever there is one gateway.
  if (shown === asked) return true;
  return leaves.every(({ stats }) =>
    covers(snapshotOfQuery(asked, stats.snapshot ?? emptySnapshot), shown),
  );
}

/** What a leaf says of gateways that it was not asked for. */
const ownOf = (snapshot: UnitSnapshot, asked: UnitSnapshot): UnitSnapshot =>
  Object.fromEntries(
    Object.entries(snapshot).filter(([gateway]) => unitsOf(asked, gateway) === undefined),
  );
