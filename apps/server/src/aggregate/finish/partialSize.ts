import type { PartialResult, PartialSide } from "../partial/partialResult.js";
import { barredRowsMax } from "./resultIntervals.js";

/** Measured: what merging, ordering and printing cost at the root, roughly. */
const bytesPerMs = 400_000;
const groupsPerMs = 500;
/** With error bars of their percentiles, which answers that lack rows have. */
const histogramsPerMs = 250;

/** About how long the root will take to make an answer of this. */
export function finishCostMs({ sides, branches = [] }: PartialResult): number {
  const ownMs = sides.reduce(
    (ms, side) => ms + stateBytes(side) / bytesPerMs + side.groupCount / groupsPerMs + barsMs(side),
    0,
  );
  return branches.reduce((ms, part) => ms + (part === null ? 0 : finishCostMs(part)), ownMs);
}

function barsMs({ groupCount, states }: PartialSide): number {
  const histograms = states.filter(({ kind }) => kind === "histogram").length;
  return (histograms * Math.min(groupCount, barredRowsMax)) / histogramsPerMs;
}

function stateBytes({ states }: PartialSide): number {
  let bytes = 0;
  for (const state of states) {
    for (const part of Object.values(state)) if (ArrayBuffer.isView(part)) bytes += part.byteLength;
  }
  return bytes;
}
