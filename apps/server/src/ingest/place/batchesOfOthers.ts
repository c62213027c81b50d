import { crc32 } from "node:zlib";
import { HadalError } from "@hadal/sdk";
import type { Attempt } from "../ledger/batchWindow.js";
import { answerWithin, askLeaf } from "./askLeaf.js";
import type { LeafTarget } from "./leafTarget.js";
import type { OtherPlacers } from "./outgoingBatch.js";
import { leafSilentMs } from "./unconfirmedBatches.js";

/**
 * Batches of a body that leaves have stored for another gateway. Leaves that do not answer are left
 * out: they get no rows either. `ids`: those of its batches, where each is stored as a whole.
 * Throws `unavailable` while another gateway does not know whether a leaf has one.
 */
export async function findOfOthers(
  { table, bodyId, ids }: { table: string; bodyId: string; ids: readonly string[] | null },
  leaves: readonly LeafTarget[],
  others: OtherPlacers,
): Promise<ReadonlyMap<string, Attempt>> {
  const request =
    ids === null
      ? ({ kind: "holdsOfBody", table, idsStart: `${bodyId}/` } as const)
      : ({ kind: "holds", table, batchIds: ids } as const);
  const found = new Map<string, Attempt>();
  await Promise.all(
    leaves
      .filter(({ state }) => state === "alive")
      .map(async (leaf) => {
        const asking = askLeaf(leaf, request, undefined, (header) =>
          header.kind === "holding" ? header.batches : null,
        );
        const answer = await answerWithin(leafSilentMs, asking);
        if (answer.kind !== "answered") return;
        for (const { batchId, contentHash } of answer.outcome)
          found.set(batchId, { leaf: leaf.id, contentHash, state: "stored" });
      }),
  );
  if (others.isOpenElsewhere(table, `${bodyId}/`)) {
    const detail =
      "Rows of this Idempotency-Key came through another gateway, and their leaf has not answered yet. Send them again a little later.";
    throw new HadalError("unavailable", { detail });
  }
  return found;
}

/**
 * The leaf for a batch of a key: all gateways choose the same, which stores one of two that come at
 * once. Null: there is none.
 */
export function leafOfKey(batchId: string, leaves: readonly LeafTarget[]): string | null {
  let best: { readonly id: string; readonly weight: number } | null = null;
  for (const { id, freeBytes } of leaves) {
    const weight = crc32(`${batchId}\n${id}`);
    if (freeBytes > 0 && (best === null || weight > best.weight)) best = { id, weight };
  }
  return best?.id ?? null;
}
