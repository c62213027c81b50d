import { HadalError } from "@hadal/sdk";
import type { BatchMark } from "../file/segmentCodec.js";
import type { LeafStore } from "./leafStore.js";

type Tables = Pick<LeafStore, "findSettled" | "isUnread">;

/**
 * Those of the batches that the leaf holds, once everything that was asked for before is stored or refused. Throws where
 * one is not found that may be in files which were left unread: stored elsewhere, it would be there twice when these
 * are read.
 */
export async function findHeld(
  store: Tables,
  table: string,
  batchIds: readonly string[],
): Promise<readonly BatchMark[]> {
  const found = await store.findSettled(table);
  const marks = batchIds.flatMap((id) => {
    const mark = found?.batches.find(id);
    return mark === undefined ? [] : [mark];
  });
  if (marks.length < batchIds.length) checkRead(store, table);
  return marks;
}

/** The same of all whose ids begin so. */
export async function findHeldOfBody(
  store: Tables,
  table: string,
  idsStart: string,
): Promise<readonly BatchMark[]> {
  const found = await store.findSettled(table);
  checkRead(store, table);
  return found?.batches.startingWith(idsStart) ?? [];
}

/** Throws where files of the table are there that were not read. */
export function checkRead(store: Pick<Tables, "isUnread">, table: string): void {
  if (!store.isUnread(table)) return;
  const detail = `Files of ${table} could not be read at the leaf's start; they may hold the batch.`;
  throw new HadalError("unavailable", { detail });
}
