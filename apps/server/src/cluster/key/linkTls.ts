import { hkdfSync } from "node:crypto";
import type { ConnectionOptions, TlsOptions } from "node:tls";

/**
 * Links between machines are encrypted by the key that all members have (TLS-PSK, RFC 4279, with the
 * ephemeral keys of RFC 5489): there is no certificate to issue or to renew, and who does not have the
 * key can neither read a link nor stand between its ends.
 */
const cipher = "ECDHE-PSK-CHACHA20-POLY1305";
const identity = "hadal-link";
/** Node has these ciphers with this version. */
const version = "TLSv1.2";

/** Of the cluster's key: the key itself goes over no link that it encrypts. */
const linkKey = (key: string): Buffer =>
  Buffer.from(hkdfSync("sha256", key, "", "hadal link encryption", 32));

export function linkServerOptions(key: string): TlsOptions {
  const psk = linkKey(key);
  return {
    ...{ ciphers: cipher, minVersion: version, maxVersion: version },
    pskCallback: (_, found) => (found === identity ? psk : null),
  };
}

export function linkClientOptions(key: string): ConnectionOptions {
  const psk = linkKey(key);
  return {
    ...{ ciphers: cipher, minVersion: version, maxVersion: version },
    pskCallback: () => ({ psk, identity }),
    // The key proves who the other end is; it has no certificate.
    checkServerIdentity: () => undefined,
  };
}
