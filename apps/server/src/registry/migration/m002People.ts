import type { Kysely, Migration } from "kysely";

/** Users, their sessions, tokens of programs, grants of tables, and the audit log. */
export const people: Migration = {
  async up(database: Kysely<unknown>) {
    await createUsers(database);
    await createTokens(database);
    await createAuditLog(database);
  },
};

async function createUsers({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable("user_account")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("folded_name", "text", (column) => column.notNull().unique())
    .addColumn("role", "text", (column) => column.notNull())
    .addColumn("user_groups", "text", (column) => column.notNull())
    .addColumn("password_hash", "text")
    .addColumn("setup_hash", "text")
    .addColumn("setup_expires_ms", "bigint")
    .addColumn("source", "text", (column) => column.notNull())
    .addColumn("subject", "text", (column) => column.unique())
    .addColumn("disabled", "integer", (column) => column.notNull())
    .addColumn("created_ms", "bigint", (column) => column.notNull())
    .addColumn("changed_ms", "bigint", (column) => column.notNull())
    .addColumn("last_sign_in_ms", "bigint")
    .addColumn("checksum", "text", (column) => column.notNull())
    .execute();
  await schema.createIndex("user_by_setup").on("user_account").column("setup_hash").execute();
  await schema
    .createTable("session")
    .addColumn("hash", "text", (column) => column.primaryKey())
    .addColumn("user_id", "text", (column) =>
      column.notNull().references("user_account.id").onDelete("cascade"),
    )
    .addColumn("created_ms", "bigint", (column) => column.notNull())
    .addColumn("last_seen_ms", "bigint", (column) => column.notNull())
    .addColumn("expires_ms", "bigint", (column) => column.notNull())
    .addColumn("checksum", "text", (column) => column.notNull())
    .execute();
  await schema.createIndex("session_by_user").on("session").column("user_id").execute();
}

async function createTokens({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable("token")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("hash", "text", (column) => column.notNull().unique())
    .addColumn("scopes", "text", (column) => column.notNull())
    .addColumn("created_ms", "bigint", (column) => column.notNull())
    .addColumn("created_by", "text")
    .addColumn("expires_ms", "bigint")
    .addColumn("last_used_ms", "bigint")
    .addColumn("revoked_ms", "bigint")
    .addColumn("checksum", "text", (column) => column.notNull())
    .execute();
  await schema
    .createTable("table_grant")
    .addColumn("number", "integer", (column) => column.primaryKey())
    .addColumn("body", "text", (column) => column.notNull())
    .addColumn("checksum", "text", (column) => column.notNull())
    .execute();
}

async function createAuditLog({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable("audit_entry")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("time_ms", "bigint", (column) => column.notNull())
    .addColumn("who", "text")
    .addColumn("action", "text", (column) => column.notNull())
    .addColumn("target", "text", (column) => column.notNull())
    .addColumn("address", "text")
    .addColumn("checksum", "text", (column) => column.notNull())
    .execute();
  await schema.createIndex("audit_by_time").on("audit_entry").column("time_ms").execute();
}
