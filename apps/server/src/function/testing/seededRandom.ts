import type { Random } from "./randomExpression.js";

/** The same numbers for the same seed: a counter, mixed. */
export function createRandom(seed: number): Random {
  let state = (seed * 2_654_435_761) >>> 0;
  return {
    below(end) {
      state = (state + 0x9e3779b9) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad) >>> 0;
      mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97) >>> 0;
      return ((mixed ^ (mixed >>> 15)) >>> 0) % end;
    },
  };
}
