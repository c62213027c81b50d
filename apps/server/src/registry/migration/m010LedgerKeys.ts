import type { Kysely, Migration } from "kysely";

/** Keys of requests whose rows leaves have stored, for gateways that did not send these. */
export const ledgerKeys: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable("ledger_key")
      .addColumn("version", "bigint", (column) => column.primaryKey())
      .addColumn("at_ms", "bigint", (column) => column.notNull())
      .addColumn("keys", "text", (column) => column.notNull())
      .execute();
  },
};
