import { type EmbedKey, type EmbedKeyDraft, embedExpiresMsMax, HadalError } from "@hadal/sdk";
import { checkEmbedKeyDraft } from "@hadal/sdk/checks";
import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  importSPKI,
  type JWK,
} from "jose";
import type { RegistryTransaction } from "../../registry/database/database.js";
import type { Registry } from "../../registry/registry.js";
import type { Actor, AuditLog } from "../audit/auditLog.js";
import type { EmbedOwner } from "./embedOwner.js";
import {
  endKeys,
  insertKeyRow,
  type KnownEmbedKey,
  listKeyRows,
  removeEndedKeys,
} from "./embedRows.js";
import type { KnownEmbeds } from "./knownEmbeds.js";

/** All are in memory. */
const keysMax = 1_000;
const algorithm = "EdDSA";
/** Its last token may be signed by a process that does not know yet that the key was replaced. */
const overlapMs = embedExpiresMsMax + 60_000;

/** Who changes keys: for the rights of the key, and for the audit log. */
export interface EmbedActor extends Actor {
  readonly owner: EmbedOwner;
  /** Changes also what others made. */
  readonly isAdmin: boolean;
}

/** The server's own key, and public keys of hosts that sign tokens themselves. */
export class EmbedKeys {
  readonly #registry: Registry;
  readonly #audit: AuditLog;
  readonly #known: KnownEmbeds;
  readonly #nowMs: () => number;
  #creating: Promise<unknown> | null = null;

  constructor(
    registry: Registry,
    { audit, known, nowMs }: { audit: AuditLog; known: KnownEmbeds; nowMs: () => number },
  ) {
    this.#registry = registry;
    this.#audit = audit;
    this.#known = known;
    this.#nowMs = nowMs;
  }

  async list(): Promise<readonly EmbedKey[]> {
    return (await this.#registry.read((database) => this.#rows(database))).map(shownKey);
  }

  /** With which the server signs now; made when it is first needed. */
  async signing(): Promise<KnownEmbedKey> {
    if (this.#known.signingKey() === undefined) {
      this.#creating ??= this.#create().finally(() => {
        this.#creating = null;
      });
      await this.#creating;
    }
    const key = this.#known.signingKey();
    if (key === undefined) throw this.#registry.unavailable();
    return key;
  }

  /** `body` is what was sent. Rejects with `bad-request` where it is no Ed25519 key, or its id is taken. */
  async add(body: unknown, actor: EmbedActor): Promise<EmbedKey> {
    const draft = checkEmbedKeyDraft(body);
    const x = await readPublicKey(draft);
    const kid = draft.kid ?? kidOfJwk(draft) ?? (await thumbprint(x));
    const key: KnownEmbedKey = {
      ...{ kty: "OKP", crv: "Ed25519", x, kid, alg: algorithm, use: "sig", source: "host" },
      ...{ name: draft.name ?? kid, tables: draft.tables ?? null },
      ...{ frameAncestors: draft.frameAncestors ?? null, owner: actor.owner, privateKey: null },
      ...{ createdMs: this.#nowMs(), createdBy: actor.who, endsMs: null },
    };
    return this.#registry.change("embeds", async (transaction) => {
      await removeEndedKeys(transaction, { kid, nowMs: this.#nowMs() });
      await checkCount(transaction);
      await checkFree(transaction, kid);
      await insertKeyRow(transaction, key);
      await this.#write(transaction, actor, "embed-key.add", key);
      return shownKey(key);
    });
  }

  /** One's own, of admins any of a host. Rejects with `unknown-key`. */
  remove(kid: string, actor: EmbedActor): Promise<void> {
    return this.#registry.change("embeds", async (transaction) => {
      const key = (await this.#rows(transaction)).find((one) => one.kid === kid);
      if (key === undefined || !mayChange(key, actor))
        throw new HadalError("unknown-key", { id: kid.slice(0, 80) });
      if (key.source === "server") {
        const detail = "This is a key of the server: replace it (POST /embeds/keys/rotate).";
        throw new HadalError("bad-request", { detail });
      }
      // It is known for a day: to those who have its tokens they are revoked, not unknown.
      await endKeys(transaction, { kid }, this.#nowMs());
      await this.#write(transaction, actor, "embed-key.delete", key);
    });
  }

  /** A new key signs from now on; tokens that were signed before are valid until they expire. */
  async rotate(actor: Actor): Promise<EmbedKey> {
    const key = await this.#newKey();
    return this.#registry.change("embeds", async (transaction) => {
      await endKeys(transaction, "of the server", this.#nowMs() + overlapMs);
      await insertKeyRow(transaction, key);
      await this.#write(transaction, actor, "embed-key.rotate", key);
      return shownKey(key);
    });
  }

  async #create(): Promise<void> {
    const key = await this.#newKey();
    await this.#registry.change("embeds", async (transaction) => {
      const known = await this.#rows(transaction);
      if (known.some(({ source, endsMs }) => source === "server" && endsMs === null)) return;
      await insertKeyRow(transaction, key);
    });
  }

  async #newKey(): Promise<KnownEmbedKey> {
    const { publicKey, privateKey } = await generateKeyPair(algorithm, {
      ...{ crv: "Ed25519", extractable: true },
    });
    const { x = "" } = await exportJWK(publicKey);
    const { d = "" } = await exportJWK(privateKey);
    return {
      ...{ kty: "OKP", crv: "Ed25519", x, kid: await thumbprint(x), alg: algorithm, use: "sig" },
      ...{ source: "server", name: "Hadal", tables: null, frameAncestors: null },
      ...{ createdMs: this.#nowMs(), createdBy: null, endsMs: null },
      ...{ owner: { kind: "anyone", id: null }, privateKey: d },
    };
  }

  #rows(database: Parameters<typeof listKeyRows>[0]): Promise<readonly KnownEmbedKey[]> {
    const warn = (text: string): void => this.#registry.warn(text);
    return listKeyRows(database, { endedSinceMs: this.#nowMs(), warn });
  }

  async #write(
    transaction: RegistryTransaction,
    actor: Actor,
    action: "embed-key.add" | "embed-key.delete" | "embed-key.rotate",
    { name, kid }: EmbedKey,
  ): Promise<void> {
    const target = name === kid ? kid : `${name} (${kid})`;
    await this.#audit.write(transaction, this.#audit.entry(actor, action, target));
  }
}

