/**
 * Strings as two sections: their texts end to end in UTF-8, and their lengths in UTF-16 units, so that one
 * decode and cheap slices bring them back. Strings must be well-formed Unicode.
 */
export interface EncodedStrings {
  readonly text: Uint8Array;
  readonly lengths: Uint32Array;
}

export function encodeStrings(strings: readonly string[]): EncodedStrings {
  const lengths = new Uint32Array(strings.length);
  for (let i = 0; i < strings.length; i++) lengths[i] = strings[i]!.length;
  return { text: new TextEncoder().encode(strings.join("")), lengths };
}

export function decodeStrings(text: Uint8Array, lengths: Uint32Array): string[] {
  // ignoreBOM: a leading U+FEFF belongs to the first string.
  const all = new TextDecoder("utf-8", { ignoreBOM: true }).decode(text);
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
