import type { SourceSettings } from "@hadal/sdk";
import { checksumOf } from "../database/checksum.js";
import type { RegistryDatabase, RegistryTransaction } from "../database/database.js";

export type StoredSources = readonly (readonly [id: string, settings: SourceSettings])[];

/** In the order of their ids. */
export async function readSources(
  database: RegistryDatabase,
  warn: (text: string) => void,
): Promise<StoredSources> {
  const rows = await database.selectFrom("source").selectAll().orderBy("id").execute();
  return rows.flatMap(({ id, body, checksum }) => {
    if (checksum === checksumOf([id, body]))
      return [[id, JSON.parse(body) as SourceSettings] as const];
    warn(`the settings of source ${id} are damaged: it is not read until they are written again`);
    return [];
  });
}

export async function putSource(
  transaction: RegistryTransaction,
  id: string,
  settings: SourceSettings,
): Promise<void> {
  const body = JSON.stringify(settings);
  const row = { id, body, checksum: checksumOf([id, body]) };
  await transaction
    .insertInto("source")
    .values(row)
    .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
    .execute();
}

/** With its positions. Whether there was one. */
export async function removeSource(transaction: RegistryTransaction, id: string): Promise<boolean> {
  await transaction.deleteFrom("source_position").where("source", "=", id).execute();
  const { numDeletedRows } = await transaction
    .deleteFrom("source")
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
