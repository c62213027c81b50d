import { type EmbedInfo, type EmbedKey, type EmbedScope, embedExpiresMsMax } from "@hadal/sdk";
import { checksumOf } from "../../registry/database/checksum.js";
import type { RegistryDatabase, RegistryTransaction } from "../../registry/database/database.js";
import type { EmbedKeyRow, EmbedRow } from "../../registry/database/tables.js";
import type { EmbedOwner } from "./embedOwner.js";

/** An embed, and whose rights bound it. */
export interface KnownEmbed extends EmbedInfo {
  readonly owner: EmbedOwner;
}

export interface KnownEmbedKey extends EmbedKey {
  readonly owner: EmbedOwner;
  /** `d` of its JWK; null: another program signs with it. */
  readonly privateKey: string | null;
}

type Warn = (text: string) => void;

/** Those that were not revoked before that time, the newest first. */
export async function listEmbedRows(
  database: RegistryDatabase,
  { revokedSinceMs, warn }: { readonly revokedSinceMs: number; readonly warn: Warn },
): Promise<readonly KnownEmbed[]> {
  const rows = await database
    .selectFrom("embed")
    .selectAll()
    .where((is) => is.or([is("revoked_ms", "is", null), is("revoked_ms", ">", revokedSinceMs)]))
    .orderBy("created_ms", "desc")
    .orderBy("id")
    .execute();
  return rows.filter((row) => isIntact(row, row.id, warn)).map(embedOf);
}

export async function insertEmbedRow(
  transaction: RegistryTransaction,
  embed: KnownEmbed,
): Promise<void> {
  const { id, scope, owner, createdMs, createdBy, revokedMs } = embed;
  const values = {
    ...{ id, scope: JSON.stringify(scope), owner: JSON.stringify(owner) },
    ...{ created_ms: createdMs, created_by: createdBy, revoked_ms: revokedMs },
  };
  const row = { ...values, checksum: rowChecksum(values) };
  await transaction.insertInto("embed").values(row).execute();
}

/** Undefined where there is none that was not revoked. */
export async function findEmbedRow(
  database: RegistryDatabase,
  id: string,
  warn: Warn,
): Promise<KnownEmbed | undefined> {
  const row = await database
    .selectFrom("embed")
    .selectAll()
    .where("id", "=", id)
    .where("revoked_ms", "is", null)
    .executeTakeFirst();
  return row !== undefined && isIntact(row, row.id, warn) ? embedOf(row) : undefined;
}

export async function revokeEmbedRow(
  transaction: RegistryTransaction,
  id: string,
  revoked_ms: number,
): Promise<void> {
  const row = await transaction
    .selectFrom("embed")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const { checksum: _, ...values } = { ...row, revoked_ms };
  const changed = { revoked_ms, checksum: rowChecksum(values) };
  await transaction.updateTable("embed").set(changed).where("id", "=", id).execute();
}

/** Those whose tokens may be valid, the newest first. */
export async function listKeyRows(
  database: RegistryDatabase,
  { endedSinceMs, warn }: { readonly endedSinceMs: number; readonly warn: Warn },
): Promise<readonly KnownEmbedKey[]> {
  const rows = await database
    .selectFrom("embed_key")
    .selectAll()
    .where((is) => is.or([is("ends_ms", "is", null), is("ends_ms", ">", endedSinceMs)]))
    .orderBy("created_ms", "desc")
    .orderBy("kid")
    .execute();
  return rows.filter((row) => isIntact(row, row.kid, warn)).map(keyOf);
}

export async function insertKeyRow(
  transaction: RegistryTransaction,
  key: KnownEmbedKey,
): Promise<void> {
  const { kid, name, x, privateKey, tables, frameAncestors, owner } = key;
  const values = {
    ...{ kid, name, public_key: x, private_key: privateKey },
    ...{ bounds: JSON.stringify({ tables, frameAncestors }), owner: JSON.stringify(owner) },
    ...{ created_ms: key.createdMs, created_by: key.createdBy, ends_ms: key.endsMs },
  };
  const row = { ...values, checksum: rowChecksum(values) };
  await transaction.insertInto("embed_key").values(row).execute();
}

/** A host's key ends then, or the server's own that are in use. */
export async function endKeys(
  transaction: RegistryTransaction,
  which: { readonly kid: string } | "of the server",
  ends_ms: number,
): Promise<void> {
  const inUse = transaction.selectFrom("embed_key").selectAll().where("ends_ms", "is", null);
  const rows = await (which === "of the server"
    ? inUse.where("private_key", "is not", null)
    : inUse.where("kid", "=", which.kid)
  ).execute();
  for (const row of rows) {
    const { checksum: _, ...values } = { ...row, ends_ms };
    const changed = { ends_ms, checksum: rowChecksum(values) };
    await transaction.updateTable("embed_key").set(changed).where("kid", "=", row.kid).execute();
  }
}

/** Removes keys of which no token can be valid, and one that has ended where a new one takes its `kid`. */
export async function removeEndedKeys(
  transaction: RegistryTransaction,
  { kid, nowMs }: { readonly kid: string; readonly nowMs: number },
): Promise<void> {
  await transaction
    .deleteFrom("embed_key")
    .where((is) =>
      is.or([
        is("ends_ms", "<=", nowMs - embedExpiresMsMax),
        is.and([is("kid", "=", kid), is("ends_ms", "<=", nowMs)]),
      ]),
    )
    .execute();
}

/** Its tokens are not valid any more. */
export const hasEnded = ({ endsMs }: EmbedKey, nowMs: number): boolean =>
  endsMs !== null && endsMs <= nowMs;

function embedOf(row: EmbedRow): KnownEmbed {
  const scope = JSON.parse(row.scope) as EmbedScope;
  return {
    ...{ id: row.id, title: scope.title, scope, owner: JSON.parse(row.owner) as EmbedOwner },
    ...{ createdMs: row.created_ms, createdBy: row.created_by, revokedMs: row.revoked_ms },
  };
}

function keyOf(row: EmbedKeyRow): KnownEmbedKey {
  const bounds = JSON.parse(row.bounds) as Pick<EmbedKey, "tables" | "frameAncestors">;
  return {
    ...{ kty: "OKP", crv: "Ed25519", x: row.public_key, kid: row.kid, alg: "EdDSA", use: "sig" },
    ...{ source: row.private_key === null ? "host" : "server", name: row.name, ...bounds },
    ...{ createdMs: row.created_ms, createdBy: row.created_by, endsMs: row.ends_ms },
    ...{ owner: JSON.parse(row.owner) as EmbedOwner, privateKey: row.private_key },
  };
}

/** A damaged one is not valid: what it allows is not known. */
function isIntact(row: EmbedRow | EmbedKeyRow, id: string, warn: Warn): boolean {
  const { checksum, ...values } = row;
  if (checksum === rowChecksum(values)) return true;
  warn(`the embed or key ${id} is damaged and not valid`);
  return false;
}

/** Of the values in the order of their names: databases return columns in an order of their own. */
function rowChecksum(values: Omit<EmbedRow, "checksum"> | Omit<EmbedKeyRow, "checksum">): string {
  const entries = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  return checksumOf(entries.map(([, value]) => value as string | number | null));
}
