import type { StateColumn } from "../../aggregate/partial/partialResult.js";
import { int64Max, int64Min } from "../../column/decimal.js";
import type { StateSpec } from "../../plan/query/resolvedQuery.js";
import type { StateTask } from "../task/scanTask.js";
import { columnInput } from "./columnInput.js";
import { rangeOf } from "./columnRange.js";
import type { ReadContext } from "./readContext.js";
import { readTotals, wordsFor } from "./readNumbers.js";
import { readyInput } from "./readyInput.js";
import { addressAt, type ReadGroups, type StateScan } from "./stateScan.js";

type Kind = "min" | "max";
type ExtremeTask = Extract<StateTask, { readonly extremes: number }>;

/** The initial value of a group: no value is beyond it. */
const starts: Readonly<Record<Kind, bigint>> = { min: int64Max, max: int64Min };

/** The smallest or largest integer. */
export const extremeScan: StateScan<Extract<StateSpec, { readonly kind: Kind }>, ExtremeTask> = {
  lower({ kind, column, decimals }, { segments, groupCount, memory }) {
    const { min, max } = rangeOf(column, decimals, segments);
    // A value equal to the start could not be distinguished from no value.
    const isAmbiguous = kind === "min" ? max === int64Max : min === int64Min;
    return {
      kind,
      extremes: memory.allocate(groupCount * 8),
      presence: isAmbiguous ? memory.allocate(groupCount * 8) : 0,
    };
  },
  input: ({ column, decimals }, segment) =>
    columnInput(segment, column, { reads: "numbers", decimals }),
  arrays: ({ kind, extremes, presence }) => [
    { address: extremes, groupBytes: 8, start: starts[kind] },
    { address: presence, groupBytes: 8 },
  ],
  add(context, { kind, extremes, presence }, { unit, selection: { rows }, groups, input }) {
    if (input === null) return;
    const { kernel } = context;
    const { values, base, present } = readyInput(context, unit, rows, input);
    if (kind === "min") kernel.addMinimums(extremes, groups, rows, values, base, present);
    else kernel.addMaximums(extremes, groups, rows, values, base, present);
    if (presence !== 0) kernel.addWeights(presence, groups, rows, null, present);
  },
  read: readExtremes,
  at: (task, group) => ({
    ...task,
    extremes: addressAt(task.extremes, group, 8),
    presence: addressAt(task.presence, group, 8),
  }),
  masked: () => "lookup",
};

function readExtremes(
  { memory }: ReadContext,
  { kind, extremes, presence }: ExtremeTask,
  { groups }: ReadGroups,
): StateColumn {
  const stored = new BigInt64Array(memory.buffer, extremes, wordsFor(groups, 1) / 2);
  const seen = presence === 0 ? null : readTotals(memory, presence, groups);
  const values = new BigInt64Array(groups.length);
  const present = new Uint8Array(groups.length);
  for (let i = 0; i < groups.length; i++) {
    const value = stored[groups[i]!]!;
    const has = seen === null ? value !== starts[kind] : seen[i]! > 0;
    if (!has) continue;
    values[i] = value;
    present[i] = 1;
  }
  return { kind: "extreme", values, present };
}
