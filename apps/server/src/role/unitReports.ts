import { type UnitSnapshot, unitsOf } from "../base/row/unitSnapshot.js";
import type { LeafStatus, UndecidedBatch } from "../cluster/leafReply.js";
import type { Table } from "../store/table/table.js";

/** A gateway decides its units in seconds: after this time it is gone. */
const decidedMsMax = 600_000;

/** The batches of a leaf whose units are not decided. */
export function undecidedBatches(tables: Iterable<Table>): readonly UndecidedBatch[] {
  const nowMs = performance.now();
  return [...tables].flatMap(({ name, undecided }) =>
    undecided.map(({ receipt: [batchId, contentHash], rows: { stamp, sinceMs } }) => ({
      ...{ table: name, batchId, contentHash, unit: stamp },
      ageMs: Math.round(nowMs - sinceMs),
    })),
  );
}

/** Units that are undecided for too long, for the leaf's status. */
export function countOfLong(
  batches: readonly UndecidedBatch[],
): Pick<LeafStatus, "unitsUndecided"> {
  const units = new Set<string>();
  for (const { ageMs, unit } of batches)
    if (ageMs > decidedMsMax) units.add(`${unit.number} ${unit.gateway}`);
  return units.size === 0 ? {} : { unitsUndecided: units.size };
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
