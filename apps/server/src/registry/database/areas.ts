import type { RegistryTransaction } from "./database.js";

/** What changes together, and is read again together. */
export type RegistryArea =
  | "functions"
  | "documents"
  | "links"
  | "tables"
  | "people"
  | "sessions"
  | "tokens"
  | "grants"
  | "embeds"
  | "sources";

/** So that every process reads the area again. */
export async function raiseRevision(
  transaction: RegistryTransaction,
  name: RegistryArea,
): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable("area")
    .set((expression) => ({ revision: expression("revision", "+", 1) }))
    .where("name", "=", name)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  await transaction.insertInto("area").values({ name, revision: 1 }).execute();
}
