import type { EmbedKeyDraft } from "@hadal/sdk";

/** The key of a draft, or why the pasted text is none. */
export type ReadKey =
  | { readonly ok: true; readonly key: Pick<EmbedKeyDraft, "jwk" | "publicKey"> }
  | { readonly ok: false; readonly reason: string };

const refused = (reason: string): ReadKey => ({ ok: false, reason });
const isPrivate =
  "This is a private key. It must not leave your server: paste the public one, and replace this one if others have seen it.";
const wrongKind = "Only Ed25519 keys can be used (kty OKP, crv Ed25519).";

/** Reads a public key as JWK or PEM. A private one is refused here, before it is sent anywhere. */
export function readKey(text: string): ReadKey {
  const trimmed = text.trim();
  if (trimmed === "") return refused("Paste a public key.");
  return trimmed.startsWith("{") ? readJwk(trimmed) : readPem(trimmed);
}

function readJwk(text: string): ReadKey {
  let jwk: unknown;
  try {
    jwk = JSON.parse(text);
  } catch {
    return refused("This begins like a JWK, but is not JSON.");
  }
  if (typeof jwk !== "object" || jwk === null) return refused("A JWK is a JSON object.");
  const { kty, crv, x, d, k, keys } = jwk as Readonly<Record<string, unknown>>;
  if (keys !== undefined) return refused("This is a set of keys: paste one of them.");
  if (d !== undefined || k !== undefined) return refused(isPrivate);
  if (kty !== "OKP" || crv !== "Ed25519") return refused(wrongKind);
  if (typeof x !== "string" || !/^[\w-]{43}$/.test(x)) {
    return refused("Its member x is not a key of 32 bytes in base64url.");
  }
  return { ok: true, key: { jwk: { kty, crv, x } } };
}

/** What the DER of every Ed25519 public key begins with. */
const ed25519Head = "MCowBQYDK2VwAyEA";

function readPem(text: string): ReadKey {
  if (/PRIVATE KEY/.test(text)) return refused(isPrivate);
  const body = /^-----BEGIN PUBLIC KEY-----([\s\w+/=]*)-----END PUBLIC KEY-----$/.exec(text)?.[1];
  if (body === undefined) {
    return refused("This is neither a JWK nor a PEM text (-----BEGIN PUBLIC KEY-----).");
  }
  const isEd25519 = body.replaceAll(/\s/g, "").startsWith(ed25519Head);
  return isEd25519 ? { ok: true, key: { publicKey: `${text}\n` } } : refused(wrongKind);
}
