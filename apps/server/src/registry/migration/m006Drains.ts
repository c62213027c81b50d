import type { Kysely, Migration } from "kysely";

/** Machines that are drained, and the program's version of each member. */
export const drains: Migration = {
  async up({ schema }: Kysely<unknown>) {
    // Not part of the member, which a process that starts writes again: it stays drained.
    await schema
      .createTable("machine_drain")
      .addColumn("name", "text", (column) => column.primaryKey())
      .addColumn("asked_ms", "bigint", (column) => column.notNull())
      .addColumn("drained_ms", "bigint")
      // 1: its leaves hold nothing. SQLite has no boolean.
      .addColumn("is_empty", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
    await schema
      .alterTable("member")
      .addColumn("version", "text", (column) => column.notNull().defaultTo(""))
      .execute();
    await schema
      .alterTable("member")
      .addColumn("sends_none_to", "text", (column) => column.notNull().defaultTo("[]"))
      .execute();
  },
};
