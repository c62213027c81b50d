import type { Dialect, Kysely, RawBuilder, Transaction } from "kysely";
import type { RegistryTables } from "./tables.js";

export type RegistryDatabase = Kysely<RegistryTables>;
export type RegistryTransaction = Transaction<RegistryTables>;

/** One kind of database that can hold the registry. */
export interface DatabaseKind {
  /** For people, without a password: "registry.db in the data folder". */
  readonly name: string;
  /** Milliseconds since 1970 on the database's clock. */
  readonly nowMs: RawBuilder<number>;
  /** A new connection, or pool of connections, each time. */
  connect(): Dialect;
  /** Whether what was connected to is still what has this name; throws where there is nothing any more. */
  isCurrent(): boolean;
  /** Whether the same change may succeed at once: another process had a lock for a moment. */
  isBusy(error: unknown): boolean;
  /** Why trying again is in vain, such as a wrong password; null where the database may only be away. */
  refusal(error: unknown): string | null;
}
