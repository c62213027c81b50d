import { atOnce, type Steps } from "../schedule/steps.js";
import {
  decodeSections,
  encodeSections,
  type SectionArray,
  type SectionReader,
} from "./sections.js";

/**
 * Sections of whole numbers in as few bytes as their range needs. Sending a byte between nodes costs several times as
 * much as measuring the range.
 *
 *   value[i] = base + packed[i] + step * i        packed: 0 (none), 1, 2 or 4 bytes each
 */
interface Packing {
  readonly base: number;
  readonly bytes: 0 | 1 | 2 | 4;
  readonly step: 0 | 1;
  readonly length: number;
}

/** `same`: this section is equal to that one. */
type SectionForm = 0 | Packing | { readonly same: number };

type PackedHead<Head> = readonly [head: Head, forms: readonly SectionForm[] | null];

/** Fewer are sent unpacked: the head would grow by more than they shrink. */
const packedMin = 1_024;
/** Longer ones are sent unpacked: no head can make a reader allocate more than 128 MB of doubles. */
export const packedLengthMax = 2 ** 24;
const two32 = 2 ** 32;
/** |high half| below this: the integer is exact in an f64. */
const highSafe = 2 ** 21;

/** In one step, see {@link packSteps}. */
export const encodePackedSections = (...of: Parameters<typeof packSteps>): Uint8Array =>
  atOnce(packSteps(...of));

/** Each section is measured and packed in one step. */
export function* packSteps(
  magic: number,
  head: unknown,
  sections: readonly SectionArray[],
  least = packedMin,
): Steps<Uint8Array> {
  if (sections.every(({ length }) => length < least)) {
    return encodeSections(magic, [head, null], sections);
  }
  const forms: SectionForm[] = [];
  for (const [i, section] of sections.entries()) {
    // States with the same counts share an array: it is measured once.
    const first = sections.indexOf(section);
    if (section.length < least || section.length > packedLengthMax) forms.push(0);
    else if (first === i) forms.push(fit(section));
    else forms.push({ same: first });
    if (section.length >= least) yield;
  }
  const kept: SectionArray[] = [];
  for (const [i, section] of sections.entries()) {
    const form = forms[i]!;
    if (form === 0) kept.push(section);
    else if ("bytes" in form) {
      const same = sameBefore(sections, forms, i);
      if (same >= 0) forms[i] = { same };
      else if (form.bytes > 0) kept.push(pack(section, form));
      yield;
    }
  }
  return encodeSections(magic, [head, forms], kept);
}

/** Throws when the bytes do not start with the magic, or their parts do not fit together. */
export function decodePackedSections<Head>(magic: number, bytes: Uint8Array): SectionReader<Head> {
  const reader = decodeSections<PackedHead<Head>>(magic, bytes);
  const [head, forms] = reader.head;
  if (forms === null) return { ...reader, head };
  return unpacking(head, forms, reader);
}

function unpacking<Head>(
  head: Head,
  forms: readonly SectionForm[],
  reader: SectionReader<unknown>,
): SectionReader<Head> {
  const unpacked: SectionArray[] = [];
  const next = <Found extends SectionArray>(
    raw: () => Found,
    create: (length: number) => Found,
  ): Found => {
    const form = forms[unpacked.length] ?? 0;
    let found: Found;
    if (form === 0) found = raw();
    else if ("same" in form) {
      const earlier = unpacked[form.same];
      if (earlier === undefined) throw new Error(`there is no section ${form.same} before it`);
      found = earlier as Found;
    } else {
      if (!(form.length <= packedLengthMax)) throw new Error(`${form.length} numbers in a section`);
      found = create(form.length);
      unpackInto(form, readPacked(form, reader), found);
    }
    unpacked.push(found);
    return found;
  };
  return {
    head,
    bytes: () => next(reader.bytes, (length) => new Uint8Array(length)),
    i16: () => next(reader.i16, (length) => new Int16Array(length)),
    u16: () => next(reader.u16, (length) => new Uint16Array(length)),
    u32: () => next(reader.u32, (length) => new Uint32Array(length)),
    i32: () => next(reader.i32, (length) => new Int32Array(length)),
    f64: () => next(reader.f64, (length) => new Float64Array(length)),
    i64: () => next(reader.i64, (length) => new BigInt64Array(length)),
  };
}

/** How its numbers are packed; 0 where that would not help. One loop per type: a common loop is several times as slow. */
function fit(section: SectionArray): Packing | 0 {
  if (section instanceof BigInt64Array) return fitInts(section);
  if (section instanceof Float64Array) return fitDoubles(section);
  if (section instanceof Int32Array) return fitWords(section);
  // Read as signed, the numbers come back by wrapping around.
  if (section instanceof Uint32Array) {
    return fitWords(new Int32Array(section.buffer, section.byteOffset, section.length));
  }
  return section instanceof Uint8Array ? fitBytes(section) : 0;
}

/** Whether all are whole numbers and none is -0, a different double than 0. */
function fitDoubles(values: Float64Array): Packing | 0 {
  let least = values[0]!;
  let most = least;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (Math.floor(value) !== value || Object.is(value, -0)) return 0;
    if (value < least) least = value;
    else if (value > most) most = value;
  }
  if (!(most - least < two32) || !Number.isSafeInteger(least)) return 0;
  return packingOf(least, most, values.length, 8);
}

