import type { Kysely, Migration } from "kysely";

/** The row counts that several gateways share. */
export const ledger: Migration = {
  async up(database: Kysely<unknown>) {
    const { schema } = database;
    await schema
      .createTable("ledger_state")
      .addColumn("id", "integer", (column) => column.primaryKey())
      .addColumn("version", "bigint", (column) => column.notNull())
      .addColumn("lease_holder", "text")
      .addColumn("lease_until_ms", "bigint", (column) => column.notNull())
      .addColumn("report", "text")
      .execute();
    await schema
      .createTable("ledger_hour")
      .addColumn("table_name", "text", (column) => column.notNull())
      .addColumn("leaf", "text", (column) => column.notNull())
      .addColumn("hour", "bigint", (column) => column.notNull())
      .addColumn("counts", "text", (column) => column.notNull())
      .addColumn("version", "bigint", (column) => column.notNull())
      .addColumn("checksum", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("ledger_hour_key", ["table_name", "leaf", "hour"])
      .execute();
    await schema
      .createIndex("ledger_hour_version")
      .on("ledger_hour")
      .columns(["version"])
      .execute();
    await schema
      .createTable("ledger_gateway")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("position", "bigint", (column) => column.notNull())
      .addColumn("published_ms", "bigint", (column) => column.notNull())
      .addColumn("late_ms", "bigint", (column) => column.notNull())
      .addColumn("seen_version", "bigint", (column) => column.notNull())
      .addColumn("body", "text", (column) => column.notNull())
      .execute();
    await schema
      .createTable("ledger_doubt")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("table_name", "text")
      .addColumn("reason", "text", (column) => column.notNull())
      .addColumn("since_ms", "bigint", (column) => column.notNull())
      .addColumn("from_ms", "bigint")
      .addColumn("to_ms", "bigint")
      .addColumn("held_by", "text")
      .execute();
    await schema
      .createTable("ledger_drop")
      .addColumn("table_name", "text", (column) => column.notNull())
      .addColumn("leaf", "text", (column) => column.notNull())
      .addColumn("body", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("ledger_drop_key", ["table_name", "leaf"])
      .execute();
    await schema
      .createTable("ledger_deletion")
      .addColumn("table_name", "text", (column) => column.primaryKey())
      .addColumn("version", "bigint", (column) => column.notNull())
      .execute();
  },
};
