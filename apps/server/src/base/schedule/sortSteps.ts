import type { Steps } from "./steps.js";

/** Numbers that the engine sorts at once, in a fraction of a millisecond. */
const runLength = 2_048;
/** Numbers that are moved in one step. */
const stepLength = 8_192;

/** Stable merge sort in steps. Overwrites the given array. */
export function* sortSteps(
  numbers: Uint32Array,
  compare: (a: number, b: number) => number,
): Steps<Uint32Array> {
  const { length } = numbers;
  for (let from = 0; from < length; from += runLength) {
    numbers.subarray(from, from + runLength).sort(compare);
    yield;
  }
  let [source, target]: [Uint32Array, Uint32Array] = [numbers, new Uint32Array(length)];
  for (let width = runLength; width < length; width *= 2) {
    for (let from = 0; from < length; from += 2 * width) {
      const middle = Math.min(from + width, length);
      const end = Math.min(from + 2 * width, length);
      for (let at = from, left = from, right = middle; at < end; at++) {
        const takesLeft =
          right >= end || (left < middle && compare(source[left]!, source[right]!) <= 0);
        target[at] = takesLeft ? source[left++]! : source[right++]!;
        if (at % stepLength === 0) yield;
      }
    }
    [source, target] = [target, source];
  }
  return source;
}
