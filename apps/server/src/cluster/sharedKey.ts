import { createHash, timingSafeEqual } from "node:crypto";

/** Compares in a time that tells nothing about either key, not even its length. */
export function keysEqual(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
