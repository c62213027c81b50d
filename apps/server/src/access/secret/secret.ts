import { createHash, randomBytes } from "node:crypto";

/** 256 random bits, as base64url: it cannot be guessed, so that a fast hash protects it. */
export const newSecret = (): string => randomBytes(32).toString("base64url");

/**
 * What is stored of a secret. It is found by its hash: how long that takes says nothing of the secret, because no
 * secret can be chosen for a wanted beginning of its hash.
 */
export const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");
