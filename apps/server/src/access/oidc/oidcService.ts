import type { Role } from "@hadal/sdk";
import { OidcFailure } from "./oidcFailure.js";
import type { BegunSignIn, OidcPerson, OidcSignIn } from "./oidcSignIn.js";

/** Someone whom the provider has signed in. */
interface ExternalPerson extends OidcPerson {
  readonly source: "oidc";
  readonly role?: Role;
}

/** What `Access` does with such a person. */
export interface ExternalAccess {
  /** Starts a session. Rejects with a HadalError where the person may not come in. */
  signInExternally(
    person: ExternalPerson,
    from: { readonly address: string },
  ): Promise<{ readonly secret: string }>;
  /** Undefined: roles do not depend on groups. */
  roleOfGroups(groups: readonly string[]): Role | undefined;
}

export interface OidcServiceOptions {
  readonly signIn: OidcSignIn;
  readonly access: ExternalAccess;
  readonly warn: (text: string) => void;
}

export interface FinishedSignIn {
  /** Of the session's cookie. */
  readonly secret: string;
  /** The path to go to. */
  readonly to: string;
}

/** From the provider's answer to a session. Every failure is an {@link OidcFailure}, and is in the log. */
export class OidcService {
  readonly #options: OidcServiceOptions;

  constructor(options: OidcServiceOptions) {
    this.#options = options;
  }

  /** Rejects with `bad-request` for a `to` that is no path of the page. */
  begin(to: string, redirectUri: string): Promise<BegunSignIn> {
    return this.#logged(() => this.#options.signIn.begin(to, redirectUri));
  }

  finish(
    cookie: string | undefined,
    answer: URLSearchParams,
    address: string,
  ): Promise<FinishedSignIn> {
    const { signIn, access } = this.#options;
    return this.#logged(async () => {
      const { person, to } = await signIn.finish(cookie, answer);
      const role = access.roleOfGroups(person.groups);
      const external = {
        ...person,
        source: "oidc",
        ...(role === undefined ? {} : { role }),
      } as const;
      try {
        const { secret } = await access.signInExternally(external, { address });
        return { secret, to };
      } catch (error) {
        // No such name can be had here, the user is disabled, or the registry is away.
        throw new OidcFailure(
          "not-allowed",
          error instanceof Error ? error.message : String(error),
        );
      }
    });
  }

  async #logged<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof OidcFailure)
        this.#options.warn(`oidc: ${error.reason}: ${error.message}`);
      throw error;
    }
  }
}
