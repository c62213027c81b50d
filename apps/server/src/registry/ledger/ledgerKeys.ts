import type { RegistryDatabase, RegistryTransaction } from "../database/database.js";
import type { Registry } from "../registry.js";

/** By leaf: what names the batches that it has stored of requests with a key. */
export type StoredKeys = Readonly<Record<string, readonly string[]>>;

export interface AddedKeys {
  /** On the clock of the database. */
  readonly atMs: number;
  readonly keys: StoredKeys;
}

export async function addKeys(
  transaction: RegistryTransaction,
  { nowMs, version }: { readonly nowMs: Registry["nowMs"]; readonly version: number },
  keys: StoredKeys,
): Promise<void> {
  await transaction
    .insertInto("ledger_key")
    .values({ version, at_ms: nowMs, keys: JSON.stringify(keys) })
    .execute();
}

/** Those that were added since a version, oldest first. */
export async function readKeys(
  database: RegistryDatabase,
  sinceVersion: number,
): Promise<readonly AddedKeys[]> {
  const rows = await database
    .selectFrom("ledger_key")
    .selectAll()
    .where("version", ">", sinceVersion)
    .orderBy("version")
    .execute();
  return rows.map(({ at_ms: atMs, keys }) => ({ atMs, keys: JSON.parse(keys) as StoredKeys }));
}
