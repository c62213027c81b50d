import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  clockTolerance,
  discovery,
  None,
} from "openid-client";
import { OidcFailure, quoteForLog } from "./oidcFailure.js";

export interface OidcProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a public client, which PKCE alone protects. */
  readonly clientSecret: string | null;
}

/** A provider that is away makes no one wait longer, */
const timeoutSeconds = 5;
/** is asked again after this, */
const retryMs = 3_000;
/** and its endpoints are read again after this. */
const freshMs = 3_600_000;
/** Its clock and ours may differ by so much. */
const toleranceSeconds = 30;

interface Found {
  readonly configuration: Configuration;
  readonly atMs: number;
}

/** The provider's endpoints and keys, discovered when they are first needed. */
export class OidcProvider {
  readonly #settings: OidcProviderSettings;
  readonly #nowMs: () => number;
  #found: Found | null = null;
  #asking: Promise<Found> | null = null;
  #failure: { readonly error: OidcFailure; readonly atMs: number } | null = null;

  constructor(settings: OidcProviderSettings, nowMs: () => number) {
    this.#settings = settings;
    this.#nowMs = nowMs;
  }

  /** Rejects with `provider-unavailable`. */
  async configuration(): Promise<Configuration> {
    const nowMs = this.#nowMs();
    if (this.#found !== null && nowMs - this.#found.atMs < freshMs)
      return this.#found.configuration;
    if (this.#found === null && this.#failure !== null && nowMs - this.#failure.atMs < retryMs)
      throw this.#failure.error;
    this.#asking ??= this.#discover().finally(() => {
      this.#asking = null;
    });
    try {
      return (await this.#asking).configuration;
    } catch (error) {
      // What was found earlier is most likely still right.
      if (this.#found !== null) return this.#found.configuration;
      throw error;
    }
  }

  async #discover(): Promise<Found> {
    const { issuer, clientId, clientSecret } = this.#settings;
    const url = new URL(issuer);
    // Plain HTTP only on this machine.
    const execute = isLoopback(url) ? [allowInsecureRequests] : [];
    try {
      const options = { execute, timeout: timeoutSeconds };
      const found = await discovery(url, clientId, undefined, None(), options);
      const server = found.serverMetadata();
      const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
      const withSecret = methods.includes("client_secret_basic")
        ? ClientSecretBasic
        : ClientSecretPost;
      const configuration = new Configuration(
        server,
        clientId,
        { [clockTolerance]: toleranceSeconds },
        clientSecret === null ? None() : withSecret(clientSecret),
      );
      configuration.timeout = timeoutSeconds;
      for (const apply of execute) apply(configuration);
      this.#found = { configuration, atMs: this.#nowMs() };
      this.#failure = null;
      return this.#found;
    } catch (error) {
      const failure = new OidcFailure("provider-unavailable", `${issuer}: ${quoteForLog(error)}`);
      this.#failure = { error: failure, atMs: this.#nowMs() };
      throw failure;
    }
  }
}

function isLoopback({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
