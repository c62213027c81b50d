import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { align8, headOf } from "../../base/bytes/sections.js";
import { OtherVersion } from "../../base/file/otherVersion.js";

/**
 * A segment's file: what it is, how long, and a checksum over the head of its payload, which has
 * one of each part:
 *
 *   | "HDS1" u32 | version u32 | payloadBytes f64 | SHA-256 of the payload's head, 32 | payload … |
 */
const magic = 0x31534448;
const version = 6;
/**
 * Files since then are a part of what this version writes: pages made from templates came with 5.
 */
const oldestVersion = 4;
/** Before it the checksum was one over the whole payload. */
const partsVersion = 6;
const prefixBytes = align8(48);

export function wrapPayload(payload: Uint8Array): Uint8Array {
  const out = new Uint8Array(prefixBytes + payload.length);
  const view = new DataView(out.buffer);
  view.setUint32(0, magic, true);
  view.setUint32(4, version, true);
  view.setFloat64(8, payload.length, true);
  out.set(sha256(headOf(payload)), 16);
  out.set(payload, prefixBytes);
  return out;
}

/**
 * The payload of a file; throws with the reason where the file is damaged. Parts have checksums of
 * their own: one may be damaged or cut off without the others.
 */
export function unwrapPayload(bytes: Uint8Array): Uint8Array {
  if (bytes.length < prefixBytes) throw new Error(`only ${bytes.length} bytes long`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== magic) throw new Error("does not start with HDS1");
  const found = view.getUint32(4, true);
  if (found < oldestVersion || found > version) {
    throw new OtherVersion(`has version ${found}, expected ${version}`);
  }
  const payload = bytes.subarray(prefixBytes);
  const expected = view.getFloat64(8, true);
  if (found < partsVersion && payload.length !== expected) {
    throw new Error(`holds ${payload.length} bytes, expected ${expected}`);
  }
  const checked = found < partsVersion ? payload : headOf(payload);
  if (!sha256(checked).equals(bytes.subarray(16, 48))) {
    throw new Error("its checksum does not match");
  }
  return payload;
}

/** The bytes of a file up to its first part. Rejects where it is damaged or of an older version. */
export async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const start = new Uint8Array(prefixBytes + 8);
    await file.read(start, 0, start.length, 0);
    const headBytes = new DataView(start.buffer).getUint32(prefixBytes + 4, true);
    const { size } = await file.stat();
    const bytes = new Uint8Array(Math.min(size, start.length + headBytes));
    await file.read(bytes, 0, bytes.length, 0);
    return unwrapPayload(bytes);
  } finally {
    await file.close();
  }
}

const sha256 = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest();
