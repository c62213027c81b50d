import type { Values } from "@hadal/kernel-wasm";
import type { StateColumn } from "../../aggregate/partial/partialResult.js";
import { fitsUint32 } from "../../column/decimal.js";
import type { StateSpec } from "../../plan/query/resolvedQuery.js";
import type { StateTask } from "../task/scanTask.js";
import { columnInput } from "./columnInput.js";
import { isComplete, rangeOf, sumFits } from "./columnRange.js";
import type { ReadContext } from "./readContext.js";
import { readTotals, readWeights, wordsFor } from "./readNumbers.js";
import { readyInput } from "./readyInput.js";
import { addressAt, type ReadGroups, type StateScan } from "./stateScan.js";
import { highOfWideSum } from "./wideSum.js";

type SumTask = Extract<StateTask, { readonly kind: "sum" }>;

const bytesOf = ({ wide }: SumTask): number => (wide ? 24 : 8);

/** Exact weighted sums, and the weights of the summed values. */
export const sumScan: StateScan<Extract<StateSpec, { readonly kind: "sum" }>, SumTask> = {
  lower({ column, decimals }, { segments, groupCount, lowSums, memory }) {
    const wide = !sumFits(column, decimals, segments);
    const hasLows = lowSums && !wide && fitsUint32(rangeOf(column, decimals, segments));
    return {
      kind: "sum",
      wide,
      sums: memory.allocate(groupCount * (wide ? 24 : 8)),
      lows: hasLows ? memory.allocateSpare(groupCount * 4) : 0,
      weights: isComplete(column, segments) ? 0 : memory.allocate(groupCount * 8),
    };
  },
  input: ({ column, decimals }, segment) =>
    columnInput(segment, column, { reads: "numbers", decimals }),
  arrays: (task) => [
    { address: task.sums, groupBytes: bytesOf(task) },
    { address: task.lows, groupBytes: 4 },
    { address: task.weights, groupBytes: 8 },
  ],
  add(context, task, { unit, selection: { rows }, groups, input }) {
    if (input === null) return;
    const { kernel } = context;
    const { weights } = unit;
    const { values, base, present } = readyInput(context, unit, rows, input);
    if (task.wide) {
      kernel.addWideProducts(task.sums, groups, rows, values, base, weights, present);
    } else if (task.lows !== 0 && present === 0 && isNarrow(values)) {
      kernel.addGroupLowSums(task, groups, rows, values, Number(BigInt.asUintN(32, base)));
    } else {
      kernel.addProducts(task.sums, groups, rows, values, base, weights, present);
    }
    if (task.weights !== 0) kernel.addWeights(task.weights, groups, rows, weights, present);
  },
  settle(kernel, task, groupCount) {
    if (task.lows !== 0) kernel.flushLowSums(task, groupCount);
  },
  read: readSum,
  // Low sums are of tables of many groups, which are not added to one by one.
  at: (task, group) => ({
    ...task,
    sums: addressAt(task.sums, group, bytesOf(task)),
    weights: addressAt(task.weights, group, 8),
  }),
  masked: ({ wide }) => (wide ? "lookup" : "sum"),
};

const isNarrow = ({ width }: Values): boolean => width > 0 && width <= 4;

function readSum({ memory }: ReadContext, task: SumTask, read: ReadGroups): StateColumn {
  const { side, groups } = read;
  const hi = new Float64Array(groups.length);
  const lo = new Float64Array(groups.length);
  const words = new Uint32Array(memory.buffer, task.sums, wordsFor(groups, task.wide ? 3 : 1));
  for (let i = 0; i < groups.length; i++) {
    const at = groups[i]! * (task.wide ? 6 : 2);
    if (!task.wide) {
      hi[i] = words[at + 1]! | 0;
      lo[i] = words[at]!;
      continue;
    }
    lo[i] = words[at]!;
    hi[i] = highOfWideSum(words, at);
  }
  const weightOf = side.states.find((one) => one.kind === "weight");
  const weights =
    task.weights !== 0
      ? readTotals(memory, task.weights, groups)
      : readWeights(memory, weightOf?.kind === "weight" ? weightOf.sums : 0, read);
  return { kind: "sum", hi, lo, weights };
}
