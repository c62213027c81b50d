import type { Steps } from "../../base/schedule/steps.js";

/** For more things than these a sample chooses the pivot. */
const sampledMin = 600;
/** About a millisecond. */
const comparedPerStep = 8_192;

/**
 * Moves the best `count` things to the front, in any order, by Floyd and Rivest's selection (Algorithm 489, CACM 18/3,
 * 1975). `compare` must not return 0 for different things.
 */
export function* partitionBest(
  things: Uint32Array,
  count: number,
  compare: (a: number, b: number) => number,
): Steps<void> {
  if (count > 0 && count < things.length)
    yield* select({ things, compare }, count - 1, 0, things.length - 1);
}

interface Ordered {
  readonly things: Uint32Array;
  readonly compare: (a: number, b: number) => number;
}

/** Puts at `wanted` what a sort of the things from `first` to `last` would put there, with smaller ones before it. */
function* select(ordered: Ordered, wanted: number, first: number, last: number): Steps<void> {
  const { things, compare } = ordered;
  let left = first;
  let right = last;
  while (right > left) {
    const length = right - left + 1;
    if (length > sampledMin) {
      const rank = wanted - left + 1;
      const z = Math.log(length);
      const sampled = Math.exp((2 * z) / 3) / 2;
      const deviation = Math.sqrt((z * sampled * (length - sampled)) / length) / 2;
      const shift = rank < length / 2 ? -deviation : deviation;
      const start = Math.floor(wanted - (rank * sampled) / length + shift);
      const end = Math.floor(wanted + ((length - rank) * sampled) / length + shift);
      yield* select(ordered, wanted, Math.max(left, start), Math.min(right, end));
    }
    const pivot = things[wanted]!;
    let i = left;
    let j = right;
    let yieldAt = comparedPerStep;
    while (i <= j) {
      while (compare(things[i]!, pivot) < 0) i++;
      while (compare(things[j]!, pivot) > 0) j--;
      if (i > j) break;
      const swapped = things[i]!;
      things[i++] = things[j]!;
      things[j--] = swapped;
      const compared = i - left + right - j;
      if (compared < yieldAt) continue;
      yieldAt = compared + comparedPerStep;
      yield;
    }
    if (wanted <= j) right = j;
    else if (wanted >= i) left = i;
    else return;
  }
}