function fitWords(values: Int32Array): Packing | 0 {
  const first = values[0]!;
  let [least, most] = [first, first];
  let isRising = true;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value < least) least = value;
    else if (value > most) most = value;
    isRising &&= value === first + i;
  }
  const { length } = values;
  return isRising ? { base: first, bytes: 0, step: 1, length } : packingOf(least, most, length, 4);
}

function fitBytes(values: Uint8Array): Packing | 0 {
  const base = values[0]!;
  for (let i = 0; i < values.length; i++) if (values[i] !== base) return 0;
  return { base, bytes: 0, step: 0, length: values.length };
}

function fitInts(values: BigInt64Array): Packing | 0 {
  const halves = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < values.length; i++) {
    const high = halves[2 * i + 1]!;
    if (high >= highSafe || high < -highSafe) return 0;
    const value = high * two32 + (halves[2 * i]! >>> 0);
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return most - least < two32 ? packingOf(least, most, values.length, 8) : 0;
}

function packingOf(least: number, most: number, length: number, bytesNow: number): Packing | 0 {
  // Base 0 where that needs no more bytes: without an addition it is faster.
  const bytes = bytesFor(most - least);
  const base = least > 0 && bytes > 0 && most < 2 ** (8 * bytes) ? 0 : least;
  return bytes < bytesNow ? { base, bytes, step: 0, length } : 0;
}

/** Of a range below 2^32. */
function bytesFor(range: number): Packing["bytes"] {
  if (range === 0) return 0;
  if (range < 2 ** 8) return 1;
  return range < 2 ** 16 ? 2 : 4;
}

/** The earlier section with the same numbers, or -1. */
function sameBefore(
  sections: readonly SectionArray[],
  forms: readonly SectionForm[],
  at: number,
): number {
  const section = sections[at]!;
  const form = forms[at] as Packing;
  if (form.bytes === 0 || !(section instanceof Float64Array)) return -1;
  for (let i = 0; i < at; i++) {
    const [other, earlier] = [sections[i]!, forms[i]!];
    if (!(other instanceof Float64Array) || earlier === 0 || !("bytes" in earlier)) continue;
    if (earlier.bytes !== form.bytes || other.length !== section.length) continue;
    if (other === section || areEqual(other, section)) return i;
  }
  return -1;
}

function areEqual(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

type PackedNumbers = Uint8Array | Uint16Array | Uint32Array;

function pack(section: SectionArray, { base, bytes, length }: Packing): PackedNumbers {
  const out = createPacked(bytes, length);
  if (section instanceof BigInt64Array) packInts(section, base, out);
  else if (section instanceof Float64Array) packDoubles(section, base, out);
  else if (base === 0) out.set(section);
  else for (let i = 0; i < length; i++) out[i] = section[i]! - base;
  return out;
}

// `set` between array types converts number by number, and one loop over all types would be slow.
function packDoubles(values: Float64Array, base: number, out: PackedNumbers): void {
  if (out instanceof Uint8Array) for (let i = 0; i < out.length; i++) out[i] = values[i]! - base;
  else if (out instanceof Uint16Array) packShorts(values, base, out);
  else packWords(values, base, out);
}

function packShorts(values: Float64Array, base: number, out: Uint16Array): void {
  for (let i = 0; i < out.length; i++) out[i] = values[i]! - base;
}

function packWords(values: Float64Array, base: number, out: Uint32Array): void {
  for (let i = 0; i < out.length; i++) out[i] = values[i]! - base;
}

function packInts(values: BigInt64Array, base: number, out: PackedNumbers): void {
  const halves = new Int32Array(values.buffer, values.byteOffset, values.length * 2);
  for (let i = 0; i < out.length; i++) {
    out[i] = halves[2 * i + 1]! * two32 + (halves[2 * i]! >>> 0) - base;
  }
}

function createPacked(bytes: Packing["bytes"], length: number): PackedNumbers {
  if (bytes === 1) return new Uint8Array(length);
  return bytes === 2 ? new Uint16Array(length) : new Uint32Array(length);
}

function readPacked(
  { bytes, length }: Packing,
  reader: SectionReader<unknown>,
): PackedNumbers | null {
  if (bytes === 0) return null;
  const packed = bytes === 1 ? reader.bytes() : bytes === 2 ? reader.u16() : reader.u32();
  if (packed.length !== length) throw new Error(`found ${packed.length} numbers, not ${length}`);
  return packed;
}

function unpackInto(
  { base, step, length }: Packing,
  packed: PackedNumbers | null,
  out: SectionArray,
): void {
  if (out instanceof BigInt64Array) {
    unpackInts(base, packed, new Int32Array(out.buffer, 0, length * 2));
  } else if (packed === null) {
    if (step === 0) out.fill(base);
    else for (let i = 0; i < length; i++) out[i] = base + i;
  } else if (base === 0) out.set(packed);
  else for (let i = 0; i < length; i++) out[i] = base + packed[i]!;
}

/** Low and high half of each, without allocating a bigint. */
function unpackInts(base: number, packed: PackedNumbers | null, halves: Int32Array): void {
  for (let i = 0; 2 * i < halves.length; i++) {
    const value = packed === null ? base : base + packed[i]!;
    halves[2 * i] = value;
    halves[2 * i + 1] = Math.floor(value / two32);
  }
}
