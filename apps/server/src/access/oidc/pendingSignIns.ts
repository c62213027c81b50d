import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** A sign-in that is under way at the provider. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  /** The path of the page to go to afterwards. */
  readonly to: string;
}

/** Time to type a password and a second factor. */
export const pendingMsMax = 600_000;
/** Each needs a whole sign-in at the provider: people do not make this many in ten minutes. */
const usedMax = 100_000;
const cipher = "aes-256-gcm";
const ivBytes = 12;
const tagBytes = 16;

/**
 * Keeps pending sign-ins in cookies of their browsers, encrypted, so that asking for many fills no memory here. Each can
 * be opened once, until it expires or this process ends.
 */
export class PendingSignIns {
  readonly #key = randomBytes(32);
  /** States that were used, with when they expire; the oldest first. */
  readonly #used = new Map<string, number>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** The text of a cookie. */
  seal(pending: PendingSignIn): string {
    const iv = randomBytes(ivBytes);
    const sealing = createCipheriv(cipher, this.#key, iv);
    const text = JSON.stringify({ ...pending, expiresMs: this.#nowMs() + pendingMsMax });
    const bytes = Buffer.concat([sealing.update(text, "utf8"), sealing.final()]);
    return Buffer.concat([iv, sealing.getAuthTag(), bytes]).toString("base64url");
  }

  /** Null: the cookie is not from here, has expired, or was used before. */
  useOnce(cookie: string): PendingSignIn | null {
    const nowMs = this.#nowMs();
    for (const [state, expiresMs] of this.#used) {
      if (expiresMs > nowMs && this.#used.size < usedMax) break;
      this.#used.delete(state);
    }
    const opened = this.#open(cookie);
    if (opened === null || opened.expiresMs <= nowMs || this.#used.has(opened.state)) return null;
    const { expiresMs, ...pending } = opened;
    this.#used.set(pending.state, expiresMs);
    return pending;
  }

  #open(cookie: string): (PendingSignIn & { readonly expiresMs: number }) | null {
    const bytes = Buffer.from(cookie, "base64url");
    if (bytes.length <= ivBytes + tagBytes) return null;
    try {
      const opening = createDecipheriv(cipher, this.#key, bytes.subarray(0, ivBytes));
      opening.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      const text = opening.update(bytes.subarray(ivBytes + tagBytes), undefined, "utf8");
      return JSON.parse(text + opening.final("utf8"));
    } catch {
      return null;
    }
  }
}
