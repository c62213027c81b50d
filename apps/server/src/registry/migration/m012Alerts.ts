import type { Kysely, Migration } from "kysely";

/** Rules that watch queries: their state, what they sent, and who evaluates them. */
export const alerts: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable("alert_lease")
      .addColumn("id", "integer", (column) => column.primaryKey())
      .addColumn("holder", "text")
      .addColumn("until_ms", "bigint", (column) => column.notNull())
      .addColumn("version", "bigint", (column) => column.notNull())
      .execute();
    await schema
      .createTable("alert_rule")
      .addColumn("rule_id", "text", (column) => column.primaryKey())
      .addColumn("owner", "text", (column) => column.notNull())
      .addColumn("secrets", "text", (column) => column.notNull())
      .addColumn("muted_until_ms", "bigint", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("checksum", "text", (column) => column.notNull())
      .execute();
    await schema
      .createTable("alert_history")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("rule_id", "text", (column) => column.notNull())
      .addColumn("at_ms", "bigint", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("body", "text", (column) => column.notNull())
      .execute();
    await schema
      .createIndex("alert_history_rule")
      .on("alert_history")
      .columns(["rule_id", "id"])
      .execute();
    await schema
      .createTable("alert_deliveries")
      .addColumn("key", "text", (column) => column.primaryKey())
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("rule_id", "text", (column) => column.notNull())
      .addColumn("channel", "integer", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("message", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("attempts", "integer", (column) => column.notNull())
      .addColumn("next_at", "bigint", (column) => column.notNull())
      .addColumn("done_at", "bigint")
      .addColumn("dead_at", "bigint")
      .addColumn("error", "text")
      .execute();
    await schema
      .createIndex("alert_deliveries_due")
      .on("alert_deliveries")
      .columns(["done_at", "dead_at", "next_at"])
      .execute();
    await schema
      .createIndex("alert_deliveries_channel")
      .on("alert_deliveries")
      .columns(["rule_id", "channel", "done_at", "dead_at", "created_at"])
      .execute();
  },
};
