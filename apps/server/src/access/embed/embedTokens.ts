import { randomUUID } from "node:crypto";
import {
  bigintAsText,
  type EmbedImage,
  type EmbedScope,
  embedAudience,
  embedExpiresMsMax,
  HadalError,
  type SignInWays,
} from "@hadal/sdk";
import { checkEmbedScope } from "@hadal/sdk/checks";
import {
  type CryptoKey,
  decodeProtectedHeader,
  errors,
  importJWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from "jose";
import { type EmbedPass, endedPass, invalidPass } from "./embedPass.js";
import { hasEnded, type KnownEmbedKey } from "./embedRows.js";
import type { KnownEmbeds } from "./knownEmbeds.js";

const algorithm = "EdDSA";
/** The claim `aud` of a signature for one picture. */
const imageAudience = "hadal-image";
/** A host's clock may be off by so much. Only `exp` holds to the second: it ends access. */
const clockToleranceMs = 300_000;
/** A filter of a thousand values. */
const tokenUnitsMax = 32_768;

/** What a signature says beside its keys: for whom, and until when. */
export interface Signed {
  readonly audience: string;
  readonly expiresMs: number;
  readonly claims: JWTPayload;
}

/** Signs with the server's key, and verifies by all known keys. */
export class EmbedTokens {
  readonly #known: KnownEmbeds;
  readonly #nowMs: () => number;
  /** By the key itself. */
  readonly #imported = new Map<string, Promise<CryptoKey>>();

  constructor(known: KnownEmbeds, nowMs: () => number) {
    this.#known = known;
    this.#nowMs = nowMs;
  }

  /** `scope` travels without what only the server needs. */
  signEmbed(key: KnownEmbedKey, id: string, scope: EmbedScope): Promise<Issued> {
    const { title: _, query: __, view: ___, mayOpen: ____, expiresInMs, ...bounds } = scope;
    // Whole seconds, as the claims of a token.
    const expiresMs = Math.floor((this.#nowMs() + expiresInMs) / 1_000) * 1_000;
    const claims = { sub: id, hadal: bounds };
    return this.sign(key, { audience: embedAudience, expiresMs, claims });
  }

  async sign(key: KnownEmbedKey, { audience, expiresMs, claims }: Signed): Promise<Issued> {
    if (key.privateKey === null) throw new Error("a host's key signs nothing here");
    const token = await new SignJWT(claims)
      .setProtectedHeader({ alg: algorithm, kid: key.kid, typ: "JWT" })
      .setAudience(audience)
      .setIssuedAt(Math.floor(this.#nowMs() / 1_000))
      .setExpirationTime(expiresMs / 1_000)
      .setJti(randomUUID())
      .sign(await this.#import({ ...jwkOf(key), d: key.privateKey }));
    return { token, expiresMs };
  }

  /** Rejects with `token-scope` for what is no token for embeds, `unauthenticated` for one that has ended. */
  async verifyEmbed(token: string, signIn: SignInWays): Promise<EmbedPass> {
    const { key, payload } = await this.verify(token, embedAudience, signIn);
    const { sub, iat, exp, hadal } = payload;
    const isOwn = key.source === "server";
    if (isOwn && sub === undefined) throw invalidPass();
    const scope = this.#scopeOf(hadal);
    return {
      ...{
        kid: key.kid,
        x: key.x,
        embedId: isOwn ? sub! : null,
        scope,
        keyHosts: key.frameAncestors,
      },
      ...{ issuedMs: (iat ?? 0) * 1_000, expiresMs: exp! * 1_000 },
    };
  }

  /** `image` travels as it was checked; the signature shows it and nothing else. */
  signImage(key: KnownEmbedKey, id: string, { image, expiresInMs }: ImageToSign): Promise<Issued> {
    const expiresMs = Math.floor((this.#nowMs() + expiresInMs) / 1_000) * 1_000;
    const claims = { sub: id, image: JSON.stringify(image, bigintAsText) };
    return this.sign(key, { audience: imageAudience, expiresMs, claims });
  }

  /** Rejects like `verifyEmbed`; also where the embed is not known. */
  async verifyImage(signature: string, signIn: SignInWays): Promise<EmbedPass> {
    const { key, payload } = await this.verify(signature, imageAudience, signIn);
    const { sub, iat, exp, image } = payload;
    const embed = sub === undefined ? undefined : this.#known.embed(sub);
    if (key.source !== "server" || typeof image !== "string") throw invalidPass();
    if (sub === undefined || embed === undefined) throw endedPass(signIn);
    return {
      ...{ kid: key.kid, x: key.x, keyHosts: key.frameAncestors },
      ...{ embedId: sub, scope: embed.scope, image: JSON.parse(image) },
      ...{ issuedMs: (iat ?? 0) * 1_000, expiresMs: exp! * 1_000 },
    };
  }

  /** The claims of a token for that audience. Rejects like `verifyEmbed`. */
  async verify(
    token: string,
    audience: string,
    signIn: SignInWays,
  ): Promise<{ readonly key: KnownEmbedKey; readonly payload: JWTPayload }> {
    const key = this.#keyOf(token);
    const nowMs = this.#nowMs();
    const payload = await jwtVerify(token, await this.#import(jwkOf(key)), {
      ...{ algorithms: [algorithm], audience, requiredClaims: ["exp", "jti"] },
      ...{ clockTolerance: clockToleranceMs / 1_000, currentDate: new Date(nowMs) },
    })
      .then((verified) => verified.payload)
      .catch((error: unknown) => {
        if (error instanceof errors.JWTExpired) throw endedPass(signIn);
        // The signature holds: whoever signed learns what is wrong with the rest.
        if (error instanceof errors.JWTClaimValidationFailed) throw wrongClaim(error.claim);
        if (error instanceof errors.JOSEError || error instanceof TypeError) throw invalidPass();
        throw error;
      });
    checkTimes(payload, nowMs, signIn);
    if (hasEnded(key, nowMs)) throw endedPass(signIn);
    return { key, payload };
  }

  #keyOf(token: string): KnownEmbedKey {
    const kid = token.length > tokenUnitsMax ? undefined : kidOf(token);
    const key = kid === undefined ? undefined : this.#known.anyKey(kid);
    if (key === undefined) throw invalidPass();
    return key;
  }

  #scopeOf(hadal: unknown): EmbedScope {
    try {
      return checkEmbedScope(hadal, "token");
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      throw invalidPass(`The claim \`hadal\` of the token: ${error.message}`);
    }
  }

  #import(jwk: { readonly x: string; readonly d?: string }): Promise<CryptoKey> {
    const name = `${jwk.x} ${jwk.d ?? ""}`;
    const known = this.#imported.get(name);
    if (known !== undefined) return known;
    const imported = importJWK({ kty: "OKP", crv: "Ed25519", ...jwk }, algorithm);
    this.#imported.set(name, imported as Promise<CryptoKey>);
    return imported as Promise<CryptoKey>;
  }
}

export interface ImageToSign {
  readonly image: EmbedImage;
  readonly expiresInMs: number;
}

interface Issued {
  readonly token: string;
  readonly expiresMs: number;
}

/** `exp` is there. A host's clock may be ahead or behind; that does not lengthen what it signs. */
function checkTimes({ iat, exp }: JWTPayload, nowMs: number, signIn: SignInWays): void {
  const expMs = exp! * 1_000;
  const latestMs = nowMs + clockToleranceMs;
  const issuedMs = iat === undefined ? latestMs : iat * 1_000;
  if (issuedMs > latestMs) throw wrongClaim("iat");
  if (expMs <= nowMs) throw endedPass(signIn);
  if (expMs <= issuedMs + embedExpiresMsMax) return;
  throw invalidPass("An embed token is valid for at most a day: its claim `exp` is later.");
}

function wrongClaim(claim: string): HadalError {
  const isTime = claim === "iat" || claim === "nbf";
  const why = isTime
    ? "it is in the future. The clock of the host may be at most 5 minutes off."
    : "it is missing or wrong.";
  return invalidPass(`The claim \`${claim}\` of the embed token is refused: ${why}`);
}

const jwkOf = ({ x }: KnownEmbedKey) => ({ x });

function kidOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
}
