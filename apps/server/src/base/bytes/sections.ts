/**
 * A JSON head and typed arrays in one run of bytes:
 *
 *   | magic u32 | headBytes u32 | head (UTF-8 JSON) padded to 8 | section 0 padded to 8 | section 1 … |
 *
 * The head contains the byte length of every section, so that a reader lays arrays over the bytes without
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

/** Reads the sections in the order they were written. */
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

/** Reads sections of bytes whose end may be missing. */
export interface SectionFile<Head> extends SectionReader<Head> {
  /** Chooses the section to read next. */
  seek(section: number): void;
  /** Whether all bytes of a section are present. */
  isThere(section: number): boolean;
}

/** The bytes before the first section; throws when there are fewer than stated. */
export function headOf(bytes: Uint8Array): Uint8Array {
  if (bytes.length < prefixBytes) throw new Error(`${bytes.length} bytes are too few for a head`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = prefixBytes + view.getUint32(4, true);
  if (end > bytes.length) throw new Error("cut off within the head");
  return bytes.subarray(0, end);
}

/** Throws when the bytes do not start with the magic or are fewer than stated. */
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
  const cursor = new SectionCursor(bytes, envelope.bytes, headBytes.length);
  return {
    head: envelope.head,
    seek: (section) => cursor.seek(section),
    isThere: (section) => cursor.isThere(section),
    bytes: () => cursor.next(Uint8Array),
    i16: () => cursor.next(Int16Array),
    u16: () => cursor.next(Uint16Array),
    u32: () => cursor.next(Uint32Array),
    i32: () => cursor.next(Int32Array),
    f64: () => cursor.next(Float64Array),
    i64: () => cursor.next(BigInt64Array),
  };
}

interface ArrayType<Values> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): Values;
}

/** The offset of the next section. */
class SectionCursor {
  readonly #bytes: Uint8Array;
  readonly #lengths: readonly number[];
  readonly #starts: readonly number[];
  #index = 0;

  constructor(bytes: Uint8Array, lengths: readonly number[], headBytes: number) {
    this.#bytes = bytes;
    this.#lengths = lengths;
    let end = align8(headBytes);
    this.#starts = lengths.map((length) => {
      const start = end;
      end += align8(length);
      return start;
    });
  }

  seek(section: number): void {
    this.#index = section;
  }

  isThere(section: number): boolean {
    return (this.#starts[section] ?? 0) + (this.#lengths[section] ?? 0) <= this.#bytes.length;
  }

  next<Values>(type: ArrayType<Values>): Values {
    const index = this.#index;
    const length = this.#lengths[index];
    const start = this.#starts[index];
    if (length === undefined || start === undefined)
      throw new Error(`there is no section ${index}`);
    if (!this.isThere(index)) throw new Error(`cut off within section ${index}`);
    this.#index++;
    const { buffer, byteOffset } = this.#bytes;
    return new type(buffer, byteOffset + start, length / type.BYTES_PER_ELEMENT);
  }
}

export function align8(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}
