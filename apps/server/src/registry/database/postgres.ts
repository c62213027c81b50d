import { readFile } from "node:fs/promises";
import { PostgresDialect, sql } from "kysely";
import { Pool, type PoolConfig, types } from "pg";
import type { DatabaseKind } from "./database.js";

/** Times and versions are far below 2^53. */
const bigintType = types.builtins.INT8;
const connectMsMax = 2_000;
const statementMsMax = 5_000;
/** Changes are rare: more connections would only be missing elsewhere. */
const connectionsMax = 4;

/** A PostgreSQL that several machines share. */
export function postgres(url: string, warn: (text: string) => void): DatabaseKind {
  return {
    name: withoutPassword(url),
    nowMs: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
    connect: () =>
      new PostgresDialect({
        pool: async () => {
          const pool = new Pool(poolOptions(await withPasswordOfFile(url)));
          // An idle connection that ends would otherwise end the process; the next query makes a new one.
          pool.on("error", (error) => warn(`registry: ${error.message}`));
          // One that ends between two statements of a transaction: the next statement reports it.
          pool.on("connect", (client) => client.on("error", () => undefined));
          return pool;
        },
      }),
    isCurrent: () => true,
    isBusy: (error) => busyCodes.has(codeOf(error)),
    refusal,
  };
}

const poolOptions = (url: string): PoolConfig => ({
  connectionString: url,
  max: connectionsMax,
  connectionTimeoutMillis: connectMsMax,
  statement_timeout: statementMsMax,
  query_timeout: statementMsMax,
  // A process that is frozen within a transaction would keep its locks from all others.
  idle_in_transaction_session_timeout: statementMsMax,
  application_name: "hadal",
  types: {
    getTypeParser: (id, format) =>
      id === bigintType ? Number : (types.getTypeParser(id, format) as never),
  },
});

/** Serialization failure, deadlock, lock not available. */
const busyCodes: ReadonlySet<string> = new Set(["40001", "40P01", "55P03"]);
/** The start of codes, by PostgreSQL's appendix A. */
const signInRefused = "28";
const noDatabase = "3D000";
/** Tables that are there already, or lack a column; no right to make any. */
const statementRefused = "42";

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code);

function refusal(error: unknown): string | null {
  const code = codeOf(error);
  const { message } = error as { readonly message?: unknown };
  if (code.startsWith(signInRefused) || code === noDatabase) return `${String(message)}.`;
  if (!code.startsWith(statementRefused)) return null;
  return `${String(message)}. Are its tables those of another program? Hadal needs a database of its own.`;
}

/** `?passwordFile=PATH`: the password is the text of a file, such as a secret of Docker. */
async function withPasswordOfFile(text: string): Promise<string> {
  const url = new URL(text);
  const path = url.searchParams.get(passwordFileParameter);
  if (path === null) return text;
  url.searchParams.delete(passwordFileParameter);
  url.password = encodeURIComponent((await readFile(path, "utf8")).trimEnd());
  return url.href;
}

const passwordFileParameter = "passwordFile";

function withoutPassword(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}
