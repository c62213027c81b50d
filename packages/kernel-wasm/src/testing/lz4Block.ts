/**
 * An LZ4 block of the bytes, greedily and slowly. As the format asks, the last five bytes are
 * literals and no match starts within the last twelve.
 */
export function lz4Block(bytes: Uint8Array): Uint8Array {
  const out: number[] = [];
  const lastAt = new Map<number, number>();
  let literalsFrom = 0;
  for (let at = 0; at + 12 <= bytes.length; ) {
    const key =
      bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    const match = lastAt.get(key);
    lastAt.set(key, at);
    if (match === undefined || at - match > 0xffff) {
      at++;
      continue;
    }
    let length = 4;
    while (at + length < bytes.length - 5 && bytes[at + length] === bytes[match + length]) length++;
    writeSequence(out, bytes.subarray(literalsFrom, at), { distance: at - match, length });
    at += length;
    literalsFrom = at;
  }
  writeSequence(out, bytes.subarray(literalsFrom), null);
  return Uint8Array.from(out);
}

function writeSequence(
  out: number[],
  literals: Uint8Array,
  match: { readonly distance: number; readonly length: number } | null,
): void {
  const matchCode = match === null ? 0 : match.length - 4;
  out.push((Math.min(literals.length, 15) << 4) | Math.min(matchCode, 15));
  writeRest(out, literals.length);
  for (const byte of literals) out.push(byte);
  if (match === null) return;
  out.push(match.distance & 255, match.distance >> 8);
  writeRest(out, matchCode);
}

/** Lengths from 15 on continue in bytes of up to 255. */
function writeRest(out: number[], length: number): void {
  if (length < 15) return;
  let rest = length - 15;
  for (; rest >= 255; rest -= 255) out.push(255);
  out.push(rest);
}
