import type { HadalError } from "@hadal/sdk";

/** Why a sign-in failed, and how long the next one must wait. */
export interface SignInFailure {
  readonly text: string;
  readonly waitMs: number;
}

/** A server that says nothing is asked again after this. */
const waitMsDefault = 1_000;

export function signInFailure(error: HadalError): SignInFailure {
  if (error.code === "unauthenticated") return { text: error.message, waitMs: 0 };
  if (error.code === "quota-exceeded" || error.code === "overloaded") {
    const { retryAfterMs } = error.members;
    const waitMs = typeof retryAfterMs === "number" ? retryAfterMs : waitMsDefault;
    return { text: "Too many attempts.", waitMs };
  }
  return { text: error.errors[0]?.detail ?? error.message, waitMs: 0 };
}

/** The page to return to: only paths of this page, since two slashes would lead to another server. */
export function returnPath({ pathname, search }: Pick<Location, "pathname" | "search">): string {
  const isOwn = /^\/(?![/\\])/.test(pathname) && !/^\/(setup|signin)(\/|$)/.test(pathname);
  return isOwn ? pathname + search : "/";
}

export const oidcPath = (to: string): string => `/api/v1/session/oidc?to=${encodeURIComponent(to)}`;

/** Why a provider did not sign in, by the reason in the address `/signin?problem=…`; null: none. */
export function providerProblem({ pathname, search }: Pick<Location, "pathname" | "search">) {
  const reason = new URLSearchParams(search).get("problem");
  if (pathname !== "/signin" || reason === null) return null;
  return Object.hasOwn(problems, reason) ? problems[reason] : problems.failed;
}

const problems: Readonly<Record<string, string>> = {
  "provider-unavailable": "The provider does not answer now. Try again in a moment.",
  expired: "That sign-in took too long. Begin again.",
  refused: "The provider did not sign you in.",
  failed: "The sign-in at the provider failed. The server's log has the reason.",
  "not-allowed": "The provider knows you, but you may not use this server. Ask an admin.",
};
