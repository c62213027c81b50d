import type { Kysely, Migration } from "kysely";

/** Which data folders members have, and which copies of others' partitions. */
export const copies: Migration = {
  async up({ schema }: Kysely<unknown>) {
    const emptyList = "[]";
    await schema
      .alterTable("member")
      .addColumn("leaf_folders", "text", (column) => column.notNull().defaultTo(emptyList))
      .execute();
    await schema
      .alterTable("member")
      .addColumn("copies", "text", (column) => column.notNull().defaultTo(emptyList))
      .execute();
    await schema
      .alterTable("cluster")
      .addColumn("copies", "integer", (column) => column.notNull().defaultTo(2))
      .execute();
  },
};
