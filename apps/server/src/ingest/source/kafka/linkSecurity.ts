import { isIP } from "node:net";
import { HadalError, type KafkaSource, passwordVariableDefault } from "@hadal/sdk";
import type { ConnectionOptions } from "@platformatic/kafka";

export type LinkSecurity = Pick<ConnectionOptions, "tls" | "tlsServerName" | "sasl">;

const hostOf = (broker: string): string =>
  new URL(`kafka://${broker}`).hostname.replace(/^\[|\]$/g, "");

/**
 * How connections to brokers are encrypted, and who Hadal says it is. `secretOf`: the value of an
 * environment variable. Throws where the password is not set.
 */
export function linkSecurity(
  { brokers, tls, sasl }: KafkaSource,
  secretOf: (variable: string) => string | undefined,
): LinkSecurity {
  const areNames = brokers.every((broker) => isIP(hostOf(broker)) === 0);
  const encrypted = tls === true ? { tls: {}, ...(areNames && { tlsServerName: true }) } : {};
  if (sasl === undefined) return encrypted;
  const { mechanism, username, passwordFrom = passwordVariableDefault } = sasl;
  const password = secretOf(passwordFrom);
  if (password !== undefined && password !== "")
    return { ...encrypted, sasl: { mechanism, username, password } };
  const detail = `The environment of this gateway has no ${passwordFrom}: the password of ${username}.`;
  throw new HadalError("bad-request", { detail });
}
