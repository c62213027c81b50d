import type { RegistryTransaction } from "../../registry/database/database.js";
import type { Registry } from "../../registry/registry.js";
import { Watched } from "../copy/watched.js";
import { hashOf, newSecret } from "../secret/secret.js";
import {
  insertSessionRow,
  listSessionRows,
  noteLastSeen,
  removeEndedSessions,
  removeOldSessions,
  removeSession,
  removeSessionsOfUser,
  type SessionValues,
} from "./sessionRows.js";

const idleMs = 12 * 3_600_000;
/** However much it is used: a stolen cookie ends at last. */
const longestMs = 30 * 86_400_000;
/** Of an idle time of hours five minutes are not noticed. */
const seenEveryMs = 5 * 60_000;
/** A person has some browsers; a script that signs in again and again must not fill the table. */
const sessionsOfUserMax = 100;

export interface Session {
  readonly hash: string;
  readonly userId: string;
}

/** Who is signed in, in memory; changes are in the registry when they resolve. */
export class Sessions {
  readonly #registry: Registry;
  readonly #nowMs: () => number;
  readonly #watched: Watched<ReadonlyMap<string, SessionValues>>;
  /** By hash, when the session was last seen here. */
  readonly #seen: Map<string, number>;
  /** Hashes whose time is not written yet. */
  readonly #unwritten = new Set<string>();

  private constructor(
    registry: Registry,
    nowMs: () => number,
    {
      watched,
      seen,
    }: { watched: Watched<ReadonlyMap<string, SessionValues>>; seen: Map<string, number> },
  ) {
    this.#registry = registry;
    this.#nowMs = nowMs;
    this.#watched = watched;
    this.#seen = seen;
  }

  static async open(
    registry: Registry,
    nowMs: () => number,
    onChange: () => void,
  ): Promise<Sessions> {
    const seen = new Map<string, number>();
    const watched = await Watched.open<
      readonly SessionValues[],
      ReadonlyMap<string, SessionValues>
    >(registry, {
      area: "sessions",
      read: (database) => listSessionRows(database, (text) => registry.warn(text)),
      use: (rows) => {
        const byHash = new Map(rows.map((row) => [row.hash, row]));
        for (const hash of seen.keys()) if (!byHash.has(hash)) seen.delete(hash);
        return byHash;
      },
      onChange,
    });
    return new Sessions(registry, nowMs, { watched, seen });
  }

  /** Undefined where it does not exist or has ended. Throws `registry-unavailable`. */
  find(hash: string): Session | undefined {
    const row = this.#watched.known.get(hash);
    if (row === undefined) return undefined;
    const nowMs = this.#nowMs();
    const isOver = nowMs >= row.expires_ms || nowMs >= this.#lastSeenMs(row) + idleMs;
    return isOver ? undefined : { hash, userId: row.user_id };
  }

  /** It is in use, and its idle time begins again. */
  touch(hash: string): void {
    const row = this.#watched.known.get(hash);
    const nowMs = this.#nowMs();
    if (row === undefined || nowMs < this.#lastSeenMs(row) + seenEveryMs) return;
    this.#seen.set(hash, nowMs);
    this.#unwritten.add(hash);
  }

  /** In a transaction that changes the area `sessions`. Returns the secret for the cookie. */
  async start(transaction: RegistryTransaction, userId: string): Promise<string> {
    const secret = newSecret();
    const nowMs = this.#nowMs();
    await removeOldSessions(transaction, userId, sessionsOfUserMax - 1);
    await insertSessionRow(transaction, {
      ...{ hash: hashOf(secret), user_id: userId, created_ms: nowMs, last_seen_ms: nowMs },
      expires_ms: nowMs + longestMs,
    });
    return secret;
  }

  /** In a transaction that changes the area `sessions`. */
  end(transaction: RegistryTransaction, hash: string): Promise<void> {
    return removeSession(transaction, hash);
  }

  endAll(transaction: RegistryTransaction, userId: string): Promise<void> {
    return removeSessionsOfUser(transaction, userId);
  }

  /** Writes when sessions were last seen. Where that fails, it is tried again. */
  async flush(): Promise<void> {
    if (this.#unwritten.size === 0) return;
    const written = [...this.#unwritten];
    this.#unwritten.clear();
    const seen = written.map((hash) => [hash, this.#seen.get(hash) ?? 0] as const);
    await this.#registry
      .write((transaction) => noteLastSeen(transaction, seen))
      .catch((error: unknown) => {
        for (const hash of written) this.#unwritten.add(hash);
        throw error;
      });
  }

  prune(): Promise<void> {
    const nowMs = this.#nowMs();
    return this.#registry.write((transaction) =>
      removeEndedSessions(transaction, { nowMs, idleMs }),
    );
  }

  #lastSeenMs({ hash, last_seen_ms }: SessionValues): number {
    return Math.max(last_seen_ms, this.#seen.get(hash) ?? 0);
  }
}