/** Whether the actor made it, or changes what others made. */
export const mayChange = ({ owner }: { readonly owner: EmbedOwner }, actor: EmbedActor): boolean =>
  actor.isAdmin || (owner.kind === actor.owner.kind && owner.id === actor.owner.id);

function shownKey({ privateKey: _, owner: __, ...key }: KnownEmbedKey): EmbedKey {
  return key;
}

/** `x` of its JWK. */
async function readPublicKey({ jwk, publicKey }: EmbedKeyDraft): Promise<string> {
  try {
    const { kty, crv, x, d } = (jwk ?? (await jwkOfPem(publicKey ?? ""))) as JWK;
    // Whoever sends a private key has made it public.
    if (d !== undefined) throw notAKey("send the public key alone, and make a new pair");
    if (kty !== "OKP" || crv !== "Ed25519" || x === undefined)
      throw notAKey("it is of another kind");
    await importJWK({ kty, crv, x }, algorithm);
    return x;
  } catch (error) {
    if (error instanceof HadalError) throw error;
    throw notAKey("it cannot be read");
  }
}

const jwkOfPem = async (pem: string): Promise<JWK> =>
  exportJWK(await importSPKI(pem, algorithm, { extractable: true }));

function notAKey(why: string): HadalError {
  const detail = `The key is an Ed25519 public key, as JWK or in PEM; ${why}.`;
  return new HadalError("bad-request", { detail });
}

function kidOfJwk({ jwk }: EmbedKeyDraft): string | undefined {
  const { kid } = (jwk ?? {}) as { readonly kid?: unknown };
  if (kid === undefined) return undefined;
  if (typeof kid === "string" && kid !== "" && kid.length <= 100) return kid;
  throw new HadalError("bad-request", { detail: "`kid` is a text of 1 to 100 characters." });
}

const thumbprint = (x: string): Promise<string> =>
  calculateJwkThumbprint({ kty: "OKP", crv: "Ed25519", x });

async function checkFree(transaction: RegistryTransaction, kid: string): Promise<void> {
  const taken = await transaction
    .selectFrom("embed_key")
    .select("kid")
    .where("kid", "=", kid)
    .executeTakeFirst();
  if (taken === undefined) return;
  throw new HadalError("bad-request", { detail: "There is a key with this `kid` already." });
}

async function checkCount(transaction: RegistryTransaction): Promise<void> {
  const { count } = await transaction
    .selectFrom("embed_key")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  if (Number(count) < keysMax) return;
  throw new HadalError("bad-request", { detail: `There are ${keysMax} keys (keysMax).` });
}
