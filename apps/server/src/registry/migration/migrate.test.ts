import { Kysely, type Migration } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { DatabaseKind, RegistryDatabase } from "../database/database.js";
import { postgres } from "../database/postgres.js";
import { sqlite } from "../database/sqlite.js";
import type { RegistryTables } from "../database/tables.js";
import { insertDocument, listRows } from "../document/documentRows.js";
import { type PostgresServer, startPostgres } from "../testing/postgresServer.js";
import { type RegistryFolder, registryFolder } from "../testing/registryFolder.js";
import { migrate, NewerRegistry } from "./migrate.js";
import { migrations } from "./migrations.js";

let server: PostgresServer;
let folder: RegistryFolder;
let database: RegistryDatabase;
beforeAll(async () => {
  server = await startPostgres();
}, 60_000);
afterAll(() => server?.remove());
afterEach(async () => {
  await database.destroy();
  await folder.remove();
});

const upTo = (last: string): Record<string, Migration> =>
  Object.fromEntries(Object.entries(migrations).filter(([name]) => name <= last));

describe.each(["SQLite", "PostgreSQL"])("a registry in %s", (kind) => {
  const start = async (): Promise<void> => {
    folder = await registryFolder();
    const warn = (): void => undefined;
    const opened: DatabaseKind =
      kind === "SQLite"
        ? sqlite(`${folder.path}/old.db`)
        : postgres(await server.createDatabase(), warn);
    database = new Kysely<RegistryTables>({ dialect: opened.connect() });
  };

  test("of version 001 keeps its rows, and has the tables of people then", async () => {
    await start();
    await migrate(database, upTo("001-documents"));
    const save = { title: "Errors", body: "{}", by: null, nowMs: 7 };
    await database
      .transaction()
      .execute((transaction) => insertDocument(transaction, { id: "d1", kind: "query", ...save }));
    await database.insertInto("link").values({ id: "l", path: "/explore", saved_ms: 7 }).execute();
    await migrate(database, migrations);
    await migrate(database, migrations);
    expect(await listRows(database, "query", () => undefined)).toMatchObject([{ title: "Errors" }]);
    expect(await database.selectFrom("link").selectAll().execute()).toHaveLength(1);
    const empty = ["user_account", "session", "token", "table_grant", "audit_entry"] as const;
    for (const table of empty)
      expect(await database.selectFrom(table).selectAll().execute()).toEqual([]);
  });

  test("gets a migration that has an older name than those that it has", async () => {
    await start();
    const late: Migration = {
      up: (changed) => changed.schema.createTable("late").addColumn("id", "text").execute(),
    };
    await migrate(database, migrations);
    await migrate(database, { ...migrations, "001-late": late });
    const tables = await database.introspection.getTables();
    expect(tables.map(({ name }) => name)).toContain("late");
  });

  test("of a newer version is refused, and stays as it is", async () => {
    await start();
    await migrate(database, migrations);
    await expect(migrate(database, upTo("001-documents"))).rejects.toThrow(NewerRegistry);
    expect(await database.selectFrom("user_account").selectAll().execute()).toEqual([]);
  });

  test("a migration that fails leaves everything as it was", async () => {
    await start();
    await migrate(database, upTo("001-documents"));
    const broken: Migration = {
      async up(changed) {
        await changed.schema.createTable("half").addColumn("id", "text").execute();
        throw new Error("the disk is full");
      },
    };
    const failing = migrate(database, { ...migrations, "003-broken": broken });
    await expect(failing).rejects.toThrow("the disk is full");
    const tables = await database.introspection.getTables();
    const names = tables.map(({ name }) => name);
    expect(names).not.toContain("half");
    expect(names).not.toContain("user_account");
  });
});
