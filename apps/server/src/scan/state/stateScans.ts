import type { StateColumn } from "../../aggregate/partial/partialResult.js";
import type { Steps } from "../../base/schedule/steps.js";
import type { StateSpec } from "../../plan/query/resolvedQuery.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import type { SegmentInput, SideTask, StateTask } from "../task/scanTask.js";
import { distinctScan } from "./distinct/distinctScan.js";
import type { ElementTables } from "./distinct/elementTables.js";
import { extremeScan } from "./extremeState.js";
import { histogramScan } from "./histogram/histogramScan.js";
import { outsideScan } from "./outsideState.js";
import type { ReadContext } from "./readContext.js";
import { presentScan, rowsScan, weightScan } from "./rowState.js";
import { spreadScan } from "./spreadState.js";
import { squareScan } from "./squareState.js";
import type { AddedRows, ReadGroups, StateContext, StateNeeds, StateScan } from "./stateScan.js";
import { sumScan } from "./sumState.js";
import { talliesOf } from "./tallies.js";

type Kind = StateSpec["kind"];

/**
 * The task of each kind of state: texts are computed as functions are, and both extremes have one
 * task.
 */
type TaskOf<Of extends Kind> = Of extends "min" | "max"
  ? Extract<StateTask, { readonly extremes: number }>
  : Extract<StateTask, { readonly kind: Of extends "text" ? "function" : Of }>;

type StateScans = {
  readonly [Of in Kind]: StateScan<Extract<StateSpec, { readonly kind: Of }>, TaskOf<Of>>;
};

/** The registry: how a leaf fills each kind of state. */
const stateScans: StateScans = {
  rows: rowsScan,
  weight: weightScan,
  present: presentScan,
  sum: sumScan,
  squares: squareScan,
  spread: spreadScan,
  min: extremeScan,
  max: extremeScan,
  histogram: histogramScan,
  distinct: distinctScan,
  text: outsideScan,
  function: outsideScan,
};

/** Each entry takes the specs and tasks of its kind only. */
export const stateScanOf = ({ kind }: { readonly kind: Kind }): StateScan =>
  stateScans[kind] as StateScan;

/** Allocates a state for the groups of a side. */
export const lowerState = (spec: StateSpec, needs: StateNeeds): StateTask =>
  stateScanOf(spec).lower(spec, needs);

/** A state's input in a segment; null: none. */
export const inputOf = (
  spec: StateSpec,
  segment: SegmentView,
  tables: ElementTables,
): SegmentInput | null => stateScanOf(spec).input(spec, segment, tables);

/** Adds the selected rows to the states of their groups, and to the counts of these. */
export function addToStates(
  context: StateContext,
  side: SideTask,
  { unit, selection, groups }: Omit<AddedRows, "input">,
): void {
  const { kernel, memory } = context;
  if (groups === 0) {
    const counts = new Uint32Array(memory.buffer, side.counts, 1);
    counts[0]! += selection.count;
  } else {
    const tallied = talliesOf(side);
    if (tallied === null) kernel.addRows(side.counts, groups, selection.rows.count);
    else kernel.tallyGroups(tallied, groups, selection.rows.count);
  }
  side.states.forEach((task, index) => {
    const input = unit.inputs[index] ?? null;
    stateScanOf(task).add(context, task, { unit, selection, groups, input });
  });
}

/**
 * A state of some groups, as partial results carry it. Nothing stays in the scratch between two
 * steps.
 */
export function* readState(
  context: ReadContext,
  task: StateTask,
  groups: ReadGroups,
): Steps<StateColumn> {
  const read = stateScanOf(task).read(context, task, groups);
  return "kind" in read ? read : yield* read;
}
