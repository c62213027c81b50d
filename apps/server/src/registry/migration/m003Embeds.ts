import type { Kysely, Migration } from "kysely";

/** Embeds, and the keys by which their tokens are signed and verified. */
export const embeds: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable("embed")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("scope", "text", (column) => column.notNull())
      .addColumn("owner", "text", (column) => column.notNull())
      .addColumn("created_ms", "bigint", (column) => column.notNull())
      .addColumn("created_by", "text")
      .addColumn("revoked_ms", "bigint")
      .addColumn("checksum", "text", (column) => column.notNull())
      .execute();
    await schema
      .createTable("embed_key")
      .addColumn("kid", "text", (column) => column.primaryKey())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("public_key", "text", (column) => column.notNull())
      .addColumn("private_key", "text")
      .addColumn("bounds", "text", (column) => column.notNull())
      .addColumn("owner", "text", (column) => column.notNull())
      .addColumn("created_ms", "bigint", (column) => column.notNull())
      .addColumn("created_by", "text")
      .addColumn("ends_ms", "bigint")
      .addColumn("checksum", "text", (column) => column.notNull())
      .execute();
  },
};
