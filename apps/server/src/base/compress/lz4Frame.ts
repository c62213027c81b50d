/** Bits of a frame's first flags (LZ4 Frame Format Description 1.6.2). */
const flag = { dictionary: 1, contentSize: 8, blockChecksums: 16 } as const;
const magic = 0x184d2204;
const uncompressedBlock = 0x80000000;

/**
 * The content of one LZ4 frame, which must be `contentBytes` long. Never allocates more than that. Throws RangeError for any
 * other input. Checksums are skipped.
 */
export function inflateLz4Frame(frame: Uint8Array, contentBytes: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(contentBytes);
  if (followFrame(frame, new LzOutput(out)) === contentBytes) return out;
  throw new RangeError("an LZ4 frame of another length than it says");
}

/** Length of the content, without inflating it. */
export function lz4ContentBytes(frame: Uint8Array): number {
  return followFrame(frame, new LzOutput(null));
}

/** Writes content, or only counts it. */
class LzOutput {
  readonly #out: Uint8Array | null;
  at = 0;

  constructor(out: Uint8Array | null) {
    this.#out = out;
  }

  put(bytes: Uint8Array): void {
    // Throws RangeError where it does not fit.
    this.#out?.set(bytes, this.at);
    this.at += bytes.length;
  }

  repeat(distance: number, length: number): void {
    const { at } = this;
    const out = this.#out;
    if (distance === 0 || distance > at || (out !== null && at + length > out.length))
      throw new RangeError("an LZ4 match out of its bounds");
    this.at += length;
    if (out === null) return;
    // Byte by byte where the match overlaps its output: that is how runs are encoded.
    if (distance >= length) out.copyWithin(at, at - distance, at - distance + length);
    else for (let i = at; i < at + length; i++) out[i] = out[i - distance]!;
  }
}

function followFrame(frame: Uint8Array, out: LzOutput): number {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const flags = view.getUint8(4);
  if (view.getUint32(0, true) !== magic || flags >> 6 !== 1)
    throw new RangeError("not an LZ4 frame");
  if ((flags & flag.dictionary) !== 0) throw new RangeError("an LZ4 frame with a dictionary");
  const checksumBytes = (flags & flag.blockChecksums) === 0 ? 0 : 4;
  // Magic, two bytes of flags, the checksum of the header.
  let at = 7 + ((flags & flag.contentSize) === 0 ? 0 : 8);
  for (;;) {
    const size = view.getUint32(at, true);
    at += 4;
    if (size === 0) return out.at;
    const blockBytes = size % uncompressedBlock;
    const block = frame.subarray(at, at + blockBytes);
    if (block.length < blockBytes) throw new RangeError("an LZ4 frame that is cut off");
    if (size >= uncompressedBlock) out.put(block);
    else followBlock(block, out);
    at += blockBytes + checksumBytes;
  }
}

/** Sequences of literals and of matches, which may reach back into blocks before (LZ4 Block Format Description). */
function followBlock(block: Uint8Array, out: LzOutput): void {
  let at = 0;
  const lengthFrom = (nibble: number): number => {
    let length = nibble;
    for (let byte = nibble === 15 ? 255 : 0; byte === 255; ) {
      if (at >= block.length) throw new RangeError("an LZ4 block that is cut off");
      byte = block[at++]!;
      length += byte;
    }
    return length;
  };
  while (at < block.length) {
    const token = block[at++]!;
    const literals = lengthFrom(token >> 4);
    if (at + literals > block.length) throw new RangeError("an LZ4 block that is cut off");
    out.put(block.subarray(at, at + literals));
    at += literals;
    // The last sequence has no match.
    if (at === block.length) return;
    if (at + 2 > block.length) throw new RangeError("an LZ4 block that is cut off");
    const distance = block[at]! | (block[at + 1]! << 8);
    at += 2;
    out.repeat(distance, lengthFrom(token & 15) + 4);
  }
}
