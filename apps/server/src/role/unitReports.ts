import { type UnitSnapshot, unitsOf } from "../base/row/unitSnapshot.js";
import type { LeafStatus, UndecidedBatch } from "../cluster/leafReply.js";
import type { LeafStore } from "../store/leaf/leafStore.js";

/** A gateway decides its units in seconds: after this time it is gone. */
const decidedMsMax = 600_000;

/** The batches of a leaf whose units are not decided. */
export function undecidedBatches({
  tables,
  units,
}: Pick<LeafStore, "tables" | "units">): readonly UndecidedBatch[] {
  const nowMs = performance.now();
  return [...tables].flatMap(({ name, undecided }) =>
    undecided.map(({ receipt: [batchId, contentHash], rows: { stamp, sinceMs } }) => ({
      ...{ table: name, batchId, contentHash, unit: stamp },
      ageMs: Math.round(nowMs - sinceMs),
      ...(units.isUnsure(stamp) && { isUnsure: true as const }),
    })),
  );
}

/** Units that are undecided for too long or in doubt, for the leaf's status. */
export function countOfLong(
  batches: readonly UndecidedBatch[],
): Pick<LeafStatus, "unitsUndecided" | "areUnitsUnsure"> {
  const units = new Set<string>();
  for (const { ageMs, unit, isUnsure } of batches)
    if (ageMs > decidedMsMax || isUnsure === true) units.add(`${unit.number} ${unit.gateway}`);
  const areUnitsUnsure = batches.some(({ isUnsure }) => isUnsure === true);
  return {
    ...(units.size > 0 && { unitsUndecided: units.size }),
    ...(areUnitsUnsure && { areUnitsUnsure }),
  };
}

/** Of the snapshot, the gateways of these units that the query did not name; null: there are none. */
export function snapshotOfOthers(
  snapshot: UnitSnapshot,
  asked: UnitSnapshot = {},
  gateways: ReadonlySet<string>,
): UnitSnapshot | null {
  const others = [...gateways].filter((gateway) => unitsOf(asked, gateway) === undefined);
  if (others.length === 0) return null;
  return Object.fromEntries(
    others.map((gateway) => [gateway, unitsOf(snapshot, gateway) ?? { upTo: 0, except: [] }]),
  );
}
