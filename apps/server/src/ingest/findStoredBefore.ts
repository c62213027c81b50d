import { HadalError } from "@hadal/sdk";
import type { IngestRequest } from "./ingestRequest.js";
import type { Attempt } from "./ledger/batchWindow.js";
import type { BatchPlacer } from "./place/batchPlacer.js";
import type { PlacerDeps } from "./place/outgoingBatch.js";
import { storedRanges, wholeRowsMax } from "./read/bodyParts.js";
import type { ReadBody } from "./read/bodyReader.js";
import { partsOf } from "./read/cutBody.js";

/**
 * The batches that leaves have stored of a request whose key the ledger does not know: it was
 * damaged, or the request came to another gateway before. The ledger remembers the key from here on.
 */
export async function findStoredBefore(
  { table, idempotencyKey: key }: IngestRequest,
  body: ReadBody,
  { ledger, others, nowMs }: Pick<PlacerDeps, "ledger" | "others" | "nowMs">,
  placer: BatchPlacer,
): Promise<ReadonlyMap<string, Attempt>> {
  if (key === undefined) return new Map();
  const { batchCount, accepted, requestHash } = body.outcome;
  const ids = Array.from({ length: batchCount }, (_, i) => `${key}/${i}`);
  const found = ledger.areKeysLost(nowMs())
    ? await findForgotten(table, key, placer)
    : others?.mayHaveStored(table, key) === true
      ? await placer.findOfOthers(table, key, accepted <= wholeRowsMax ? ids : null)
      : new Map<string, Attempt>();
  for (const { batchId, minutes: rows, encode } of await partsOf(body, ids, (id) =>
    storedRanges(id, found),
  )) {
    const attempt = found.get(batchId);
    const { contentHash } = await encode();
    if (attempt?.contentHash !== contentHash) throw new HadalError("idempotency-conflict", { key });
    const { leaf } = attempt;
    const atMs = nowMs();
    await ledger.begin({ table, batchId, contentHash, leaf, key, requestHash, rows, atMs });
    // Its rows are counted by whoever sent them, or when the leaf is compared.
    ledger.settle(table, batchId, "known");
  }
  return found;
}

async function findForgotten(
  table: string,
  key: string,
  placer: BatchPlacer,
): Promise<ReadonlyMap<string, Attempt>> {
  // A hint that the ledger does not list would be stored beside the batch that is sent now.
  await placer.searchHints();
  const found = await placer.findHeld(table, key);
  if (placer.areHintsKnown) return found;
  const detail =
    "The row-count ledger was damaged, and not all leaves could be asked yet whether rows of this Idempotency-Key are stored already. Send them again a little later.";
  throw new HadalError("unavailable", { detail });
}
