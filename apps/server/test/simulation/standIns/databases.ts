import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteQueryCompiler,
  sql,
  type TableMetadata,
} from "kysely";
import Database from "libsql";
import type { DatabaseKind } from "../../../src/registry/database/database.js";
import type { SimProcess } from "../world/simProcess.js";
import { type World, world } from "../world/world.js";

/**
 * In place of SQLite files and of PostgreSQL: databases in memory that lose nothing. The one that
 * machines share can be out of reach.
 */
/** What was sent gets there although no answer gets back. */
const doneChance = 0.3;

interface Waiting {
  readonly session: Session;
  readonly take: () => void;
}

interface Statement {
  readonly compiled: Database.Statement;
  /** All words of it: its tables are among them. */
  readonly names: readonly string[];
}

interface Answer {
  readonly changes: number;
  readonly rows: readonly object[];
}

class SharedDatabase {
  readonly database = new Database(":memory:");
  #holder: Session | null = null;
  #isInTransaction = false;
  readonly #waiting: Waiting[] = [];
  readonly #statements = new Map<string, Statement>();
  readonly #answers = new Map<string, Answer>();
  /** How often each table was changed. */
  readonly #changes = new Map<string, number>();

  /** One process at a time: transactions of others are not seen. */
  enter(session: Session): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ session, take: resolve });
      const holder = this.#holder;
      // A server ends the session of a client that is silent within a transaction.
      if (holder !== null && holder.process.stalled !== null) this.#end(holder);
      this.#next();
    });
  }

  leave(session: Session): void {
    if (this.#holder !== session) return;
    this.rollBack(session);
    this.#holder = null;
    session.process.onEnd.delete(session.onEnd);
    this.#next();
  }

  execute(text: string, parameters: readonly unknown[]): QueryResult<unknown> {
    const statement = this.#prepare(text);
    if (text.startsWith("select")) return { rows: this.#select(text, parameters, statement) };
    // What it takes along is not in its text.
    if (text.startsWith("delete")) this.#answers.clear();
    for (const name of statement.names) this.#changes.set(name, this.#changesOf(name) + 1);
    const { compiled } = statement;
    if (compiled.reader) return { rows: compiled.all(...(parameters as never[])) };
    const { changes } = compiled.run(...(parameters as never[]));
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  rollBack(session: Session): void {
    if (this.#holder === session && this.#isInTransaction) this.transact("rollback");
  }

  transact(command: "begin" | "commit" | "rollback"): void {
    this.database.exec(command);
    this.#isInTransaction = command === "begin";
    if (command === "rollback") this.#answers.clear();
  }

  /** The same rows as before, while nothing has changed the tables of the query. */
  #select(text: string, parameters: readonly unknown[], { compiled, names }: Statement): object[] {
    const changes = names.reduce((sum, name) => sum + this.#changesOf(name), 0);
    const key = JSON.stringify([text, parameters]);
    const known = this.#answers.get(key);
    const isKnown = known?.changes === changes;
    const rows = isKnown ? known.rows : (compiled.all(...(parameters as never[])) as object[]);
    if (!isKnown) this.#answers.set(key, { changes, rows });
    return rows.map((row) => ({ ...row }));
  }

  #prepare(text: string): Statement {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    const compiled = this.database.prepare(text);
    const names = [...new Set(text.match(/\w+/g))];
    const statement = { compiled, names };
    // Those that change the schema are run once.
    if (/^(select|insert|update|delete)/.test(text)) this.#statements.set(text, statement);
    else this.#answers.clear();
    return statement;
  }

  #changesOf(table: string): number {
    return this.#changes.get(table) ?? 0;
  }

  #next(): void {
    if (this.#holder !== null) return;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    const { session } = next;
    if (!session.process.isAlive) {
      this.#next();
      return;
    }
    this.#holder = session;
    session.onEnd = () => this.#end(session);
    session.process.onEnd.add(session.onEnd);
    world().after(0, next.take, session.process);
  }

  #end(session: Session): void {
    session.isOpen = false;
    this.leave(session);
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

/** What a client of its own reads. */
export const readDatabase = (name: string, query: string): readonly object[] =>
  databaseOf(name).execute(query, []).rows as object[];

/** Ends the databases of a world. */
export function closeDatabases(of: World): void {
  for (const { database } of databases.get(of)?.values() ?? []) database.close();
  databases.delete(of);
}

/** What a process has while it uses a database. */
class Session {
  isOpen = true;
  onEnd = (): void => undefined;

  constructor(readonly process: SimProcess) {}
}

class Connection implements DatabaseConnection {
  constructor(
    readonly shared: SharedDatabase,
    readonly session: Session,
    readonly isReachable: () => boolean,
  ) {}

  async executeQuery<Row>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return this.do(() => {
      const values = withNow(text, parameters);
      const result = this.shared.execute(text.replaceAll("simulated_now()", "?"), values);
      return result as QueryResult<Row>;
    });
  }

  /** Where the database is away, work may have been done, and only the answer is lost. */
  async do<Value>(work: () => Value): Promise<Value> {
    await timeBetween(0.1, 4);
    if (!this.session.isOpen) throw new Error("the database has ended the session");
    if (this.isReachable()) return work();
    if (world().random.chance(doneChance)) work();
    await timeBetween(1, 2_000);
    throw new Error("the database cannot be reached");
  }

  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    yield await Promise.reject(new Error("the registry streams no query"));
  }
}

function timeBetween(lowMs: number, highMs: number): Promise<void> {
  return new Promise((resolve) => {
    world().after(world().delayMs(lowMs, highMs), resolve);
  });
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
    const session = new Session(world().current);
    await shared.enter(session);
    return new Connection(shared, session, this.isReachable);
  }

  async beginTransaction(connection: Connection): Promise<void> {
    await connection.do(() => undefined);
    connection.shared.transact("begin");
  }

  async commitTransaction(connection: Connection): Promise<void> {
    await connection.do(() => connection.shared.transact("commit"));
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    connection.shared.rollBack(connection.session);
  }

  async releaseConnection(connection: Connection): Promise<void> {
    connection.shared.leave(connection.session);
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

/** Only the names of tables: nothing asks for more, and to look up all columns takes long. */
class Introspector implements DatabaseIntrospector {
  readonly #database: Kysely<{ sqlite_master: { name: string; type: string } }>;

  constructor(database: Kysely<unknown>) {
    this.#database = database as never;
  }

  async getSchemas(): Promise<[]> {
    return [];
  }

  async getTables(): Promise<TableMetadata[]> {
    const query = this.#database.selectFrom("sqlite_master").select("name");
    const tables = await query.where("type", "=", "table").orderBy("name").execute();
    return tables.map(({ name }) => ({ name, isView: false, columns: [] }));
  }

  async getMetadata(): Promise<{ tables: TableMetadata[] }> {
    return { tables: await this.getTables() };
  }
}

function dialectOf(name: string, isReachable: () => boolean): Dialect {
  return {
    createAdapter: (): DialectAdapter => new Adapter(),
    createDriver: () => new SimDriver(name, isReachable),
    createIntrospector: (database: Kysely<unknown>) => new Introspector(database),
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

export const postgres = (url: string): DatabaseKind =>
  kindOf(url, () => !world().withoutRegistry.has(world().current.machine));

export async function checkSqlite(): Promise<null> {
  return null;
}
