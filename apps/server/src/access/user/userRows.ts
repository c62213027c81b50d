import type { Role, User } from "@hadal/sdk";
import { checksumOf, DamagedRow } from "../../registry/database/checksum.js";
import type { RegistryDatabase, RegistryTransaction } from "../../registry/database/database.js";
import type { UserRow } from "../../registry/database/tables.js";

type Reader = RegistryDatabase | RegistryTransaction;

/** What is stored of a user beside its checksum and the last sign-in. */
export type UserValues = Omit<UserRow, "checksum" | "last_sign_in_ms">;

/** By name. */
export async function listUserRows(
  database: Reader,
  onDamaged: (damaged: DamagedRow) => void,
): Promise<readonly UserRow[]> {
  const rows = await database
    .selectFrom("user_account")
    .selectAll()
    .orderBy("folded_name")
    .execute();
  return rows.filter((row) => {
    if (isIntact(row)) return true;
    onDamaged(damaged(row));
    return false;
  });
}

/** Null where there is none. Rejects with {@link DamagedRow}. */
export async function findUserRow(
  database: Reader,
  column: "id" | "folded_name" | "setup_hash" | "subject",
  value: string,
): Promise<UserRow | null> {
  const row = await database
    .selectFrom("user_account")
    .selectAll()
    .where(column, "=", value)
    .executeTakeFirst();
  if (row === undefined) return null;
  if (isIntact(row)) return row;
  throw damaged(row);
}

export async function insertUserRow(
  transaction: RegistryTransaction,
  values: UserValues,
): Promise<UserRow> {
  const row = { ...values, last_sign_in_ms: null, checksum: rowChecksum(values) };
  await transaction.insertInto("user_account").values(row).execute();
  return row;
}

export async function replaceUserRow(
  transaction: RegistryTransaction,
  before: UserRow,
  changes: Partial<UserValues>,
): Promise<UserRow> {
  const row = { ...before, ...changes };
  const replaced = { ...row, checksum: rowChecksum(row) };
  await transaction.updateTable("user_account").set(replaced).where("id", "=", before.id).execute();
  return replaced;
}

export async function noteSignIn(
  transaction: RegistryTransaction,
  id: string,
  nowMs: number,
): Promise<void> {
  await transaction
    .updateTable("user_account")
    .set({ last_sign_in_ms: nowMs })
    .where("id", "=", id)
    .execute();
}

export function userOf(row: UserRow): User {
  return {
    ...{ id: row.id, name: row.name, role: row.role as Role, groups: groupsOf(row) },
    state: stateOf(row),
    source: row.source as User["source"],
    ...{ createdMs: row.created_ms, lastSignInMs: row.last_sign_in_ms },
  };
}

export const groupsOf = (row: Pick<UserRow, "user_groups">): readonly string[] =>
  JSON.parse(row.user_groups) as readonly string[];

export const isDisabled = (row: Pick<UserRow, "disabled">): boolean => row.disabled !== 0;

/** Who signs in elsewhere needs no password. */
export const canSignIn = (row: UserRow): boolean =>
  !isDisabled(row) && (row.source !== "password" || row.password_hash !== null);

function stateOf(row: UserRow): User["state"] {
  if (isDisabled(row)) return "disabled";
  return canSignIn(row) ? "active" : "invited";
}

const damaged = ({ id, name }: UserRow): DamagedRow => new DamagedRow(id, `the user ${name}`);

const isIntact = (row: UserRow): boolean => row.checksum === rowChecksum(row);

const rowChecksum = (row: UserValues): string =>
  checksumOf([
    ...[row.id, row.name, row.folded_name, row.role, row.user_groups, row.source],
    ...[row.disabled, row.subject],
    ...[row.password_hash, row.setup_hash, row.setup_expires_ms, row.created_ms, row.changed_ms],
  ]);
