import { type FileHandle, open, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describeFile, type FoundFile, isGone, isRefused } from "./findFiles.js";
import { type FilePosition, hashOf } from "./followState.js";

const headBytesMax = 1_024;

/** A file that is followed by what it is, not by its name: it may be renamed, removed, truncated. */
export class FollowedFile {
  readonly position: FilePosition;
  /** Open while there may be more: a file that is removed can be read to its end. */
  #handle: FileHandle | null = null;
  /** Whether the last opening was refused. */
  mayNotRead = false;
  /** Bytes when it was looked at last, and since when it has had them. */
  #bytes = -1;
  #sinceMs = 0;

  constructor(position: FilePosition) {
    this.position = position;
  }

  /** How long it has not grown. */
  quietMs(nowMs: number): number {
    return nowMs - this.#sinceMs;
  }

  /**
   * Its bytes now; null where it is gone, or may not be read. One that is shorter than what was read was truncated, and
   * begins again.
   */
  async look(found: FoundFile | null, nowMs: number): Promise<number | null> {
    if (found !== null) this.position.path = found.path;
    // Nothing to read: thousands of old files need not be open.
    if (this.#handle === null && found?.bytes === this.position.offset)
      return this.#note(found.bytes, nowMs);
    const handle = await this.#open(found);
    if (handle === null) return null;
    const bytes = (await handle.stat()).size;
    if (bytes < this.position.offset) this.#beginAgain();
    return this.#note(bytes, nowMs);
  }

  /**
   * The bytes behind the position, at most `bytesMax`; null where the file was truncated and has
   * grown again, so that it begins again.
   */
  async read(bytesMax: number): Promise<Buffer | null> {
    const handle = this.#handle;
    if (handle === null) return null;
    const { offset } = this.position;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytesMax), 0, bytesMax, offset);
    // Checked after reading: so what was read is of the same file.
    if (await this.#isSame(handle)) return buffer.subarray(0, bytesRead);
    this.#beginAgain();
    return null;
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    await handle?.close();
  }

  #note(bytes: number, nowMs: number): number {
    if (bytes !== this.#bytes) this.#sinceMs = nowMs;
    this.#bytes = bytes;
    return bytes;
  }

  async #open(found: FoundFile | null): Promise<FileHandle | null> {
    if (this.#handle !== null) return this.#handle;
    const path = found?.path ?? (await this.#otherName());
    if (path === null) return null;
    const handle = await open(path, "r").catch((error: unknown) => {
      this.mayNotRead = isRefused(error);
      if (isGone(error) || this.mayNotRead) return null;
      throw error;
    });
    if (handle === null) return null;
    const { dev, ino } = await handle.stat({ bigint: true });
    // Between the look and the opening the name may have got another file.
    if (`${dev}-${ino}` === this.position.identity) this.#handle = handle;
    else await handle.close();
    return this.#handle;
  }

  /** The name that rotation gave it, in the same folder. */
  async #otherName(): Promise<string | null> {
    const folder = dirname(this.position.path);
    const names = await readdir(folder).catch((error: unknown) => {
      if (isGone(error)) return [];
      throw error;
    });
    for (const name of names) {
      const file = await describeFile(join(folder, name));
      if (file?.identity !== this.position.identity) continue;
      this.position.path = file.path;
      return file.path;
    }
    return null;
  }

  async #isSame(handle: FileHandle): Promise<boolean> {
    const { position } = this;
    const head = await this.#head(handle, position.headBytes);
    if (hashOf(head) !== position.headHash && position.headBytes > 0) return false;
    const longer = await this.#head(handle, headBytesMax);
    position.headBytes = longer.length;
    position.headHash = hashOf(longer);
    return true;
  }

  async #head(handle: FileHandle, bytes: number): Promise<Buffer> {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  }

  #beginAgain(): void {
    const { position } = this;
    position.generation++;
    position.offset = 0;
    position.headBytes = 0;
    position.headHash = "";
    this.#bytes = -1;
  }
}
