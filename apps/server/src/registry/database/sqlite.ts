import { closeSync, existsSync, openSync, statSync } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type DialectAdapter,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  sql,
} from "kysely";
import Database from "libsql";
import type { DatabaseKind } from "./database.js";

/** A statement waits so long in the event loop for a lock of another process; the rest of the wait leaves it free. */
const busyMs = 20;

/** A database file in the data folder, for one machine. A change is on the disk when its transaction ends. */
export function sqlite(path: string): DatabaseKind {
  let opened: FileIdentity | null = null;
  const open = () => {
    // What people save is for the server's user alone; files beside it get the same rights.
    closeSync(openSync(path, "a", 0o600));
    const database = new Database(path, { timeout: busyMs });
    try {
      database.pragma("journal_mode = WAL");
      database.pragma("synchronous = FULL");
      database.pragma("foreign_keys = ON");
      const fault = faultOf(database);
      if (fault !== null) throw new Error(`it is damaged: ${fault}`);
    } catch (error) {
      // It is tried again every second.
      database.close();
      throw error;
    }
    opened = identify(path);
    return withWriteLock(database);
  };
  return {
    name: path,
    nowMs: sql<number>`cast((julianday('now') - 2440587.5) * 86400000 as integer)`,
    connect: () => new Sqlite({ database: async () => open() }),
    isCurrent() {
      if (opened === null) return true;
      const found = identify(path);
      // A file that was deleted can still be written to, and the changes would be gone.
      if (found === null) throw new Error(`${path} was deleted`);
      return found.inode === opened.inode && found.device === opened.device;
    },
    isBusy: (error) => String((error as { code?: unknown } | null)?.code).startsWith("SQLITE_BUSY"),
    refusal: () => null,
  };
}

/** Kysely would run migrations without a transaction; SQLite also undoes the creation of tables. */
class Sqlite extends SqliteDialect {
  override createAdapter(): DialectAdapter {
    return new AdapterOfSqlite();
  }
}

class AdapterOfSqlite extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/**
 * Transactions take the lock for writing as they begin: only there can another process be in the way, and a transaction
 * that has begun can end.
 */
function withWriteLock(database: Database.Database): SqliteDatabase {
  const control = (sql: string) => ({
    reader: false,
    all: () => [],
    iterate: () => [][Symbol.iterator](),
    run() {
      database.exec(sql);
      return { changes: 0, lastInsertRowid: 0 };
    },
  });
  return {
    prepare(sql) {
      if (sql === "begin") return control("begin immediate");
      if (sql === "commit" || sql === "rollback") return control(sql);
      return database.prepare(sql) as unknown as ReturnType<SqliteDatabase["prepare"]>;
    },
    close() {
      // So that the file alone holds everything, for whoever copies it.
      database.pragma("wal_checkpoint(TRUNCATE)");
      database.close();
    },
  };
}

interface FileIdentity {
  readonly inode: bigint;
  readonly device: bigint;
}

function identify(path: string): FileIdentity | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : { inode: found.ino, device: found.dev };
}

/** What is wrong with a database file that no server has open; null where nothing is. */
export async function checkSqlite(path: string): Promise<string | null> {
  // Even to read, SQLite writes files beside it.
  const folder = await mkdtemp(join(tmpdir(), "hadal-check-"));
  try {
    const copy = join(folder, "copy.db");
    await copyFile(path, copy);
    if (existsSync(`${path}-wal`)) await copyFile(`${path}-wal`, `${copy}-wal`);
    const database = new Database(copy);
    try {
      return faultOf(database);
    } finally {
      database.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A row that a damaged page hides would be missing without a word. */
function faultOf(database: Database.Database): string | null {
  const rows = database.pragma("integrity_check") as readonly { integrity_check: string }[];
  const faults = rows.map((row) => row.integrity_check).filter((text) => text !== "ok");
  return faults.length === 0 ? null : faults.slice(0, 3).join("; ");
}
