import type { StateColumn } from "../../aggregate/partial/partialResult.js";
import { limbsPerSquare } from "../../aggregate/state/squareState.js";
import type { StateSpec } from "../../plan/query/resolvedQuery.js";
import type { StateTask } from "../task/scanTask.js";
import { columnInput } from "./columnInput.js";
import { squaresFit } from "./columnRange.js";
import type { ReadContext } from "./readContext.js";
import { wordsFor } from "./readNumbers.js";
import { readyInput } from "./readyInput.js";
import { addressAt, type ReadGroups, type StateScan } from "./stateScan.js";

type SquareTask = Extract<StateTask, { readonly kind: "squares" }>;

const limbsOf = ({ wide }: SquareTask): number => (wide ? 5 : 1);

/** Exact weighted sums of squares. */
export const squareScan: StateScan<Extract<StateSpec, { readonly kind: "squares" }>, SquareTask> = {
  lower({ column, decimals }, { segments, groupCount, memory }) {
    const wide = !squaresFit(column, decimals, segments);
    return { kind: "squares", wide, sums: memory.allocate(groupCount * (wide ? 40 : 8)) };
  },
  input: ({ column, decimals }, segment) =>
    columnInput(segment, column, { reads: "numbers", decimals }),
  arrays: (task) => [{ address: task.sums, groupBytes: 8 * limbsOf(task) }],
  add(context, { sums, wide }, { unit, selection: { rows }, groups, input }) {
    if (input === null) return;
    const { kernel } = context;
    const { values, base, present } = readyInput(context, unit, rows, input);
    if (wide) kernel.addWideSquares(sums, groups, rows, values, base, unit.weights, present);
    else kernel.addSquares(sums, groups, rows, values, base, unit.weights, present);
  },
  read: readSquares,
  at: (task, group) => ({ ...task, sums: addressAt(task.sums, group, 8 * limbsOf(task)) }),
  masked: () => "lookup",
};

/** A limb's i64 may exceed its 32 bits: the carry goes to the next limb. */
function readSquares(
  { memory }: ReadContext,
  task: SquareTask,
  { groups }: ReadGroups,
): StateColumn {
  const sumsPerGroup = limbsOf(task);
  const words = new Uint32Array(memory.buffer, task.sums, wordsFor(groups, sumsPerGroup));
  const limbs = new Uint32Array(groups.length * limbsPerSquare);
  for (let i = 0; i < groups.length; i++) {
    const from = groups[i]! * sumsPerGroup * 2;
    let carry = 0;
    for (let j = 0; j <= sumsPerGroup; j++) {
      const low = j < sumsPerGroup ? words[from + 2 * j]! : 0;
      const high = j > 0 ? words[from + 2 * j - 1]! : 0;
      const sum = low + high + carry;
      carry = Math.floor(sum / 2 ** 32);
      limbs[i * limbsPerSquare + j] = sum;
    }
  }
  return { kind: "squares", limbs };
}
