import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from "kysely";
import Database from "libsql";
import type { DatabaseKind } from "../../../src/registry/database/database.js";
import type { SimProcess } from "../world/simProcess.js";
import { type World, world } from "../world/world.js";

/**
 * In place of SQLite files and of PostgreSQL: databases in memory that lose nothing. The one that
 * machines share can be out of reach.
 */
interface Holder {
  readonly process: SimProcess;
  readonly take: () => void;
}

class SharedDatabase {
  readonly database = new Database(":memory:");
  #holder: SimProcess | null = null;
  #isInTransaction = false;
  readonly #waiting: Holder[] = [];
  readonly #statements = new Map<string, Database.Statement>();

  /** One process at a time: transactions of others are not seen. */
  enter(process: SimProcess): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ process, take: resolve });
      this.#next();
    });
  }

  leave(): void {
    this.#holder = null;
    this.#next();
  }

  prepare(text: string): Database.Statement {
    let known = this.#statements.get(text);
    if (known === undefined) {
      known = this.database.prepare(text);
      // Those that change the schema are run once.
      if (/^(select|insert|update|delete)/.test(text)) this.#statements.set(text, known);
    }
    return known;
  }

  transact(command: "begin" | "commit" | "rollback"): void {
    this.database.exec(command);
    this.#isInTransaction = command === "begin";
  }

  #next(): void {
    if (this.#holder !== null) return;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    if (!next.process.isAlive) {
      this.#next();
      return;
    }
    this.#holder = next.process;
    const onEnd = (): void => {
      if (this.#holder !== next.process) return;
      if (this.#isInTransaction) this.transact("rollback");
      this.leave();
    };
    next.process.onEnd.add(onEnd);
    world().after(0, next.take, next.process);
  }
}

const databases = new WeakMap<World, Map<string, SharedDatabase>>();

function databaseOf(name: string): SharedDatabase {
  const ofWorld = databases.get(world()) ?? new Map<string, SharedDatabase>();
  databases.set(world(), ofWorld);
  let found = ofWorld.get(name);
  if (found === undefined) {
    found = new SharedDatabase();
    ofWorld.set(name, found);
  }
  return found;
}

/** Ends the databases of a world. */
export function closeDatabases(of: World): void {
  for (const { database } of databases.get(of)?.values() ?? []) database.close();
  databases.delete(of);
}

class Connection implements DatabaseConnection {
  constructor(
    readonly shared: SharedDatabase,
    readonly isReachable: () => boolean,
  ) {}

  async executeQuery<Row>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    await this.travel();
    const statement = this.shared.prepare(text.replaceAll("simulated_now()", "?"));
    const values = withNow(text, parameters) as never[];
    if (statement.reader) return { rows: statement.all(...values) as Row[] };
    const { changes } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  /** To the database and back. */
  async travel(): Promise<void> {
    await new Promise<void>((resolve) => {
      world().after(world().delayMs(0.1, 4), resolve);
    });
    if (this.isReachable()) return;
    await new Promise<void>((resolve) => {
      world().after(world().delayMs(1, 2_000), resolve);
    });
    throw new Error("the database cannot be reached");
  }

  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    yield await Promise.reject(new Error("the registry streams no query"));
  }
}

/** The parameters, with the time in the place of each call for it. */
function withNow(text: string, parameters: readonly unknown[]): unknown[] {
  const marks = text.match(/simulated_now\(\)|\?/g) ?? [];
  let at = 0;
  return marks.map((mark) => (mark === "?" ? parameters[at++] : world().trueMs));
}

class SimDriver implements Driver {
  constructor(
    readonly name: string,
    readonly isReachable: () => boolean,
  ) {}

  async init(): Promise<void> {
    // There is nothing to open.
  }

  async acquireConnection(): Promise<Connection> {
    const shared = databaseOf(this.name);
    await shared.enter(world().current);
    return new Connection(shared, this.isReachable);
  }

  async beginTransaction(connection: Connection): Promise<void> {
    await connection.travel();
    connection.shared.transact("begin");
  }

  async commitTransaction(connection: Connection): Promise<void> {
    await connection.travel();
    connection.shared.transact("commit");
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    connection.shared.transact("rollback");
  }

  async releaseConnection(connection: Connection): Promise<void> {
    connection.shared.leave();
  }

  async destroy(): Promise<void> {
    // The next connection is to the same database.
  }
}

class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function dialectOf(name: string, isReachable: () => boolean): Dialect {
  return {
    createAdapter: (): DialectAdapter => new Adapter(),
    createDriver: () => new SimDriver(name, isReachable),
    createIntrospector: (database: Kysely<unknown>) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

const kindOf = (name: string, isReachable: () => boolean): DatabaseKind => ({
  name,
  nowMs: sql<number>`simulated_now()`,
  connect: () => dialectOf(name, isReachable),
  isCurrent: () => true,
  isBusy: () => false,
  refusal: () => null,
});

export const sqlite = (path: string): DatabaseKind => kindOf(path, () => true);

export const postgres = (url: string): DatabaseKind => kindOf(url, () => !world().isRegistryAway);

export async function checkSqlite(): Promise<null> {
  return null;
}
