import { createHash } from "node:crypto";
import { copyFile, type FileHandle, mkdir, open, readFile, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { compress, uncompressSync } from "lz4-napi";
import { syncFolder, writeFileDurably } from "../base/durableFile.js";

/**
 * Batches as they were accepted, one file per generation of the open segment. One record:
 *
 *   | "HDR1" u32 | payloadBytes u32 | first 8 bytes of SHA-256(payload) | payload (LZ4 of the batch) |
 */
const magic = 0x31524448;
const prefixBytes = 16;

export class RowLog {
  #endBytes: number;

  private constructor(
    readonly path: string,
    private readonly file: FileHandle,
    endBytes: number,
  ) {
    this.#endBytes = endBytes;
  }

  /** A new file, which outlives a loss of power; its folder is made where there is none. */
  static async create(path: string): Promise<RowLog> {
    const folder = dirname(path);
    await mkdir(folder, { recursive: true });
    const log = await RowLog.open(path, 0);
    await syncFolder(folder);
    return log;
  }

  /** Opens for appending at `endBytes` (0: a new file); what lies behind is cut off. */
  static async open(path: string, endBytes: number): Promise<RowLog> {
    const file = await open(path, endBytes === 0 ? "w" : "r+");
    try {
      await file.truncate(endBytes);
    } catch (error) {
      await file.close();
      throw error;
    }
    return new RowLog(path, file, endBytes);
  }

  /**
   * Appends records, which nobody may write to until it is done, and syncs them to the disk. When that fails the file is cut back to its last good record, since what
   * is refused is stored elsewhere and must not come back at the next start; and the log must not be used any more.
   */
  async append(payloads: readonly Uint8Array[]): Promise<void> {
    const records = await Promise.all(payloads.map(encodeRecord));
    const bytes = Buffer.concat(records);
    try {
      let written = 0;
      while (written < bytes.length) {
        const { bytesWritten } = await this.file.write(
          bytes,
          written,
          bytes.length - written,
          this.#endBytes + written,
        );
        written += bytesWritten;
      }
      await this.file.datasync();
    } catch (error) {
      await this.file.truncate(this.#endBytes);
      await this.file.datasync();
      throw error;
    }
    this.#endBytes += bytes.length;
  }

  close(): Promise<void> {
    return this.file.close();
  }

  /** Closes it, with nothing in it that is to be kept. */
  async remove(): Promise<void> {
    await this.file.close();
    await unlink(this.path);
  }
}

export interface ReadLog {
  readonly payloads: readonly Uint8Array[];
  /** Where the last good record ends. */
  readonly endBytes: number;
  /** Bytes that were skipped between good records, or of a last one with all of its bytes: the file was damaged, not just cut off. */
  readonly damagedBytes: number;
}

/** Reads what is whole. A torn tail is left out; damage elsewhere is skipped, and the file kept aside as `.damaged`. */
export async function readRowLog(path: string): Promise<ReadLog> {
  const bytes = await readFile(path);
  const payloads: Uint8Array[] = [];
  let endBytes = 0;
  let damagedBytes = 0;
  let at = 0;
  while (at < bytes.length) {
    const payload = readRecord(bytes, at);
    if (payload !== null) {
      damagedBytes += at - endBytes;
      payloads.push(payload.bytes);
      at = payload.endBytes;
      endBytes = at;
      continue;
    }
    at = bytes.indexOf("HDR1", at + 1);
    if (at < 0) break;
  }
  if (isWhole(bytes, endBytes)) damagedBytes += bytes.length - endBytes;
  if (damagedBytes > 0) {
    // The original is in place until the repaired log is whole on the disk: no crash between loses a row.
    await copyFile(path, `${path}.damaged`);
    const repaired = Buffer.concat(await Promise.all(payloads.map(encodeRecord)));
    await writeFileDurably(path, repaired);
    endBytes = repaired.length;
  }
  return { payloads, endBytes, damagedBytes };
}

/** Compressed on a thread of the pool: it would take a quarter of the leaf's own. */
async function encodeRecord(payload: Uint8Array): Promise<Buffer> {
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

function readRecord(bytes: Buffer, at: number): { bytes: Uint8Array; endBytes: number } | null {
  if (!isWhole(bytes, at)) return null;
  const endBytes = at + prefixBytes + bytes.readUInt32LE(at + 4);
  const packed = bytes.subarray(at + prefixBytes, endBytes);
  if (!checksum(packed).equals(bytes.subarray(at + 8, at + 16))) return null;
  return { bytes: uncompressSync(packed), endBytes };
}

/** Whether a record begins there and as many bytes follow as it says. */
function isWhole(bytes: Buffer, at: number): boolean {
  if (at + prefixBytes > bytes.length || bytes.readUInt32LE(at) !== magic) return false;
  return at + prefixBytes + bytes.readUInt32LE(at + 4) <= bytes.length;
}

function checksum(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest().subarray(0, 8);
}
