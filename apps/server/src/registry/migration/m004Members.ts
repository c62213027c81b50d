import type { Kysely, Migration } from "kysely";

/** The cluster and its members. */
export const members: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable("cluster")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("key_hash", "text", (column) => column.notNull())
      .addColumn("fan_out", "integer", (column) => column.notNull())
      .execute();
    await schema
      .createTable("member")
      .addColumn("name", "text", (column) => column.primaryKey())
      .addColumn("instance", "text", (column) => column.notNull())
      .addColumn("role", "text", (column) => column.notNull())
      .addColumn("address", "text", (column) => column.notNull())
      .addColumn("protocol", "integer", (column) => column.notNull())
      .addColumn("leaf_ids", "text", (column) => column.notNull())
      .addColumn("heartbeat_ms", "bigint", (column) => column.notNull())
      .execute();
  },
};
