import { createHash, timingSafeEqual } from "node:crypto";

/** Compares in constant time, whatever the keys and their lengths. */
export function keysEqual(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}
