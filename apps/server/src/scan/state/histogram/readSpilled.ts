import { type Counters, fullCounter } from "../../task/histogramTask.js";

/** The weights beyond the range of counters: one entry a counter, by number, then by cell. */
export interface Spilled {
  readonly numbers: Uint32Array;
  readonly cells: Uint32Array;
  readonly weights: Float64Array;
}

const nothing: Spilled = {
  numbers: new Uint32Array(0),
  cells: new Uint32Array(0),
  weights: new Float64Array(0),
};

export function readSpilled(
  { buffer }: WebAssembly.Memory,
  { histogram, shape, spilled, counterBytes }: Counters,
): Spilled {
  if (spilled === 0) return nothing;
  const [count] = new Uint32Array(buffer, spilled, 1);
  // Noted as they came; a counter is noted as often as it was full.
  const addresses = new Uint32Array(buffer, spilled + 4, count).slice().sort();
  const numbers = new Uint32Array(addresses.length);
  const cells = new Uint32Array(addresses.length);
  const weights = new Float64Array(addresses.length);
  const full = fullCounter(counterBytes);
  let used = 0;
  for (let i = 0; i < addresses.length; i++) {
    if (i > 0 && addresses[i] === addresses[i - 1]) {
      weights[used - 1]! += full;
      continue;
    }
    const at = (addresses[i]! - histogram) / counterBytes;
    const cell = at % shape.bucketCount;
    cells[used] = cell;
    numbers[used] = (at - cell) / shape.bucketCount;
    weights[used++] = full;
  }
  return {
    numbers: numbers.subarray(0, used),
    cells: cells.subarray(0, used),
    weights: weights.subarray(0, used),
  };
}

/**
 * Calls for each that is of one of `groups`, which ascend as they do, with the group's place among
 * these.
 */
export function eachSpilled(
  { numbers, cells, weights }: Spilled,
  groups: Uint32Array,
  onFound: (place: number, cell: number, weight: number) => void,
): void {
  let place = 0;
  for (let i = 0; i < numbers.length; i++) {
    while (place < groups.length && groups[place]! < numbers[i]!) place++;
    if (groups[place] === numbers[i]) onFound(place, cells[i]!, weights[i]!);
  }
}
