import { type Kysely, type Migration, Migrator, sql } from "kysely";

/** The database was made by a newer program than this one. */
export class NewerRegistry extends Error {}

/**
 * Brings the database to the newest of the given migrations: all that are missing, in one transaction, under a lock
 * where several processes start at once. Their names may be older than those that it has: parts that do not know each
 * other grow at the same time. Throws {@link NewerRegistry}; anything else that it throws leaves the database
 * as it was.
 */
export async function migrate<Tables>(
  database: Kysely<Tables>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<void> {
  await refuseNewer(database, migrations);
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: async () => ({ ...migrations }) },
    allowUnorderedMigrations: true,
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

async function refuseNewer<Tables>(
  database: Kysely<Tables>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<void> {
  const tables = await database.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === "kysely_migration")) return;
  const { rows } = await sql<{
    name: string;
  }>`select name from kysely_migration order by name`.execute(database);
  const unknown = rows.map(({ name }) => name).filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length === 0) return;
  throw new NewerRegistry(
    `The registry was made by a newer Hadal (its migration ${unknown.at(-1)}). Start that version, or give this one another --data-dir, --database or --join.`,
  );
}
