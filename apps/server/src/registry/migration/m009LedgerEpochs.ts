import type { Kysely, Migration } from "kysely";

/** What gateways of the shared row counts are announced with, each time another. */
export const ledgerEpochs: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .alterTable("ledger_gateway")
      .addColumn("epoch", "bigint", (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
