import type { Registry } from "../../registry/registry.js";
import { Watched } from "../copy/watched.js";
import { listTokenRows, noteLastUse } from "./tokenRows.js";

export const tokenPrefix = "hdl_";

export interface KnownToken {
  readonly id: string;
  readonly name: string;
  readonly hash: string;
  readonly scopes: readonly string[];
  readonly expiresMs: number | null;
}

/** All tokens, in memory. */
export class KnownTokens {
  readonly #registry: Registry;
  readonly #nowMs: () => number;
  readonly #watched: Watched<ReadonlyMap<string, KnownToken>>;
  /** By id, the last use that is not written yet. */
  #used = new Map<string, number>();

  private constructor(
    registry: Registry,
    nowMs: () => number,
    watched: Watched<ReadonlyMap<string, KnownToken>>,
  ) {
    this.#registry = registry;
    this.#nowMs = nowMs;
    this.#watched = watched;
  }

  static async open(
    registry: Registry,
    nowMs: () => number,
    onChange: () => void,
  ): Promise<KnownTokens> {
    const watched = await Watched.open<readonly KnownToken[], ReadonlyMap<string, KnownToken>>(
      registry,
      {
        area: "tokens",
        read: async (database) => {
          const rows = await listTokenRows(database, (text) => registry.warn(text));
          return rows.map(({ id, name, hash, scopes, expires_ms }) => ({
            ...{ id, name, hash, scopes: JSON.parse(scopes) as string[], expiresMs: expires_ms },
          }));
        },
        use: (tokens) => new Map(tokens.map((token) => [token.hash, token])),
        onChange,
      },
    );
    return new KnownTokens(registry, nowMs, watched);
  }

  /** Undefined where it does not exist, was revoked or has expired. Throws `registry-unavailable`. */
  find(hash: string): KnownToken | undefined {
    const token = this.#watched.known.get(hash);
    if (token === undefined) return undefined;
    return token.expiresMs === null || this.#nowMs() < token.expiresMs ? token : undefined;
  }

  /** The same by its id. */
  byId(id: string): KnownToken | undefined {
    const token = [...this.#watched.known.values()].find((one) => one.id === id);
    return token && this.find(token.hash);
  }

  noteUse(id: string): void {
    this.#used.set(id, this.#nowMs());
  }

  /** Writes when tokens were last used. Where that fails, it is tried again. */
  async flush(): Promise<void> {
    if (this.#used.size === 0) return;
    const used = this.#used;
    this.#used = new Map();
    await this.#registry
      .write((transaction) => noteLastUse(transaction, used))
      .catch((error: unknown) => {
        this.#used = new Map([...used, ...this.#used]);
        throw error;
      });
  }
}
