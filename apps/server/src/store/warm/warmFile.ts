import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";

/**
 * A file in shared memory, of a head and parts:
 *
 *   | "HDW1" u32 | CRC-32 of what follows u32 | headBytes u32 | head (UTF-8 JSON) | part 0 | part 1 … |
 *
 * The checksum finds flipped bits. Whoever may write the folder may write a right one.
 */
const magic = 0x31574448;
const prefixBytes = 12;
const checkedFrom = 8;
/** Bytes of one call of the system. */
const stepBytes = 8 * 2 ** 20;

/** Returns the bytes written. */
export function writeWarmFile(path: string, head: unknown, parts: readonly Uint8Array[]): number {
  const text = Buffer.from(JSON.stringify(head));
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32LE(magic, 0);
  prefix.writeUInt32LE(text.length, checkedFrom);
  let checksum = crc32(prefix.subarray(checkedFrom));
  for (const bytes of [text, ...parts]) checksum = crc32(bytes, checksum);
  prefix.writeUInt32LE(checksum, 4);
  const file = openSync(path, "wx", 0o600);
  let written = 0;
  try {
    for (const bytes of [prefix, text, ...parts]) {
      for (let at = 0; at < bytes.length; )
        at += writeSync(file, bytes, at, Math.min(stepBytes, bytes.length - at));
      written += bytes.length;
    }
  } finally {
    closeSync(file);
  }
  return written;
}

/** Reads a file once, from its beginning to its end. All of it is to be doubted until `end` has returned. */
export class WarmFile<Head> {
  readonly head: Head;
  /** Of the parts together. */
  readonly partBytes: number;
  readonly #file: number;
  readonly #expected: number;
  #checksum: number;

  /** Throws where this is no such file. */
  constructor(path: string) {
    this.#file = openSync(path, "r");
    try {
      const prefix = Buffer.alloc(prefixBytes);
      const { size } = fstatSync(this.#file);
      this.#fill(prefix);
      if (prefix.readUInt32LE(0) !== magic) throw new Error("does not start with HDW1");
      this.#expected = prefix.readUInt32LE(4);
      this.#checksum = crc32(prefix.subarray(checkedFrom));
      const headBytes = prefix.readUInt32LE(checkedFrom);
      this.partBytes = size - prefixBytes - headBytes;
      if (this.partBytes < 0) throw new Error("cut off within the head");
      const text = Buffer.alloc(headBytes);
      this.read(text);
      this.head = JSON.parse(text.toString()) as Head;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Fills `target` with the next bytes. */
  read(target: Uint8Array): void {
    this.#fill(target);
    this.#checksum = crc32(target, this.#checksum);
  }

  /** Throws where the bytes read are not those that were written. */
  end(): void {
    if (this.#checksum !== this.#expected) throw new Error("its checksum does not match");
  }

  close(): void {
    closeSync(this.#file);
  }

  #fill(target: Uint8Array): void {
    for (let at = 0; at < target.length; ) {
      const read = readSync(this.#file, target, at, Math.min(stepBytes, target.length - at), null);
      if (read === 0) throw new Error("cut off");
      at += read;
    }
  }
}
