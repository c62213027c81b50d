import type { RowSet } from "@hadal/kernel-wasm";
import type { StateColumn } from "../../aggregate/partial/partialResult.js";
import { bytesPerSpread, sumsPerSpread } from "../../aggregate/state/spreadState.js";
import type { StateSpec } from "../../plan/query/resolvedQuery.js";
import { areWeighted } from "../program/segmentsInTotals.js";
import type { StateTask } from "../task/scanTask.js";
import { columnInput } from "./columnInput.js";
import type { ReadContext } from "./readContext.js";
import { wordsFor } from "./readNumbers.js";
import { atWantedScale, withPresence } from "./readyInput.js";
import { spreadParts } from "./sampledWeights.js";
import { addressAt, type ReadGroups, type StateContext, type StateScan } from "./stateScan.js";

type SpreadTask = Extract<StateTask, { readonly kind: "spread" }>;

/** The error that sample rates bring; rows without one bring none. */
export const spreadScan: StateScan<Extract<StateSpec, { readonly kind: "spread" }>, SpreadTask> = {
  lower({ column, values }, { segments, groupCount, memory }) {
    const sums = areWeighted(segments) ? memory.allocate(groupCount * bytesPerSpread) : 0;
    return { kind: "spread", sums, values, ofColumn: column !== null };
  },
  input({ column, values, decimals }, segment) {
    if (column === null) return null;
    return columnInput(
      segment,
      column,
      values ? { reads: "numbers", decimals } : { reads: "presence" },
    );
  },
  arrays: ({ sums }) => [{ address: sums, groupBytes: bytesPerSpread }],
  add(context, task, { unit, selection: { rows, count, mask }, groups, input }) {
    if (task.sums === 0 || unit.weights === null) return;
    // Without a column all rows count; with one, those of a segment that lacks it do not.
    if (input === null && task.ofColumn) return;
    const read = input?.coded ? withPresence(context, unit, input) : input;
    const present = read === null ? mask : read.present;
    const having = Math.min(count, countPresent(context, rows, present));
    const { parts, scale } = spreadParts(rows, having, groups, Math.abs(unit.minMs));
    for (const part of parts) {
      const { values, base } =
        read === null
          ? { values: unit.weights, base: 0n }
          : task.values
            ? atWantedScale(context, unit, part, read)
            : ones;
      context.kernel.addSpread(
        ...([task.sums, groups, part, values, base, unit.weights, present, scale] as const),
      );
    }
  },
  read: readSpread,
  at: (task, group) => ({ ...task, sums: addressAt(task.sums, group, bytesPerSpread) }),
  masked: () => "sum",
};

const ones = { values: { address: 0, width: 0 }, base: 1n } as const;

/**
 * Rows of the set that have a value, as far as that is quickly known: of a list where some may lack
 * it, none.
 */
function countPresent(
  { kernel }: StateContext,
  { start, count, rows }: RowSet,
  present: number,
): number {
  if (present === 0) return count;
  return rows === 0 ? kernel.countOfRun(present, start, start + count) : 0;
}

/** Zeros where no row has a sample rate. */
function readSpread(
  { memory }: ReadContext,
  { sums: address }: SpreadTask,
  { groups }: ReadGroups,
): StateColumn {
  const sums = new Float64Array(groups.length * sumsPerSpread);
  if (address === 0) return { kind: "spread", sums };
  const words = wordsFor(groups, sumsPerSpread);
  const stored = new Float64Array(memory.buffer, address, words / 2);
  for (let i = 0; i < groups.length; i++) {
    const from = groups[i]! * sumsPerSpread;
    sums.set(stored.subarray(from, from + sumsPerSpread), i * sumsPerSpread);
  }
  return { kind: "spread", sums };
}
