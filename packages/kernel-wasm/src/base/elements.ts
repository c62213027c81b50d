/**
 * 64 bits that stand for a string (its UTF-8 bytes): two lanes of 32 bits over words of four bytes,
 * after MurmurHash3. A million strings have two with one hash once in 37 million times.
 */
export function hashBytes(bytes: Uint8Array, length: number): readonly [low: number, high: number] {
  let a = 0x9747b28c ^ length;
  let b = 0x3c074a61 ^ length;
  const whole = length & ~3;
  for (let at = 0; at < length; at += 4) {
    let word = bytes[at]!;
    if (at < whole) {
      word |= (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    } else {
      if (at + 1 < length) word |= bytes[at + 1]! << 8;
      if (at + 2 < length) word |= bytes[at + 2]! << 16;
    }
    a ^= Math.imul(rotate(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593);
    a = (Math.imul(rotate(a, 13), 5) + 0xe6546b64) | 0;
    b ^= Math.imul(rotate(Math.imul(word, 0xab0e9789), 17), 0x38b34ae5);
    b = (Math.imul(rotate(b, 15), 5) + 0x561ccd1b + a) | 0;
  }
  a = finish((a + b) | 0);
  b = finish((b + a) | 0);
  return [a >>> 0, b >>> 0];
}

/**
 * Mixes all bits of an element into all bits, as the kernel does for its sets and registers; in
 * words, as JavaScript is slow at 64 bits.
 */
export function mixElement(low: number, high: number): readonly [low: number, high: number] {
  const [a, b] = multiply((low ^ high) >>> 0, high, 0x7f4a7c15, 0x9e3779b9);
  // ^ (hash >> 29)
  const [c, d] = multiply(
    (a ^ ((a >>> 29) | (b << 3))) >>> 0,
    (b ^ (b >>> 29)) >>> 0,
    0x6659fd93,
    0xd6e8feb8,
  );
  return [(c ^ d) >>> 0, d];
}

/** Modulo 2^64. */
function multiply(
  aLow: number,
  aHigh: number,
  bLow: number,
  bHigh: number,
): readonly [number, number] {
  const a0 = aLow & 0xffff;
  const a1 = aLow >>> 16;
  const b0 = bLow & 0xffff;
  const b1 = bLow >>> 16;
  const low = a0 * b0;
  const middle = a1 * b0 + (low >>> 16);
  const other = a0 * b1 + (middle & 0xffff);
  const carried = a1 * b1 + Math.floor(middle / 65_536) + Math.floor(other / 65_536);
  const high = (carried + Math.imul(aLow, bHigh) + Math.imul(aHigh, bLow)) >>> 0;
  return [(((other & 0xffff) << 16) | (low & 0xffff)) >>> 0, high];
}

function rotate(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by));
}

function finish(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
