import type { PartialResult, PartialSide } from "./partialResult.js";

/** Measured: what merging, ordering and printing cost at the root, roughly. */
const bytesPerMs = 400_000;
const groupsPerMs = 500;

/** About how long the root will take to make an answer of this. */
export function finishCostMs({ sides, branches = [] }: PartialResult): number {
  const ownMs = sides.reduce(
    (ms, side) => ms + stateBytes(side) / bytesPerMs + side.groupCount / groupsPerMs,
    0,
  );
  return branches.reduce((ms, part) => ms + (part === null ? 0 : finishCostMs(part)), ownMs);
}

function stateBytes({ states }: PartialSide): number {
  let bytes = 0;
  for (const state of states) {
    for (const part of Object.values(state)) if (ArrayBuffer.isView(part)) bytes += part.byteLength;
  }
  return bytes;
}
