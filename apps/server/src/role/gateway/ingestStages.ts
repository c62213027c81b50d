import type { IngestStage } from "@hadal/sdk";
import type { LeafConnection } from "../../cluster/leafConnection.js";
import type { BatchIntent } from "../../ingest/ledger/ledgerEvents.js";
import { totalOf } from "../../ingest/ledger/minuteCounts.js";

const stages = ["accepted", "durable", "open", "sealed", "merged"] as const;

/**
 * The stages of rows from this gateway to the merged segments of all leaves. `nowMs` is of the clock
 * of the intents.
 */
export function ingestStages(
  pending: readonly Pick<BatchIntent, "rows" | "atMs">[],
  leaves: readonly Pick<LeafConnection, "status">[],
  nowMs: number,
): readonly IngestStage[] {
  const accepted: readonly IngestStage[] = pending.map(({ rows, atMs }) => ({
    stage: "accepted",
    rows: totalOf(rows),
    lagMs: Math.max(0, nowMs - atMs),
  }));
  const all = [...accepted, ...leaves.flatMap(({ status }) => status?.stages ?? [])];
  return stages.map((stage) => {
    const own = all.filter((one) => one.stage === stage);
    return {
      stage,
      rows: own.reduce((sum, { rows }) => sum + rows, 0),
      lagMs: own.reduce((most, { lagMs }) => Math.max(most, lagMs), 0),
    };
  });
}
