/**
 * The sum that three limbs of 32 bits, each an i64 in two words, come to: high · 2^32 + its lowest word, without
 * sign. A limb may hold more than a double does: what is beyond its 32 bits goes to the next, word by word. Exact
 * where |high| is below 2^53; where it is not, it is beyond all that a sum may be.
 */
export function highOfWideSum(words: Uint32Array, at: number): number {
  const second = words[at + 2]! + words[at + 1]!;
  const third = words[at + 4]! + words[at + 3]! + Math.floor(second / 2 ** 32);
  const fourth = (words[at + 5]! | 0) + Math.floor(third / 2 ** 32);
  return (fourth * 2 ** 32 + (third >>> 0)) * 2 ** 32 + (second >>> 0);
}
