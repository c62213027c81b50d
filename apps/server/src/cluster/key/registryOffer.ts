import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import type { RegistryRequest } from "@hadal/sdk";
import { keysEqual } from "./sharedKey.js";

/**
 * How a member that joins learns from a gateway where the registry is: it proves that it has the
 * cluster's key, and gets the address sealed with it (AES-256-GCM), because that has a password.
 */
const algorithm = "aes-256-gcm";
const noncePattern = /^[0-9a-f]{32}$/;
const [ivBytes, tagBytes] = [12, 16];

export function askForRegistry(key: string): RegistryRequest {
  const nonce = randomBytes(16).toString("hex");
  return { nonce, proof: proofOf(key, nonce) };
}

/** Null: whoever asks does not have the key. */
export function sealRegistry(
  key: string,
  { nonce, proof }: RegistryRequest,
  databaseUrl: string,
): string | null {
  if (!noncePattern.test(nonce) || !keysEqual(proof, proofOf(key, nonce))) return null;
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, sealingKey(key, nonce), iv);
  const sealed = Buffer.concat([cipher.update(databaseUrl, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64");
}

/** Throws where it was not sealed for this request with this key. */
export function openRegistryOffer(key: string, { nonce }: RegistryRequest, sealed: string): string {
  const bytes = Buffer.from(sealed, "base64");
  const decipher = createDecipheriv(algorithm, sealingKey(key, nonce), bytes.subarray(0, ivBytes));
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  const body = bytes.subarray(ivBytes + tagBytes);
  return decipher.update(body, undefined, "utf8") + decipher.final("utf8");
}

const proofOf = (key: string, nonce: string): string =>
  createHmac("sha256", key).update(`hadal registry ${nonce}`).digest("hex");

const sealingKey = (key: string, nonce: string): Buffer =>
  Buffer.from(hkdfSync("sha256", key, nonce, "hadal registry", 32));
