import type { Grant } from "@hadal/sdk";
import { checksumOf } from "../../registry/database/checksum.js";
import type { RegistryDatabase, RegistryTransaction } from "../../registry/database/database.js";

/** The grants in their order; null where one of them is damaged: what it hides is not known. */
export async function readGrants(
  database: RegistryDatabase | RegistryTransaction,
): Promise<readonly Grant[] | null> {
  const rows = await database.selectFrom("table_grant").selectAll().orderBy("number").execute();
  const isIntact = rows.every(
    ({ number, body, checksum }) => checksum === checksumOf([number, body]),
  );
  return isIntact ? rows.map(({ body }) => JSON.parse(body) as Grant) : null;
}

/** SQLite limits the values of a statement. */
const rowsAtOnce = 500;

/** In the place of all that there were. */
export async function replaceGrants(
  transaction: RegistryTransaction,
  grants: readonly Grant[],
): Promise<void> {
  await transaction.deleteFrom("table_grant").execute();
  const rows = grants.map((grant, number) => {
    const body = JSON.stringify(grant);
    return { number, body, checksum: checksumOf([number, body]) };
  });
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const values = rows.slice(from, from + rowsAtOnce);
    await transaction.insertInto("table_grant").values(values).execute();
  }
}

/** Those by which the user is named; groups stay. */
export async function removeGrantsOfUser(
  transaction: RegistryTransaction,
  isNamed: (user: string) => boolean,
): Promise<void> {
  const grants = await readGrants(transaction);
  if (grants === null) return;
  const kept = grants.filter(({ user }) => user === undefined || !isNamed(user));
  if (kept.length < grants.length) await replaceGrants(transaction, kept);
}
