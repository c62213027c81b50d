import { randomUUID } from "node:crypto";
import type { LeafStore } from "../leaf/leafStore.js";
import type { Table } from "../table/table.js";
import { batchOfRows, type PlainRow } from "./plainRows.js";

/** Appends the rows to the table `t`, and seals them as a segment of their own. */
export async function appendSealed(
  store: LeafStore,
  rows: readonly PlainRow[],
  batchId: string = randomUUID(),
): Promise<Table> {
  const table = await store.findOrCreate("t");
  await table.append({ batch: batchOfRows(rows), batchId, contentHash: "hash" });
  // The writer is at rest in the next turn.
  await new Promise(setImmediate);
  table.sealOpen();
  while (table.openGeneration !== null) await new Promise(setImmediate);
  return table;
}
