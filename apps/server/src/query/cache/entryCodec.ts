import { deserialize, serialize } from "node:v8";
import { crc32 } from "node:zlib";

/** "HDC1" */
const magic = 0x31434448;
/** Another one for every change of what is kept: of `KeptAnswer`, of results, of partial results. */
const entryVersion = 1;
const headerBytes = 12;

/**
 *  | "HDC1" u32 | version u32 | crc32 of the rest u32 | the value, in the form of structured clones … |
 *
 * Values are plain objects, maps, texts, numbers of both kinds, and typed arrays.
 */
export function encodeEntry(value: unknown): Uint8Array {
  const payload = serialize(value);
  const entry = new Uint8Array(headerBytes + payload.length);
  const view = new DataView(entry.buffer);
  view.setUint32(0, magic, true);
  view.setUint32(4, entryVersion, true);
  view.setUint32(8, crc32(payload), true);
  entry.set(payload, headerBytes);
  return entry;
}

/** Null: the bytes are no entry of this version, or damaged. */
export function decodeEntry<Value>(entry: Uint8Array): Value | null {
  if (entry.length < headerBytes) return null;
  const view = new DataView(entry.buffer, entry.byteOffset, entry.byteLength);
  const isOurs = view.getUint32(0, true) === magic && view.getUint32(4, true) === entryVersion;
  const payload = entry.subarray(headerBytes);
  if (!isOurs || view.getUint32(8, true) !== crc32(payload)) return null;
  return deserialize(payload) as Value;
}
