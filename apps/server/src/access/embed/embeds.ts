import { randomUUID } from "node:crypto";
import {
  type AuditAction,
  type EmbedInfo,
  type EmbedScope,
  type EmbedToken,
  HadalError,
} from "@hadal/sdk";
import type { RegistryTransaction } from "../../registry/database/database.js";
import type { Registry } from "../../registry/registry.js";
import type { AuditLog } from "../audit/auditLog.js";
import { type EmbedActor, type EmbedKeys, mayChange } from "./embedKeys.js";
import { viewNotAllowed } from "./embedPass.js";
import {
  findEmbedRow,
  insertEmbedRow,
  type KnownEmbed,
  listEmbedRows,
  revokeEmbedRow,
} from "./embedRows.js";
import type { EmbedTokens, ImageToSign } from "./embedTokens.js";

/** All are in memory. */
const embedsMax = 10_000;

interface EmbedParts {
  readonly audit: AuditLog;
  readonly keys: EmbedKeys;
  readonly tokens: EmbedTokens;
  readonly nowMs: () => number;
}

/** Embeds as those who make them change them. */
export class Embeds {
  readonly #registry: Registry;
  readonly #parts: EmbedParts;

  constructor(registry: Registry, parts: EmbedParts) {
    this.#registry = registry;
    this.#parts = parts;
  }

  /** Those that the actor may revoke, the newest first; also those that were revoked. */
  async list(actor: EmbedActor): Promise<readonly EmbedInfo[]> {
    const warn = (text: string): void => this.#registry.warn(text);
    const rows = await this.#registry.read((database) =>
      listEmbedRows(database, { revokedSinceMs: 0, warn }),
    );
    return rows.filter((embed) => mayChange(embed, actor)).map(shownEmbed);
  }

  /** Of a scope that was checked. */
  async create(scope: EmbedScope, actor: EmbedActor): Promise<EmbedToken> {
    const { keys, tokens, nowMs } = this.#parts;
    const key = await keys.signing();
    const embed: KnownEmbed = {
      ...{ id: randomUUID(), title: scope.title, scope, owner: actor.owner },
      ...{ createdMs: nowMs(), createdBy: actor.who, revokedMs: null },
    };
    const issued = await tokens.signEmbed(key, embed.id, scope);
    await this.#registry.change("embeds", async (transaction) => {
      await checkCount(transaction);
      await insertEmbedRow(transaction, embed);
      await this.#write(transaction, actor, "embed.create", embed);
    });
    return { id: embed.id, ...issued };
  }

  /** Rejects with `unknown-embed`. */
  revoke(id: string, actor: EmbedActor): Promise<void> {
    return this.#registry.change("embeds", async (transaction) => {
      const embed = await this.#find(transaction, id, actor);
      await revokeEmbedRow(transaction, id, this.#parts.nowMs());
      await this.#write(transaction, actor, "embed.revoke", embed);
    });
  }

  /** A new token. Rejects with `unknown-embed`. */
  async token(id: string, actor: EmbedActor): Promise<EmbedToken> {
    const { keys, tokens } = this.#parts;
    const key = await keys.signing();
    const embed = await this.#registry.write(async (transaction) => {
      const found = await this.#find(transaction, id, actor);
      await this.#write(transaction, actor, "embed.token", found);
      return found;
    });
    return { id, ...(await tokens.signEmbed(key, id, embed.scope)) };
  }

  /** A signature for a picture of the embed. Rejects with `unknown-embed`, and `token-scope` for a view that it has not. */
  async signImage(id: string, wanted: ImageToSign, actor: EmbedActor): Promise<SignedImage> {
    const { keys, tokens } = this.#parts;
    const key = await keys.signing();
    const { view } = wanted.image;
    await this.#registry.write(async (transaction) => {
      const embed = await this.#find(transaction, id, actor);
      if (view !== undefined && !embed.scope.views.includes(view)) throw viewNotAllowed();
      await this.#write(transaction, actor, "embed.token", embed);
    });
    const { token, expiresMs } = await tokens.signImage(key, id, wanted);
    return { signature: token, expiresMs };
  }

  async #find(
    transaction: RegistryTransaction,
    id: string,
    actor: EmbedActor,
  ): Promise<KnownEmbed> {
    const warn = (text: string): void => this.#registry.warn(text);
    const embed = await findEmbedRow(transaction, id, warn);
    if (embed !== undefined && mayChange(embed, actor)) return embed;
    throw new HadalError("unknown-embed", { id: id.slice(0, 80) });
  }

  async #write(
    transaction: RegistryTransaction,
    actor: EmbedActor,
    action: AuditAction,
    { id, title }: EmbedInfo,
  ): Promise<void> {
    const entry = this.#parts.audit.entry(actor, action, `${title} (${id})`);
    await this.#parts.audit.write(transaction, entry);
  }
}

export interface SignedImage {
  readonly signature: string;
  readonly expiresMs: number;
}

const shownEmbed = ({ owner: _, ...embed }: KnownEmbed): EmbedInfo => embed;

async function checkCount(transaction: RegistryTransaction): Promise<void> {
  const { count } = await transaction
    .selectFrom("embed")
    .where("revoked_ms", "is", null)
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  if (Number(count) < embedsMax) return;
  const detail = `There are ${embedsMax} embeds (embedsMax): revoke some first.`;
  throw new HadalError("bad-request", { detail });
}
