import { HadalError } from "@hadal/sdk";
import type { HeldBatch } from "../table/table.js";
import type { LeafStore } from "./leafStore.js";

type Tables = Pick<LeafStore, "findSettled" | "isUnread">;

/**
 * The batches that the leaf has stored, once all earlier requests are done. Throws where one is not
 * found that may be in an unread file: stored on another leaf, its rows would count twice later.
 */
export async function findBatches(
  store: Tables,
  table: string,
  batchIds: readonly string[],
): Promise<readonly HeldBatch[]> {
  const found = await store.findSettled(table);
  const held = batchIds.flatMap((id) => found?.findBatch(id) ?? []);
  if (held.length < batchIds.length) checkFilesRead(store, table);
  return held;
}

/** The same for all batches of a body: their ids begin with its own and a slash. */
export async function findBatchesOfBody(
  store: Tables,
  table: string,
  idsStart: string,
): Promise<readonly HeldBatch[]> {
  const found = await store.findSettled(table);
  checkFilesRead(store, table);
  return found?.batchesOfBody(idsStart.replace(/\/$/, "")) ?? [];
}

/** Throws where files of the table were left unread. */
export function checkFilesRead(store: Pick<Tables, "isUnread">, table: string): void {
  if (!store.isUnread(table)) return;
  const detail = `Files of ${table} could not be read at the leaf's start; they may hold the batch.`;
  throw new HadalError("unavailable", { detail });
}
