import type { StateSpec } from "../../plan/query/resolvedQuery.js";
import { areWeighted } from "../program/segmentsInTotals.js";
import type { StateTask } from "../task/scanTask.js";
import { columnInput } from "./columnInput.js";
import { readTotals, readWeights } from "./readNumbers.js";
import { readyInput } from "./readyInput.js";
import { addressAt, type StateScan } from "./stateScan.js";

type Spec<Kind> = Extract<StateSpec, { readonly kind: Kind }>;
type Task<Kind> = Extract<StateTask, { readonly kind: Kind }>;

/** Rows of a group: they are counted with its table. */
export const rowsScan: StateScan<Spec<"rows">, Task<"rows">> = {
  lower: () => ({ kind: "rows" }),
  input: () => null,
  arrays: () => [],
  add() {},
  read: (_, __, { counts }) => ({ kind: "count", values: counts() }),
  at: (task) => task,
  masked: () => "sum",
};

/** The sum of the sample rates of a group's rows. */
export const weightScan: StateScan<Spec<"weight">, Task<"weight">> = {
  lower: (_, { segments, groupCount, memory }) => ({
    kind: "weight",
    sums: areWeighted(segments) ? memory.allocate(groupCount * 8) : 0,
  }),
  input: () => null,
  arrays: ({ sums }) => [{ address: sums, groupBytes: 8 }],
  add({ kernel }, { sums }, { unit, selection: { rows, mask }, groups }) {
    if (sums !== 0) kernel.addWeights(sums, groups, rows, unit.weights, mask);
  },
  read: ({ memory }, { sums }, groups) => ({
    kind: "count",
    values: readWeights(memory, sums, groups),
  }),
  at: (task, group) => ({ ...task, sums: addressAt(task.sums, group, 8) }),
  masked: () => "sum",
};

/** Rows that have a value, or their weights. */
export const presentScan: StateScan<Spec<"present">, Task<"present">> = {
  lower: ({ weighted }, { groupCount, memory }) => ({
    kind: "present",
    sums: memory.allocate(groupCount * 8),
    weighted,
  }),
  input: ({ column }, segment) => columnInput(segment, column, { reads: "presence" }),
  arrays: ({ sums }) => [{ address: sums, groupBytes: 8 }],
  add(context, { sums, weighted }, { unit, selection: { rows }, groups, input }) {
    if (input === null) return;
    const { present } = readyInput(context, unit, rows, input);
    context.kernel.addWeights(sums, groups, rows, weighted ? unit.weights : null, present);
  },
  read: ({ memory }, { sums }, { groups }) => ({
    kind: "count",
    values: readTotals(memory, sums, groups),
  }),
  at: (task, group) => ({ ...task, sums: addressAt(task.sums, group, 8) }),
  masked: () => "sum",
};
