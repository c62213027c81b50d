/**
 * The high part of a sum of three limbs of 32 bits, each an i64 in two words: the sum is high ·
 * 2^32 + the lowest word, unsigned. Carries go to the next limb word by word, as a limb may exceed
 * a double. Exact where |high| is below 2^53; no sum is larger.
 */
export function highOfWideSum(words: Uint32Array, at: number): number {
  const second = words[at + 2]! + words[at + 1]!;
  const third = words[at + 4]! + words[at + 3]! + Math.floor(second / 2 ** 32);
  const fourth = (words[at + 5]! | 0) + Math.floor(third / 2 ** 32);
  return (fourth * 2 ** 32 + (third >>> 0)) * 2 ** 32 + (second >>> 0);
}
