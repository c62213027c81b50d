const frameMagic = 0xfd2fb528;
const skippableMagic = 0x184d2a50;
/** Bytes of the content size and of the dictionary's id, by their flags (RFC 8878, section 3.1.1.1). */
const contentSizeBytes = [0, 2, 4, 8] as const;
const dictionaryIdBytes = [0, 1, 2, 4] as const;

type Part = "magic" | "skippable" | "descriptor" | "header" | "block";

/**
 * Parses the frame headers of a Zstandard stream to report the window of each before it is allocated:
 * a header of nine bytes may ask for gigabytes.
 */
export class ZstdFrames {
  #part: Part = "magic";
  readonly #held: number[] = [];
  #needed = 4;
  #skip = 0;
  #descriptor = 0;

  /** Calls `onWindow` with the size of each window. Invalid input is left to the inflater. */
  follow(bytes: Uint8Array, onWindow: (windowBytes: number) => void): void {
    for (let at = 0; at < bytes.length; ) {
      if (this.#skip > 0) {
        const skipped = Math.min(this.#skip, bytes.length - at);
        this.#skip -= skipped;
        at += skipped;
        continue;
      }
      this.#held.push(bytes[at++]!);
      if (this.#held.length === this.#needed) this.#finishPart(onWindow);
    }
  }

  #finishPart(onWindow: (windowBytes: number) => void): void {
    const held = this.#held;
    const number = held.reduceRight((sum, byte) => sum * 256 + byte, 0);
    switch (this.#part) {
      case "magic":
        if (number === frameMagic) this.#expect("descriptor", 1);
        else if (number - (number % 16) === skippableMagic) this.#expect("skippable", 4);
        else this.#skip = Number.POSITIVE_INFINITY;
        break;
      case "skippable":
        this.#skip = number;
        this.#expect("magic", 4);
        break;
      case "descriptor":
        this.#descriptor = number;
        this.#expect("header", this.#headerBytes());
        break;
      case "header":
        onWindow(this.#windowBytes(held));
        this.#expect("block", 3);
        break;
      case "block":
        this.#finishBlock(number);
    }
    held.length = 0;
  }

  #finishBlock(header: number): void {
    const isLast = (header & 1) === 1;
    const isRepeated = ((header >> 1) & 3) === 1;
    this.#skip = isRepeated ? 1 : header >> 3;
    const hasChecksum = (this.#descriptor & 4) !== 0;
    if (!isLast) return;
    if (hasChecksum) this.#skip += 4;
    this.#expect("magic", 4);
  }

  get #hasWindow(): boolean {
    return (this.#descriptor & 0x20) === 0;
  }

  #sizeBytes(): number {
    const bytes = contentSizeBytes[(this.#descriptor >> 6) as 0 | 1 | 2 | 3];
    return bytes === 0 && !this.#hasWindow ? 1 : bytes;
  }

  /** At least one: a frame without a window states its size. */
  #headerBytes(): number {
    const idBytes = dictionaryIdBytes[(this.#descriptor & 3) as 0 | 1 | 2 | 3];
    return (this.#hasWindow ? 1 : 0) + idBytes + this.#sizeBytes();
  }

  #windowBytes(header: readonly number[]): number {
    if (this.#hasWindow) {
      const base = 2 ** (10 + (header[0]! >> 3));
      return base + (base / 8) * (header[0]! & 7);
    }
    const size = header.slice(header.length - this.#sizeBytes());
    return size.reduceRight((sum, byte) => sum * 256 + byte, 0);
  }

  #expect(part: Part, bytes: number): void {
    this.#part = part;
    this.#needed = bytes;
  }
}
