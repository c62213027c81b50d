/** How many bits are set in the words [from, to). */
export function countBits(words: Uint32Array, from = 0, to = words.length): number {
  let count = 0;
  for (let i = from; i < to; i++) {
    let bits = words[i]!;
    bits -= (bits >>> 1) & 0x5555_5555;
    bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
    count += Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
  }
  return count;
}
