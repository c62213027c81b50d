import { checksumOf } from "../../registry/database/checksum.js";
import type { RegistryDatabase, RegistryTransaction } from "../../registry/database/database.js";
import type { SessionRow } from "../../registry/database/tables.js";

export type SessionValues = Omit<SessionRow, "checksum">;

export async function listSessionRows(
  database: RegistryDatabase,
  warn: (text: string) => void,
): Promise<readonly SessionValues[]> {
  const rows = await database.selectFrom("session").selectAll().execute();
  const intact = rows.filter((row) => row.checksum === rowChecksum(row));
  if (intact.length < rows.length)
    warn(`${rows.length - intact.length} sessions are damaged; their users sign in again`);
  return intact.map(({ checksum: _, ...values }) => values);
}

export async function insertSessionRow(
  transaction: RegistryTransaction,
  values: SessionValues,
): Promise<void> {
  await transaction
    .insertInto("session")
    .values({ ...values, checksum: rowChecksum(values) })
    .execute();
}

export async function noteLastSeen(
  transaction: RegistryTransaction,
  seen: Iterable<readonly [hash: string, lastSeenMs: number]>,
): Promise<void> {
  for (const [hash, last_seen_ms] of seen)
    await transaction
      .updateTable("session")
      .set({ last_seen_ms })
      .where("hash", "=", hash)
      .where("last_seen_ms", "<", last_seen_ms)
      .execute();
}

export async function removeSession(transaction: RegistryTransaction, hash: string): Promise<void> {
  await transaction.deleteFrom("session").where("hash", "=", hash).execute();
}

export async function removeSessionsOfUser(
  transaction: RegistryTransaction,
  userId: string,
): Promise<void> {
  await transaction.deleteFrom("session").where("user_id", "=", userId).execute();
}

/** Those that have ended by themselves. */
export async function removeEndedSessions(
  transaction: RegistryTransaction,
  { nowMs, idleMs }: { readonly nowMs: number; readonly idleMs: number },
): Promise<void> {
  await transaction
    .deleteFrom("session")
    .where(({ or, eb }) =>
      or([eb("expires_ms", "<=", nowMs), eb("last_seen_ms", "<=", nowMs - idleMs)]),
    )
    .execute();
}

/** All but the newest of a user. */
export async function removeOldSessions(
  transaction: RegistryTransaction,
  userId: string,
  keptCount: number,
): Promise<void> {
  const rows = await transaction
    .selectFrom("session")
    .select("hash")
    .where("user_id", "=", userId)
    .orderBy("last_seen_ms", "desc")
    .execute();
  for (const { hash } of rows.slice(keptCount)) await removeSession(transaction, hash);
}

const rowChecksum = (row: Omit<SessionValues, "last_seen_ms">): string =>
  checksumOf([row.hash, row.user_id, row.created_ms, row.expires_ms]);
