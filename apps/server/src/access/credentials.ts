import { HadalError, type SignInWays } from "@hadal/sdk";

/** What a request says of who sends it. */
export interface Credentials {
  /** The token that it carries; an empty text: what it carries is none. */
  readonly token: string | null;
  /** A signature in its address, where the route takes one. */
  readonly signature?: string;
  /** The secret of its session, from the cookie. */
  readonly session: string | null;
  /** Who signed in at a trusted proxy. */
  readonly external: { readonly name: string; readonly groups: readonly string[] } | null;
  readonly address: string;
}

/** One text for all reasons: it does not say whether a token, a session or a user exists. */
export function unauthenticated(
  signIn: SignInWays,
  detail = "Sign in, or send a token that is valid.",
): HadalError {
  return new HadalError("unauthenticated", { detail }, [], { signIn });
}
