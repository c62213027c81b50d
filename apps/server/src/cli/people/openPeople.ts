import { type Command, Option } from "commander";
import type { Tokens } from "../../access/token/tokens.js";
import type { Users } from "../../access/user/users.js";
import { resolveSettings } from "../serve/serveSettings.js";

export interface RegistryFlags {
  readonly dataDir?: string;
  readonly database?: string;
}

export interface People {
  readonly users: Users;
  readonly tokens: Tokens;
}

/** The flags by which `serve` finds its registry; their environment variables hold too. */
export function addRegistryFlags(command: Command): Command {
  return command
    .addOption(new Option("--data-dir <folder>", "folder of the server's data"))
    .addOption(
      new Option("--database <url>", "the server's PostgreSQL, where serve was given one"),
    );
}

/** Works on the registry itself, whether a server runs or not; a running one follows within seconds. */
export async function withPeople<Value>(
  flags: RegistryFlags,
  work: (people: People) => Promise<Value>,
): Promise<Value> {
  // Not their other flags: `--role` of a user is none of a server.
  const given = { dataDir: flags.dataDir, database: flags.database };
  const { dataDir, database } = await resolveSettings(given, process.env);
  // Loaded here only: asking a question must not wait for the modules of a server.
  const { openRegistry } = await import("../../registry/openRegistry.js");
  const { openPeople } = await import("../../access/openPeople.js");
  const warn = (text: string): void => console.error(text);
  const registry = await openRegistry({ dataDir, databaseUrl: database, warn });
  try {
    return await work(openPeople(registry));
  } finally {
    await registry.close();
  }
}
