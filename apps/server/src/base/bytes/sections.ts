/**
 * A JSON head and typed arrays in one run of bytes:
 *
 *   | magic u32 | headBytes u32 | head (UTF-8 JSON) padded to 8 | section 0 padded to 8 | section 1 … |
 *
 * The head holds the byte length of every section, so that a reader lays arrays over the bytes without
 * copying: every section starts at a multiple of 8.
 */
const prefixBytes = 8;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export type SectionArray =
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Uint32Array
  | Int32Array
  | Float64Array
  | BigInt64Array;

interface Envelope<Head> {
  readonly head: Head;
  readonly bytes: readonly number[];
}

export function encodeSections(
  magic: number,
  head: unknown,
  sections: readonly SectionArray[],
): Uint8Array {
  const envelope = { head, bytes: sections.map((section) => section.byteLength) };
  const text = encoder.encode(JSON.stringify(envelope));
  let total = align8(prefixBytes + text.length);
  for (const section of sections) total += align8(section.byteLength);
  const out = new Uint8Array(total);
  const view = new DataView(out.buffer);
  view.setUint32(0, magic, true);
  view.setUint32(4, text.length, true);
  out.set(text, prefixBytes);
  let at = align8(prefixBytes + text.length);
  for (const section of sections) {
    out.set(new Uint8Array(section.buffer, section.byteOffset, section.byteLength), at);
    at += align8(section.byteLength);
  }
  return out;
}

/** Hands out the sections in the order they were written. */
export interface SectionReader<Head> {
  readonly head: Head;
  bytes(): Uint8Array;
  i16(): Int16Array;
  u16(): Uint16Array;
  u32(): Uint32Array;
  i32(): Int32Array;
  f64(): Float64Array;
  i64(): BigInt64Array;
}

/** Of bytes of which some may be missing at the end. */
export interface SectionFile<Head> extends SectionReader<Head> {
  /** The next to be handed out. */
  seek(section: number): void;
  /** Whether all bytes of a section are there. */
  isThere(section: number): boolean;
}

/** The bytes before the first section; throws when they are shorter than they say. */
export function headOf(bytes: Uint8Array): Uint8Array {
  if (bytes.length < prefixBytes) throw new Error(`${bytes.length} bytes are too few for a head`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = prefixBytes + view.getUint32(4, true);
  if (end > bytes.length) throw new Error("cut off within the head");
  return bytes.subarray(0, end);
}

/** Throws when the bytes do not start with the magic or are shorter than they say. */
export function decodeSections<Head>(magic: number, input: Uint8Array): SectionFile<Head> {
  const bytes = input.byteOffset % 8 === 0 ? input : input.slice();
  const headBytes = headOf(bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = view.getUint32(0, true);
  if (found !== magic) {
    throw new Error(`found magic ${found.toString(16)}, expected ${magic.toString(16)}`);
  }
  const text = decoder.decode(headBytes.subarray(prefixBytes));
  const envelope = JSON.parse(text) as Envelope<Head>;
  const starts: number[] = [];
  let end = align8(headBytes.length);
  for (const length of envelope.bytes) {
    starts.push(end);
    end += align8(length);
  }
  const isThere = (section: number): boolean =>
    (starts[section] ?? 0) + (envelope.bytes[section] ?? 0) <= bytes.length;
  let index = 0;
  const next = (): { offset: number; length: number } => {
    const length = envelope.bytes[index];
    const start = starts[index];
    if (length === undefined || start === undefined)
      throw new Error(`there is no section ${index}`);
    if (!isThere(index)) throw new Error(`cut off within section ${index}`);
    index++;
    return { offset: bytes.byteOffset + start, length };
  };
  const { buffer } = bytes;
  return {
    head: envelope.head,
    seek: (section) => {
      index = section;
    },
    isThere,
    bytes: () => {
      const { offset, length } = next();
      return new Uint8Array(buffer, offset, length);
    },
    i16: () => {
      const { offset, length } = next();
      return new Int16Array(buffer, offset, length / 2);
    },
    u16: () => {
      const { offset, length } = next();
      return new Uint16Array(buffer, offset, length / 2);
    },
    u32: () => {
      const { offset, length } = next();
      return new Uint32Array(buffer, offset, length / 4);
    },
    i32: () => {
      const { offset, length } = next();
      return new Int32Array(buffer, offset, length / 4);
    },
    f64: () => {
      const { offset, length } = next();
      return new Float64Array(buffer, offset, length / 8);
    },
    i64: () => {
      const { offset, length } = next();
      return new BigInt64Array(buffer, offset, length / 8);
    },
  };
}

export function align8(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}
