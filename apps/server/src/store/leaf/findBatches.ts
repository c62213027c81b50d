import { HadalError } from "@hadal/sdk";
import type { BatchReceipt } from "../file/segmentCodec.js";
import type { LeafStore } from "./leafStore.js";

type Tables = Pick<LeafStore, "findSettled" | "isUnread">;

/**
 * Those of the batches that the leaf holds, once everything that was asked for before is stored or refused. Throws where
 * one is not found that may be in files which were left unread: stored elsewhere, it would be there twice when these
 * are read.
 */
export async function findBatches(
  store: Tables,
  table: string,
  batchIds: readonly string[],
): Promise<readonly BatchReceipt[]> {
  const found = await store.findSettled(table);
  const receipts = batchIds.flatMap((id) => {
    const receipt = found?.batches.find(id);
    return receipt === undefined ? [] : [receipt];
  });
  if (receipts.length < batchIds.length) checkFilesRead(store, table);
  return receipts;
}

/** The same of all whose ids begin so. */
export async function findBatchesOfBody(
  store: Tables,
  table: string,
  idsStart: string,
): Promise<readonly BatchReceipt[]> {
  const found = await store.findSettled(table);
  checkFilesRead(store, table);
  return found?.batches.startingWith(idsStart) ?? [];
}

/** Throws where files of the table are there that were not read. */
export function checkFilesRead(store: Pick<Tables, "isUnread">, table: string): void {
  if (!store.isUnread(table)) return;
  const detail = `Files of ${table} could not be read at the leaf's start; they may hold the batch.`;
  throw new HadalError("unavailable", { detail });
}
