import { createHash } from "node:crypto";
import type { SectionArray, SectionFile } from "../../base/bytes/sections.js";

/**
 * Times, a column or a histogram in a segment's file: its sections, and the first 8 bytes of
 * SHA-256 over them.
 */
export type PartHead = readonly [sectionCount: number, checksum: string];

export const headOfPart = (sections: readonly SectionArray[]): PartHead => [
  sections.length,
  checksum(sections),
];

/**
 * Goes through the parts in the order in which they were written; each can be damaged without the
 * others.
 */
export class PartWalk {
  #part = 0;
  #section = 0;
  readonly #reader: SectionFile<unknown>;
  readonly #parts: readonly PartHead[] | undefined;

  constructor(
    reader: SectionFile<unknown>,
    /** Undefined: the file is of an older version, and was checked as a whole. */
    parts: readonly PartHead[] | undefined,
  ) {
    this.#reader = reader;
    this.#parts = parts;
  }

  /** Puts the reader before the next part; false: its bytes are not those that were written. */
  next(): boolean {
    if (this.#parts === undefined) return true;
    const [sectionCount, expected] = this.#parts[this.#part++] ?? [0, ""];
    const first = this.#section;
    this.#section += sectionCount;
    this.#reader.seek(first);
    const sections: Uint8Array[] = [];
    for (let section = first; section < this.#section; section++) {
      if (!this.#reader.isThere(section)) return false;
      sections.push(this.#reader.bytes());
    }
    this.#reader.seek(first);
    return checksum(sections) === expected;
  }
}

function checksum(sections: readonly SectionArray[]): string {
  const hash = createHash("sha256");
  for (const { buffer, byteOffset, byteLength } of sections)
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  return hash.digest("hex").slice(0, 16);
}
