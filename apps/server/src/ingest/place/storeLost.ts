import type { Attempt } from "../ledger/batchWindow.js";
import { askLeaf } from "./askLeaf.js";
import type { LeafTarget } from "./leafTarget.js";
import { type EncodedBatch, type PlacerDeps, sentBy } from "./outgoingBatch.js";

/** A part of a request as it was sent before. */
export interface SentPart {
  readonly batchId: string;
  readonly encode: () => Promise<EncodedBatch>;
}

/**
 * Sends parts that were stored to their leaf again where it has lost them since, with its disk. Its rows
 * are still expected there. A leaf that cannot be asked keeps what it may have.
 */
export async function storeLost(
  { leaves, others }: Pick<PlacerDeps, "leaves" | "others">,
  table: string,
  before: ReadonlyMap<string, Attempt>,
  parts: readonly SentPart[],
): Promise<void> {
  for (const leaf of leaves()) {
    const own = parts.filter(({ batchId }) => {
      const attempt = before.get(batchId);
      return attempt?.state === "stored" && attempt.leaf === leaf.id;
    });
    if (own.length === 0 || leaf.state !== "alive") continue;
    const held = await holdsOf(leaf, table, own);
    for (const { batchId, encode } of held === null ? [] : own) {
      const { bytes, contentHash } = await encode();
      // Its columns may have other types since: then it is another batch.
      if (held?.has(batchId) === true || contentHash !== before.get(batchId)?.contentHash) continue;
      const batch = { table, batchId, contentHash, durable: true, ...sentBy(others) };
      const append = { kind: "append", ...batch } as const;
      await askLeaf(leaf, append, bytes, ({ kind }) => (kind === "appended" ? true : null));
    }
  }
}

/** Which of these parts the leaf has; null: it does not say. */
async function holdsOf(
  leaf: LeafTarget,
  table: string,
  parts: readonly SentPart[],
): Promise<ReadonlySet<string> | null> {
  const batchIds = parts.map(({ batchId }) => batchId);
  const request = { kind: "holds", table, batchIds } as const;
  const answer = await askLeaf(leaf, request, undefined, (header) =>
    header.kind === "holding" ? header.batches : null,
  );
  if (answer.kind !== "answered") return null;
  return new Set(answer.outcome.map(({ batchId }) => batchId));
}
