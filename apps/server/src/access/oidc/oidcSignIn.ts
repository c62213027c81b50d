import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from "openid-client";
import { OidcFailure, quoteForLog } from "./oidcFailure.js";
import { OidcProvider, type OidcProviderSettings } from "./oidcProvider.js";
import { pathOfPage } from "./pathOfPage.js";
import { PendingSignIns } from "./pendingSignIns.js";

export interface OidcSettings extends OidcProviderSettings {
  /** The claim that lists a person's groups. */
  readonly groupsClaim: string;
}

/** A person as the provider knows them. */
export interface OidcPerson {
  /** Never changes, and belongs to no one else: issuer and `sub`. */
  readonly subject: string;
  readonly name: string;
  readonly groups: readonly string[];
}

export interface BegunSignIn {
  /** Where the browser goes. */
  readonly url: string;
  /** For the cookie that comes back with the answer. */
  readonly cookie: string;
}

type Claims = Readonly<Record<string, unknown>>;

const groupsMax = 1_000;

/** Signs people in at an OpenID Connect provider: code flow with PKCE, state and nonce. */
export class OidcSignIn {
  readonly #settings: OidcSettings;
  readonly #provider: OidcProvider;
  readonly #pending: PendingSignIns;

  constructor(settings: OidcSettings, nowMs: () => number) {
    this.#settings = settings;
    this.#provider = new OidcProvider(settings, nowMs);
    this.#pending = new PendingSignIns(nowMs);
  }

  /** `to`: the path to go to afterwards. Rejects with `bad-request`, or an {@link OidcFailure}. */
  async begin(to: string, redirectUri: string): Promise<BegunSignIn> {
    const path = pathOfPage(to);
    const configuration = await this.#provider.configuration();
    const codeVerifier = randomPKCECodeVerifier();
    const [state, nonce] = [randomState(), randomNonce()];
    const url = buildAuthorizationUrl(configuration, {
      ...{ redirect_uri: redirectUri, scope: scopesFor(configuration), state, nonce },
      code_challenge: await calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: "S256",
    });
    const pending = { state, nonce, codeVerifier, redirectUri, to: path };
    return { url: url.href, cookie: this.#pending.seal(pending) };
  }

  /** `answer`: the parameters with which the browser comes back. Rejects with an {@link OidcFailure}. */
  async finish(
    cookie: string | undefined,
    answer: URLSearchParams,
  ): Promise<{ readonly person: OidcPerson; readonly to: string }> {
    const pending = this.#pending.useOnce(cookie ?? "");
    if (pending === null) throw new OidcFailure("expired", "no pending sign-in");
    const configuration = await this.#provider.configuration();
    const url = new URL(pending.redirectUri);
    url.search = answer.toString();
    try {
      const tokens = await authorizationCodeGrant(configuration, url, {
        pkceCodeVerifier: pending.codeVerifier,
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        idTokenExpected: true,
      });
      const claims = await this.#allClaims(configuration, tokens.claims(), tokens.access_token);
      return { person: this.#personOf(claims), to: pending.to };
    } catch (error) {
      throw failureOf(error);
    }
  }

  /** Many providers put names and groups only into the answer of the userinfo endpoint. */
  async #allClaims(
    configuration: Configuration,
    claims: Claims | undefined,
    accessToken: string,
  ): Promise<Claims> {
    if (typeof claims?.sub !== "string") throw new OidcFailure("failed", "the ID token has no sub");
    const isWhole = nameOf(claims) !== null && this.#settings.groupsClaim in claims;
    if (isWhole || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
    return { ...(await fetchUserInfo(configuration, accessToken, claims.sub)), ...claims };
  }

  #personOf(claims: Claims): OidcPerson {
    const { issuer, groupsClaim } = this.#settings;
    const groups = claims[groupsClaim];
    const listed = Array.isArray(groups) ? groups : [groups];
    return {
      subject: `${issuer} ${claims.sub}`,
      name: nameOf(claims) ?? String(claims.sub),
      groups: listed
        .filter((group) => typeof group === "string" && group !== "")
        .slice(0, groupsMax),
    };
  }
}

function nameOf(claims: Claims): string | null {
  for (const claim of ["preferred_username", "email", "name"]) {
    // Whoever signs up may claim any address, until it is verified.
    if (claim === "email" && claims.email_verified === false) continue;
    const value = claims[claim];
    if (typeof value === "string" && value.trim() !== "") return value;
  }
  return null;
}

/** `groups` only where the provider has it: others refuse a scope that they do not know. */
function scopesFor(configuration: Configuration): string {
  const { scopes_supported: supported = [] } = configuration.serverMetadata();
  return ["openid", "profile", "email", ...(supported.includes("groups") ? ["groups"] : [])].join(
    " ",
  );
}

function failureOf(error: unknown): OidcFailure {
  if (error instanceof OidcFailure) return error;
  if (error instanceof AuthorizationResponseError)
    return new OidcFailure("refused", quoteForLog(error));
  const isLate = (error as { readonly code?: unknown } | null)?.code === "OAUTH_TIMEOUT";
  // `fetch` rejects with a TypeError where it has no connection.
  const isAway = isLate || error instanceof TypeError;
  return new OidcFailure(isAway ? "provider-unavailable" : "failed", quoteForLog(error));
}
