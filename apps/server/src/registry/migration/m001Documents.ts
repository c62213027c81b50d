import type { Kysely, Migration } from "kysely";

/** Documents with their versions, short links, settings of tables, and the revisions of areas. */
export const documents: Migration = {
  async up(database: Kysely<unknown>) {
    const { schema } = database;
    await schema
      .createTable("area")
      .addColumn("name", "text", (column) => column.primaryKey())
      .addColumn("revision", "bigint", (column) => column.notNull())
      .execute();
    await schema
      .createTable("document")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("title", "text", (column) => column.notNull())
      .addColumn("body", "text", (column) => column.notNull())
      .addColumn("version", "integer", (column) => column.notNull())
      .addColumn("created_ms", "bigint", (column) => column.notNull())
      .addColumn("created_by", "text")
      .addColumn("changed_ms", "bigint", (column) => column.notNull())
      .addColumn("changed_by", "text")
      .addColumn("deleted_ms", "bigint")
      .addColumn("checksum", "text", (column) => column.notNull())
      .execute();
    await schema
      .createIndex("document_by_kind")
      .on("document")
      .columns(["kind", "title"])
      .execute();
    await schema
      .createTable("document_version")
      .addColumn("id", "text", (column) => column.notNull().references("document.id"))
      .addColumn("version", "integer", (column) => column.notNull())
      .addColumn("title", "text", (column) => column.notNull())
      .addColumn("body", "text", (column) => column.notNull())
      .addColumn("saved_ms", "bigint", (column) => column.notNull())
      .addColumn("saved_by", "text")
      .addColumn("checksum", "text", (column) => column.notNull())
      .addPrimaryKeyConstraint("document_version_key", ["id", "version"])
      .execute();
    await schema
      .createTable("link")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("path", "text", (column) => column.notNull())
      .addColumn("saved_ms", "bigint", (column) => column.notNull())
      .execute();
    await schema
      .createTable("table_settings")
      .addColumn("name", "text", (column) => column.primaryKey())
      .addColumn("body", "text", (column) => column.notNull())
      .addColumn("checksum", "text", (column) => column.notNull())
      .execute();
  },
};
