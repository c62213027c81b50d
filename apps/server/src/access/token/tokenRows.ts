import type { TokenInfo } from "@hadal/sdk";
import { checksumOf } from "../../registry/database/checksum.js";
import type { RegistryDatabase, RegistryTransaction } from "../../registry/database/database.js";
import type { TokenRow } from "../../registry/database/tables.js";

export type TokenValues = Omit<TokenRow, "checksum">;

/** Those that were not revoked, the newest first. */
export async function listTokenRows(
  database: RegistryDatabase,
  warn: (text: string) => void,
): Promise<readonly TokenRow[]> {
  const rows = await database
    .selectFrom("token")
    .selectAll()
    .where("revoked_ms", "is", null)
    .orderBy("created_ms", "desc")
    .orderBy("id")
    .execute();
  return rows.filter((row) => {
    if (row.checksum === rowChecksum(row)) return true;
    warn(`the token ${row.id} is damaged and not valid`);
    return false;
  });
}

export async function insertTokenRow(
  transaction: RegistryTransaction,
  values: TokenValues,
): Promise<void> {
  await transaction
    .insertInto("token")
    .values({ ...values, checksum: rowChecksum(values) })
    .execute();
}

/** The row before; undefined where there is none that was not revoked. A damaged one can be revoked too. */
export async function revokeTokenRow(
  transaction: RegistryTransaction,
  id: string,
  revoked_ms: number,
): Promise<TokenRow | undefined> {
  const row = await transaction
    .selectFrom("token")
    .selectAll()
    .where("id", "=", id)
    .where("revoked_ms", "is", null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const changed = { ...row, revoked_ms };
  await transaction
    .updateTable("token")
    .set({ revoked_ms, checksum: rowChecksum(changed) })
    .where("id", "=", id)
    .execute();
  return row;
}

export async function noteLastUse(
  transaction: RegistryTransaction,
  used: Iterable<readonly [id: string, usedMs: number]>,
): Promise<void> {
  for (const [id, last_used_ms] of used)
    await transaction.updateTable("token").set({ last_used_ms }).where("id", "=", id).execute();
}

export const tokenInfoOf = (row: TokenValues): TokenInfo => ({
  ...{ id: row.id, name: row.name, scopes: JSON.parse(row.scopes) as readonly string[] },
  ...{ createdMs: row.created_ms, createdBy: row.created_by },
  ...{ expires: row.expires_ms, lastUsed: row.last_used_ms },
});

const rowChecksum = (row: TokenValues): string =>
  checksumOf([
    ...[row.id, row.name, row.hash, row.scopes, row.created_ms, row.created_by],
    ...[row.expires_ms, row.revoked_ms],
  ]);
