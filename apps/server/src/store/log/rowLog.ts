import { type FileHandle, open, readFile, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder, syncFile, syncFolder, writeFileDurably } from "../../base/file/durableFile.js";
import { OtherVersion } from "../../base/file/otherVersion.js";
import { damagedCopyPath } from "./damagedCopies.js";
import { encodeRecord, isOfNewerVersion, type ReadRecords, readRecords } from "./rowRecords.js";

/**
 * Batches as they were accepted, see {@link readRecords}: one file per generation of the open
 * segment.
 */
export class RowLog {
  #endBytes: number;
  readonly #file: FileHandle;

  private constructor(
    readonly path: string,
    file: FileHandle,
    endBytes: number,
  ) {
    this.#file = file;
    this.#endBytes = endBytes;
  }

  /** Where its last record ends, on the disk. */
  get endBytes(): number {
    return this.#endBytes;
  }

  /** A new file, which outlives a loss of power; its folder is made where there is none. */
  static async create(path: string): Promise<RowLog> {
    const folder = dirname(path);
    await makeFolder(folder);
    // An existing file of that name may be the only copy of its rows.
    const log = new RowLog(path, await open(path, "wx"), 0);
    try {
      await syncFolder(folder);
    } catch (error) {
      await log.remove().catch(() => undefined);
      throw error;
    }
    return log;
  }

  /** Opens for appending at `endBytes`; later bytes are cut off. */
  static async open(path: string, endBytes: number): Promise<RowLog> {
    const file = await open(path, "r+");
    try {
      await file.truncate(endBytes);
    } catch (error) {
      await file.close();
      throw error;
    }
    return new RowLog(path, file, endBytes);
  }

  /**
   * Appends records and syncs them; they must not change until then. After a failure the file is
   * cut back to its last good record, because refused rows are stored elsewhere and must not return
   * at the next start; the log must not be used any more.
   */
  async append(payloads: readonly Uint8Array[]): Promise<void> {
    await this.appendRecords(Buffer.concat(await Promise.all(payloads.map(encodeRecord))));
  }

  /** The same for whole records as they are in another log. */
  async appendRecords(bytes: Uint8Array): Promise<void> {
    try {
      let written = 0;
      while (written < bytes.length) {
        const { bytesWritten } = await this.#file.write(
          bytes,
          written,
          bytes.length - written,
          this.#endBytes + written,
        );
        written += bytesWritten;
      }
      await this.#file.datasync();
    } catch (error) {
      await this.#file.truncate(this.#endBytes);
      await this.#file.datasync();
      throw error;
    }
    this.#endBytes += bytes.length;
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** Closes and deletes a log without needed rows. */
  async remove(): Promise<void> {
    await this.#file.close();
    await unlink(this.path);
  }
}

/**
 * Reads the whole records, and rewrites a damaged file with these alone; a copy of the damaged one
 * is kept. What it returns is on the disk. Throws {@link OtherVersion} where a newer program wrote it.
 */
export async function readRowLog(path: string): Promise<ReadRecords> {
  const bytes = await readFile(path);
  const records = readRecords(bytes);
  if (records.damagedBytes === 0) {
    await keepOnDisk(path, bytes);
    return records;
  }
  if (records.payloads.length === 0 && isOfNewerVersion(bytes)) {
    throw new OtherVersion("has records of a newer version");
  }
  // The original is in place until the repaired log is whole on the disk: no crash between loses a
  // row.
  await writeFileDurably(await damagedCopyPath(path), bytes);
  const repaired = Buffer.concat(await Promise.all(records.payloads.map(encodeRecord)));
  await writeFileDurably(path, repaired);
  return { ...records, endBytes: repaired.length };
}

/** A process that was killed may have written the last records and not synced them. */
async function keepOnDisk(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await syncFile(path);
  } catch {
    // The system may forget what it could not write, and says so once: a new file is written.
    await writeFileDurably(path, bytes);
  }
}
