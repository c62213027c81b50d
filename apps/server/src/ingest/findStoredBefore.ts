import { HadalError } from "@hadal/sdk";
import type { Attempt } from "./ledger/batchWindow.js";
import type { BatchPlacer } from "./place/batchPlacer.js";
import type { PlacerDeps } from "./place/outgoingBatch.js";
import { storedRanges, wholeRowsMax } from "./read/bodyParts.js";
import type { ReadBody } from "./read/bodyReader.js";
import { partsOf } from "./read/cutBody.js";

/** The rows of one table in a request that may have come before. */
interface RepeatedRows {
  readonly table: string;
  readonly key: string | null;
  readonly body: ReadBody;
  /** Leaves are asked, however old the key is. */
  readonly mayBeStored?: true;
}

/**
 * The batches of a request that came before. Those that the ledger does not know leaves may have
 * stored all the same: it was damaged, or the request came to another gateway. The ledger remembers
 * these from here on.
 */
export async function findStoredBefore(
  { table, key, body, mayBeStored }: RepeatedRows,
  { ledger, others, nowMs }: Pick<PlacerDeps, "ledger" | "others" | "nowMs">,
  placer: BatchPlacer,
  deadlineMs: number,
): Promise<ReadonlyMap<string, Attempt>> {
  if (key === null) return new Map();
  const { batchCount, accepted, requestHash } = body.outcome;
  const ids = Array.from({ length: batchCount }, (_, i) => `${key}/${i}`);
  const known = ledger.findKey(table, key)?.batches;
  const isWhole = accepted <= wholeRowsMax && ids.every((id) => known?.has(id) === true);
  if (known !== undefined && (isWhole || others === undefined)) return known;
  const found =
    ledger.areKeysLost(nowMs()) || (mayBeStored === true && others === undefined)
      ? await findForgotten(table, key, placer)
      : mayBeStored === true || others?.mayHaveStored(table, key) === true
        ? new Map(await placer.findOfOthers(table, key, deadlineMs))
        : new Map<string, Attempt>();
  // What a leaf has refused here may have come to another gateway since.
  for (const batchId of known?.keys() ?? []) found.delete(batchId);
  for (const { batchId, minutes: rows, encode } of await partsOf(body, ids, (id) =>
    storedRanges(id, found),
  )) {
    const attempt = found.get(batchId);
    const { contentHash } = await encode();
    if (attempt?.contentHash !== contentHash) throw new HadalError("idempotency-conflict", { key });
    const { leaf } = attempt;
    const atMs = nowMs();
    const held = { table, batchId, contentHash, leaf, key, requestHash, rows, atMs };
    await ledger.noteHeld(held);
  }
  return new Map([...(known ?? []), ...found]);
}

async function findForgotten(
  table: string,
  key: string,
  placer: BatchPlacer,
): Promise<Map<string, Attempt>> {
  // A hint that the ledger does not list would be stored beside the batch that is sent now.
  await placer.searchHints();
  const found = new Map(await placer.findHeld(table, key));
  if (placer.areHintsKnown) return found;
  const detail =
    "The row-count ledger was damaged, and not all leaves could be asked yet whether rows of this Idempotency-Key are stored already. Send them again a little later.";
  throw new HadalError("unavailable", { detail });
}
