import { createHash } from "node:crypto";
import { compress, uncompressSync } from "lz4-napi";

/**
 * A row log is records, one for each batch:
 *
 *   | "HDR1" u32 | payloadBytes u32 | first 8 bytes of SHA-256(payload) | payload (LZ4 of the batch) |
 */
const magic = 0x31524448;
const magicBytes = Buffer.from("HDR1");
const prefixBytes = 16;
/** LZ4 ends with bytes as they were, at most some of them zeros: more are a page that was not written. */
const tornZerosMin = 16;

export interface ReadRecords {
  readonly payloads: readonly Uint8Array[];
  /** Where the last good record ends. */
  readonly endBytes: number;
  /**
   * Bytes that are no record and were one: between good records, or at the end with all of a
   * record's bytes.
   */
  readonly damagedBytes: number;
  /**
   * Bytes at the end that are the beginning of a record: the process ended while it was written, or
   * the file was cut off.
   */
  readonly tornBytes: number;
}

/** Every whole record, also behind damaged bytes. */
export function readRecords(bytes: Buffer): ReadRecords {
  const payloads: Uint8Array[] = [];
  let endBytes = 0;
  let damagedBytes = 0;
  let at = 0;
  while (at >= 0 && at < bytes.length) {
    const record = readRecord(bytes, at);
    if (record === null) {
      at = bytes.indexOf(magicBytes, at + 1);
      continue;
    }
    damagedBytes += at - endBytes;
    payloads.push(record.payload);
    at = record.endBytes;
    endBytes = at;
  }
  const rest = bytes.subarray(endBytes);
  return isTorn(rest)
    ? { payloads, endBytes, damagedBytes, tornBytes: rest.length }
    : { payloads, endBytes, damagedBytes: damagedBytes + rest.length, tornBytes: 0 };
}

/** Whether it begins like a log of a later format, whose magic ends in a higher digit. */
export const isOfNewerVersion = (bytes: Buffer): boolean =>
  /^HDR[2-9]$/.test(bytes.toString("latin1", 0, magicBytes.length));

/** Compressed on a thread of the pool: it would take a quarter of the leaf's own. */
export async function encodeRecord(payload: Uint8Array): Promise<Buffer> {
  const packed = await compress(
    Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength),
  );
  const record = Buffer.alloc(prefixBytes + packed.length);
  record.writeUInt32LE(magic, 0);
  record.writeUInt32LE(packed.length, 4);
  checksum(packed).copy(record, 8);
  packed.copy(record, prefixBytes);
  return record;
}

/** The loss of a damaged log as text. */
export function printDamage({ damagedBytes, payloads }: ReadRecords): string {
  return `${damagedBytes} bytes could not be read, beside ${payloads.length} whole batches`;
}

function readRecord(
  bytes: Buffer,
  at: number,
): { readonly payload: Uint8Array; readonly endBytes: number } | null {
  if (at + prefixBytes > bytes.length || bytes.readUInt32LE(at) !== magic) return null;
  const endBytes = at + prefixBytes + bytes.readUInt32LE(at + 4);
  if (endBytes > bytes.length) return null;
  const packed = bytes.subarray(at + prefixBytes, endBytes);
  return isChecked(bytes, at, packed) ? { payload: uncompressSync(packed), endBytes } : null;
}

/**
 * Whether the bytes at the end of a log are what a killed process or a power loss leaves: the
 * beginning of a record, zeros, or both where the disk had the length of the file before its bytes.
 * Such rows were not acknowledged.
 */
function isTorn(rest: Buffer): boolean {
  const written = rest.subarray(0, lastNonZero(rest) + 1);
  const zeros = rest.length - written.length;
  const endsInZeros = written.length === 0 || zeros >= tornZerosMin;
  const begun = Math.min((endsInZeros ? written : rest).length, magicBytes.length);
  if (!rest.subarray(0, begun).equals(magicBytes.subarray(0, begun))) return false;
  if (endsInZeros || rest.length < prefixBytes) return true;
  const packed = rest.subarray(prefixBytes);
  // With all of its bytes the record was whole once: it is damaged, and not torn.
  return packed.length < rest.readUInt32LE(4) && !isChecked(rest, 0, packed);
}

/** -1: all are zero. */
function lastNonZero(bytes: Buffer): number {
  let at = bytes.length - 1;
  while (at >= 0 && bytes[at] === 0) at--;
  return at;
}

function isChecked(bytes: Buffer, at: number, packed: Uint8Array): boolean {
  return checksum(packed).equals(bytes.subarray(at + 8, at + prefixBytes));
}

function checksum(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest().subarray(0, 8);
}
