/** Why a sign-in at the provider came to nothing; the sign-in page has a sentence for each. */
export type OidcReason =
  | "provider-unavailable"
  /** The sign-in took too long, was used already, or began in another browser. */
  | "expired"
  /** The provider's answer is an error, such as a person who declined. */
  | "refused"
  /** The provider's answer does not pass the checks. */
  | "failed"
  /** Hadal does not let this person in. */
  | "not-allowed";

/** `message` is for the log alone: it may have texts of the provider. */
export class OidcFailure extends Error {
  constructor(
    readonly reason: OidcReason,
    message: string,
  ) {
    super(message);
    this.name = "OidcFailure";
  }
}

/** A provider's text for the log: one short line. */
export function quoteForLog(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  const parts = [message, codeOf(error), cause instanceof Error ? cause.message : ""];
  return parts
    .filter((part) => part !== "")
    .join(": ")
    .replace(/\p{Cc}+/gu, " ")
    .slice(0, 300);
}

/** The code of an error that the provider answered with, such as `invalid_grant`. */
function codeOf(error: unknown): string {
  const { error: code, cause } = (error ?? {}) as { error?: unknown; cause?: unknown };
  const [challenge] = Array.isArray(cause) ? cause : [];
  const found = code ?? challenge?.parameters?.error;
  return typeof found === "string" ? found : "";
}
