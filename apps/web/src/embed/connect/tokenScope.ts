/** Claims that differ between tokens for the same. */
const passing: ReadonlySet<string> = new Set(["exp", "iat", "nbf", "jti"]);

/**
 * What a token is for, as a text: the same for a token and the one that renews it. The server alone knows whether it is
 * valid. A token that cannot be read is like itself alone.
 */
export function scopeOfToken(token: string): string {
  const [head, claims] = token.split(".");
  try {
    const entries = Object.entries(JSON.parse(decoded(claims ?? "")) as object);
    return JSON.stringify([head, entries.filter(([name]) => !passing.has(name))]);
  } catch {
    return token;
  }
}

/** Its bytes as letters: enough to compare texts. */
const decoded = (base64url: string): string =>
  atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
