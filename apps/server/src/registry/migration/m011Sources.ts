import type { Kysely, Migration } from "kysely";

/** Topics of Kafka that are read, and how far. */
export const sources: Migration = {
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable("source")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("body", "text", (column) => column.notNull())
      .addColumn("checksum", "text", (column) => column.notNull())
      .execute();
    await schema
      .createTable("source_position")
      .addColumn("source", "text", (column) => column.notNull())
      .addColumn("topic", "text", (column) => column.notNull())
      .addColumn("partition", "integer", (column) => column.notNull())
      .addColumn("topic_id", "text", (column) => column.notNull())
      .addColumn("next_offset", "bigint", (column) => column.notNull())
      .addColumn("pending", "text")
      .addColumn("holder", "text", (column) => column.notNull())
      .addColumn("gateway", "text", (column) => column.notNull())
      .addColumn("end_offset", "bigint")
      .addColumn("noted_ms", "bigint", (column) => column.notNull())
      .addColumn("checksum", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("source_position_key", ["source", "topic", "partition"])
      .execute();
  },
};
