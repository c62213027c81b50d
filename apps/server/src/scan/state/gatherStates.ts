import type { KernelOperations, RowSet, Values } from "@hadal/kernel-wasm";
import { HadalError } from "@hadal/sdk";
import { fitsInt64, rescale } from "../../column/decimal.js";
import type { ColumnReader } from "../../column/readColumn.js";
import type { Scratch } from "../memory/scratch.js";
import type { Selection } from "../memory/selection.js";
import type { GatheredUnit, SegmentInput, SideTask, StateTask } from "../task/scanTask.js";
import type { StringReader } from "../value/stringReader.js";
import { gatherDistinct } from "./gatherDistinct.js";
import { gatherHistogram } from "./gatherHistogram.js";
import { spreadParts, withSquaredWeights } from "./sampledWeights.js";
import { talliesOf } from "./tallies.js";

/** What gathering needs of its thread. */
export interface GatherContext {
  readonly memory: WebAssembly.Memory;
  readonly kernel: KernelOperations;
  readonly reader: ColumnReader;
  readonly strings: StringReader;
  readonly scratch: Scratch;
}

/** Adds the selected rows to the states of their groups. `groups` 0: one group. With a mask, the unit's inputs heed it already. */
export function gatherStates(
  context: GatherContext,
  unit: GatheredUnit,
  side: SideTask,
  { rows, count, mask }: Selection,
  groups: number,
): void {
  if (groups === 0) {
    const counts = new Uint32Array(context.memory.buffer, side.counts, 1);
    counts[0]! += count;
  } else {
    const tallied = talliesOf(side);
    if (tallied === null) context.kernel.addRows(side.counts, groups, rows.count);
    else context.kernel.tallyGroups(tallied, groups, rows.count);
  }
  side.states.forEach((state, index) => {
    if (state.kind === "weight" && state.sums !== 0) {
      context.kernel.addWeights(state.sums, groups, rows, unit.weights, mask);
    }
    const input = unit.inputs[index];
    if (state.kind === "spread" && state.sums !== 0) {
      gatherSpread(context, state, unit, { rows, count, mask }, groups, input ?? null);
    }
    if (input === null || input === undefined || state.kind === "spread") return;
    const ready = input.coded
      ? withPresence(context, unit, input)
      : atWantedScale(context, unit, rows, input);
    if (state.kind === "distinct") {
      gatherDistinct(context, state, rows, groups, ready);
    } else if (state.kind === "histogram") {
      const weighed = state.squared ? withSquaredWeights(context, unit) : unit;
      gatherHistogram(context, state, weighed, rows, groups, ready);
    } else {
      gatherColumn(context.kernel, state, unit.weights, rows, groups, ready);
    }
  });
}

function gatherColumn(
  kernel: KernelOperations,
  state: Exclude<StateTask, { kind: "histogram" | "distinct" | "spread" }>,
  weights: Values | null,
  rows: RowSet,
  groups: number,
  { values, base, present }: SegmentInput,
): void {
  switch (state.kind) {
    case "rows":
    case "weight":
    case "function":
      return;
    case "present":
      kernel.addWeights(state.sums, groups, rows, state.weighted ? weights : null, present);
      return;
    case "sum":
      if (state.wide) {
        kernel.addWideProducts(state.sums, groups, rows, values, base, weights, present);
      } else if (state.lows !== 0 && present === 0 && isNarrow(values)) {
        kernel.addGroupLowSums(state, groups, rows, values, Number(BigInt.asUintN(32, base)));
      } else {
        kernel.addProducts(state.sums, groups, rows, values, base, weights, present);
      }
      if (state.weights !== 0) kernel.addWeights(state.weights, groups, rows, weights, present);
      return;
    case "squares":
      if (state.wide) {
        kernel.addWideSquares(state.sums, groups, rows, values, base, weights, present);
      } else {
        kernel.addSquares(state.sums, groups, rows, values, base, weights, present);
      }
      return;
    case "min":
      kernel.addMinimums(state.extremes, groups, rows, values, base, present);
      if (state.presence !== 0) kernel.addWeights(state.presence, groups, rows, null, present);
      return;
    case "max":
      kernel.addMaximums(state.extremes, groups, rows, values, base, present);
      if (state.presence !== 0) kernel.addWeights(state.presence, groups, rows, null, present);
      return;
  }
}

const isNarrow = ({ width }: Values): boolean => width > 0 && width <= 4;

/** The error that sample rates bring to what is gathered; rows without one bring none. */
function gatherSpread(
  context: GatherContext,
  state: Extract<StateTask, { kind: "spread" }>,
  unit: GatheredUnit,
  { rows, count, mask }: Selection,
  groups: number,
  input: SegmentInput | null,
): void {
  if (unit.weights === null) return;
  // Without a column all rows count; with one, those of a segment that lacks it do not.
  if (input === null && state.ofColumn) return;
  const read = input?.coded ? withPresence(context, unit, input) : input;
  const present = read === null ? mask : read.present;
  const having = Math.min(count, countPresent(context, rows, present));
  const { parts, scale } = spreadParts(rows, having, groups, Math.abs(unit.minMs));
  for (const part of parts) {
    const { values, base } =
      read === null
        ? { values: unit.weights, base: 0n }
        : state.values
          ? atWantedScale(context, unit, part, read)
          : ones;
    context.kernel.addSpread(
      ...([state.sums, groups, part, values, base, unit.weights, present, scale] as const),
    );
  }
}

const ones = { values: { address: 0, width: 0 }, base: 1n } as const;

/** Rows of the set that have a value, as far as that is quickly told: of a list where some may lack it, none. */
function countPresent(
  { kernel }: GatherContext,
  { start, count, rows }: RowSet,
  present: number,
): number {
  if (present === 0) return count;
  return rows === 0 ? kernel.countOfRun(present, start, start + count) : 0;
}

/** A bitmap of the rows that have a code. The mask is free: the rows are selected already. */
function withPresence(
  { kernel, scratch }: GatherContext,
  unit: GatheredUnit,
  input: SegmentInput,
): SegmentInput {
  const present = scratch.masks[0]!;
  kernel.selectRange(present, input.values, unit.rowCount, 1n, 0xffff_ffffn);
  return { ...input, present };
}

/** Values of the rows at the decimals that the query wants; a copy where the segment has others. */
function atWantedScale(
  { memory, reader, scratch }: GatherContext,
  unit: GatheredUnit,
  rows: RowSet,
  input: SegmentInput,
): SegmentInput {
  if (input.shift === 0) return input;
  const out = new BigInt64Array(memory.buffer, scratch.values, unit.rowCount);
  const listed = new Uint32Array(memory.buffer, rows.rows, rows.rows === 0 ? 0 : rows.count);
  const [from, to] = input.shift > 0 ? [0, input.shift] : [-input.shift, 0];
  for (let k = 0; k < rows.count; k++) {
    const row = rows.rows === 0 ? rows.start + k : listed[k]!;
    if (!reader.isPresent(input.present, row)) continue;
    const value = rescale(reader.int(input, row), from, to);
    if (!fitsInt64(value)) {
      const detail = `A value does not fit 64 bits at ${input.shift} more decimals.`;
      throw new HadalError("type-mismatch", { detail });
    }
    out[row] = value;
  }
  return {
    ...input,
    values: { address: scratch.values, width: 8 },
    base: 0n,
    small: false,
    shift: 0,
  };
}
