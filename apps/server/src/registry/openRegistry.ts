import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { sqlite } from "./database/sqlite.js";
import { Registry } from "./registry.js";
import { takeOver } from "./takeover/takeOver.js";

export const registryFile = "registry.db";

export interface OpenRegistryOptions {
  readonly dataDir: string;
  /** `postgres://…`; null: SQLite in the data folder. */
  readonly databaseUrl: string | null;
  readonly isRequired?: boolean;
  readonly warn: (text: string) => void;
}

/** The registry of a data folder, with what earlier versions kept there as files. */
export async function openRegistry({
  dataDir,
  databaseUrl,
  isRequired = false,
  warn,
}: OpenRegistryOptions): Promise<Registry> {
  await mkdir(dataDir, { recursive: true });
  return Registry.open({
    database:
      databaseUrl === null
        ? sqlite(join(dataDir, registryFile))
        : // A server without PostgreSQL need not wait for its driver.
          (await import("./database/postgres.js")).postgres(databaseUrl, warn),
    copyFolder: join(dataDir, "last-known"),
    prepare: (database) => takeOver(database, dataDir, warn),
    ...{ isRequired, warn },
  });
}
