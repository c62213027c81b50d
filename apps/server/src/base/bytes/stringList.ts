import { isAscii, isUtf8 } from "node:buffer";

/**
 * Strings as two sections: their concatenated texts in UTF-8, and their lengths in UTF-16 units, so that they are read by
 * one decode and cheap slices. Strings must be well-formed Unicode.
 */
export interface EncodedStrings {
  readonly text: Uint8Array;
  readonly lengths: Uint32Array;
  /** End offset of each in the text, if known already. */
  readonly ends?: Uint32Array;
}

/** Number of strings that are joined before they are encoded; they fit the processor's cache. */
const stringsPerRun = 512;

export function encodeStrings(strings: readonly string[]): EncodedStrings {
  const lengths = new Uint32Array(strings.length);
  let unitsLeft = 0;
  for (let i = 0; i < strings.length; i++) {
    lengths[i] = strings[i]!.length;
    unitsLeft += lengths[i]!;
  }
  const encoder = new TextEncoder();
  // Most texts are ASCII, one byte per unit; for others the buffer grows to the maximum.
  let text = new Uint8Array(unitsLeft);
  let used = 0;
  for (let i = 0; i < strings.length; i += stringsPerRun) {
    let run = "";
    const end = Math.min(strings.length, i + stringsPerRun);
    for (let k = i; k < end; k++) run += strings[k]!;
    let { read, written } = encoder.encodeInto(run, text.subarray(used));
    if (read < run.length) {
      const larger = new Uint8Array(used + 3 * unitsLeft);
      larger.set(text.subarray(0, used));
      text = larger;
      ({ read, written } = encoder.encodeInto(run, text.subarray(used)));
    }
    used += written;
    unitsLeft -= run.length;
  }
  return { text: used === text.length ? text : text.slice(0, used), lengths };
}

/** ignoreBOM: a leading U+FEFF belongs to the first string. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export function decodeStrings(text: Uint8Array, lengths: Uint32Array): string[] {
  const all = decoder.decode(text);
  const strings = new Array<string>(lengths.length);
  let at = 0;
  for (let i = 0; i < lengths.length; i++) {
    const end = at + lengths[i]!;
    strings[i] = all.slice(at, end);
    at = end;
  }
  if (at !== all.length) throw new Error(`strings hold ${all.length} units, their lengths ${at}`);
  return strings;
}

export function endsOf({ text, lengths, ends }: EncodedStrings): Uint32Array {
  return ends ?? stringEnds(text, lengths);
}

/** End offset of each string in the text. Throws if the text is not UTF-8 or a length splits a character. */
export function stringEnds(text: Uint8Array, lengths: Uint32Array): Uint32Array {
  const ends = new Uint32Array(lengths.length);
  let units = 0;
  for (let i = 0; i < lengths.length; i++) {
    units += lengths[i]!;
    ends[i] = units;
  }
  // As many bytes as units: all are ASCII.
  if (units === text.length && isAscii(text)) return ends;
  if (!isUtf8(text)) throw new Error("strings are not UTF-8");
  let at = 0;
  let unit = 0;
  for (let i = 0; i < lengths.length; i++) {
    for (const end = ends[i]!; unit < end; ) {
      const byte = text[at];
      if (byte === undefined) break;
      const bytes = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
      at += bytes;
      unit += bytes === 4 ? 2 : 1;
    }
    if (unit !== ends[i] || at > text.length) throw wrongLengths(text, units);
    ends[i] = at;
  }
  if (at !== text.length) throw wrongLengths(text, units);
  return ends;
}

function wrongLengths(text: Uint8Array, units: number): Error {
  return new Error(
    `strings hold ${text.length} bytes, which are not of ${units} units as their lengths say`,
  );
}
