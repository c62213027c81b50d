import { HadalError } from "@hadal/sdk";
import type { Attempt } from "../ledger/batchWindow.js";
import { answerWithin, askLeaf } from "./askLeaf.js";
import type { LeafTarget } from "./leafTarget.js";
import { leafSilentMs } from "./unconfirmedBatches.js";

/**
 * Batches of a key that were acknowledged with `ack=received`, and that their leaf no longer has: by
 * id, the leaf. Throws `leaf-unreachable` where a leaf cannot say: it may have lost them.
 */
export async function findLost(
  table: string,
  before: ReadonlyMap<string, Attempt>,
  leaves: readonly LeafTarget[],
): Promise<ReadonlyMap<string, string>> {
  const idsOf = new Map<string, string[]>();
  for (const [batchId, { leaf, state, isReceived }] of before)
    if (state === "stored" && isReceived === true)
      idsOf.set(leaf, [...(idsOf.get(leaf) ?? []), batchId]);
  const lost = new Map<string, string>();
  await Promise.all(
    [...idsOf].map(async ([leafId, batchIds]) => {
      const leaf = leaves.find(({ id, state }) => id === leafId && state === "alive");
      if (leaf === undefined) throw new HadalError("leaf-unreachable", { leaf: leafId });
      const request = { kind: "holds", table, batchIds } as const;
      const asking = askLeaf(leaf, request, undefined, (header) =>
        header.kind === "holding" ? header.batches : null,
      );
      const answer = await answerWithin(leafSilentMs, asking);
      if (answer.kind === "refused") throw answer.problem;
      if (answer.kind === "unknown") throw new HadalError("leaf-unreachable", { leaf: leafId });
      const held = new Set(answer.outcome.map(({ batchId }) => batchId));
      for (const batchId of batchIds) if (!held.has(batchId)) lost.set(batchId, leafId);
    }),
  );
  return lost;
}
