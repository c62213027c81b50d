import * as real from "node:crypto";
import { isWorldRunning, world } from "../world/world.js";

export const { createHash, createHmac, timingSafeEqual } = real;
export const {
  createPrivateKey,
  createPublicKey,
  sign,
  verify,
  generateKeyPairSync,
  X509Certificate,
} = real;
export const { createCipheriv, createDecipheriv, hkdfSync, scrypt } = real;

export function randomBytes(count: number): Buffer {
  if (!isWorldRunning()) return Buffer.alloc(count);
  const bytes = Buffer.alloc(count);
  for (let i = 0; i < count; i++) bytes[i] = world().random.int(0, 255);
  return bytes;
}

export function randomUUID(): string {
  const hex = randomBytes(16).toString("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join("-");
}

export const randomInt = (low: number, high: number): number => world().random.int(low, high - 1);
