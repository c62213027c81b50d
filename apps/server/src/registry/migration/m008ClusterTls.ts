import type { Kysely, Migration } from "kysely";

/** Whether the links between machines are encrypted. */
export const clusterTls: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .alterTable("cluster")
      .addColumn("tls", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
