import { randomUUID } from "node:crypto";
import {
  type CreatedToken,
  durationMs,
  HadalError,
  parseDuration,
  type TokenInfo,
} from "@hadal/sdk";
import { checkTokenDraft } from "@hadal/sdk/checks";
import type { RegistryTransaction } from "../../registry/database/database.js";
import type { Registry } from "../../registry/registry.js";
import type { Actor, AuditLog } from "../audit/auditLog.js";
import { hashOf, newSecret } from "../secret/secret.js";
import { tokenPrefix } from "./knownTokens.js";
import { insertTokenRow, listTokenRows, revokeTokenRow, tokenInfoOf } from "./tokenRows.js";

/** All are in memory, and in every list. */
const tokensMax = 10_000;

/** Tokens of programs, as admins change them. */
export class Tokens {
  readonly #registry: Registry;
  readonly #audit: AuditLog;
  readonly #nowMs: () => number;

  constructor(registry: Registry, audit: AuditLog, nowMs: () => number) {
    this.#registry = registry;
    this.#audit = audit;
    this.#nowMs = nowMs;
  }

  /** Those that were not revoked, the newest first. */
  async list(): Promise<readonly TokenInfo[]> {
    const rows = await this.#registry.read((database) =>
      listTokenRows(database, (text) => this.#registry.warn(text)),
    );
    return rows.map(tokenInfoOf);
  }

  /** `draft` is what was sent. Only this answer has the token itself. */
  create(draft: unknown, actor: Actor): Promise<CreatedToken> {
    const { name, scopes, expires } = checkTokenDraft(draft);
    const token = `${tokenPrefix}${newSecret()}`;
    const id = randomUUID();
    const nowMs = this.#nowMs();
    const values = {
      ...{
        id,
        name: name ?? id,
        hash: hashOf(token),
        scopes: JSON.stringify([...new Set(scopes)]),
      },
      ...{ created_ms: nowMs, created_by: actor.who, last_used_ms: null, revoked_ms: null },
      expires_ms: expires === undefined ? null : nowMs + durationMs(parseDuration(expires)),
    };
    return this.#registry.change("tokens", async (transaction) => {
      await checkCount(transaction);
      await insertTokenRow(transaction, values);
      const entry = this.#audit.entry(actor, "token.create", nameOf(values));
      await this.#audit.write(transaction, entry);
      return { ...tokenInfoOf(values), token };
    });
  }

  /** Rejects with `unknown-token`. */
  revoke(id: string, actor: Actor): Promise<void> {
    return this.#registry.change("tokens", async (transaction) => {
      const row = await revokeTokenRow(transaction, id, this.#nowMs());
      if (row === undefined) throw new HadalError("unknown-token", { id: id.slice(0, 80) });
      const entry = this.#audit.entry(actor, "token.revoke", nameOf(row));
      await this.#audit.write(transaction, entry);
    });
  }
}

async function checkCount(transaction: RegistryTransaction): Promise<void> {
  const { count } = await transaction
    .selectFrom("token")
    .where("revoked_ms", "is", null)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  if (Number(count) < tokensMax) return;
  const detail = `There are ${tokensMax} tokens (tokensMax): revoke some first.`;
  throw new HadalError("bad-request", { detail });
}

const nameOf = ({ id, name }: { readonly id: string; readonly name: string }): string =>
  name === id ? id : `${name} (${id})`;
