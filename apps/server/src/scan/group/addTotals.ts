import type { LowSumTable, Values } from "@hadal/kernel-wasm";
import type { GroupContext, RowsToGroup } from "../key/groupNumbers.js";
import { type GroupSource, groupSourceOf } from "../key/groupSource.js";
import { findTimeRuns, hasLongRuns, type TimeRun, timeComponentOf } from "../key/timeRuns.js";
import { talliesOf } from "../state/tallies.js";
import type { ScanUnit, SideTask, StateTask } from "../task/scanTask.js";
import type { SideWith } from "./groupTable.js";

type UnitRows = RowsToGroup & { readonly side: SideWith<"direct">; readonly unit: ScanUnit };

/** An i64 per group, and the values that rows add to it. */
interface Total {
  readonly sums: number;
  /** u32 per group: sums of the low halves during the scan; 0: there are none. */
  readonly lows: number;
  readonly values: Values;
  readonly base: bigint;
}

const constant: Values = { address: 0, width: 0 };

/**
 * Adds rows to counts and sums of a direct table in one pass: from the codes where one column makes
 * the groups, and bucket by bucket where time is a component. Where rows are tallied, each state
 * has a pass. False: a state or the unit needs another way, and nothing was done.
 */
export function addTotals(context: GroupContext, rowsToGroup: UnitRows): boolean {
  const { unit, side, rows } = rowsToGroup;
  const { table } = side;
  const totals = totalsOf(unit, side);
  const time = timeComponentOf(side);
  const others = [...side.components.keys()].filter((index) => index !== time?.index);
  const hasTime = side.components.some(({ kind }) => kind === "time");
  if (totals === null || others.length === 0 || (hasTime && time === null)) return false;
  let runs: readonly TimeRun[] = [{ rows, bucket: 0 }];
  let groupsPerRun = table.groupCount;
  if (time !== null) {
    if (!hasLongRuns(context.memory, unit, time.component, rows.count)) return false;
    runs = findTimeRuns(context, unit, time.component, rows);
    // Time is the outermost component: a bucket's groups are neighbours.
    groupsPerRun = table.strides[time.index]!;
  }
  const source = groupSourceOf(context, rowsToGroup, others);
  let place = 0;
  for (const run of runs) {
    addRun(context, { side, totals, groupCount: groupsPerRun }, run, partOf(source, place));
    place += run.rows.count;
  }
  return true;
}

/** The sums of the states; null when a state is no sum. */
function totalsOf(unit: ScanUnit, side: SideTask): Total[] | null {
  if (unit.weights !== null) return null;
  const totals: Total[] = [];
  for (const [index, state] of side.states.entries()) {
    const added = totalsOfState(unit, state, index);
    if (added === null) return null;
    totals.push(...added);
  }
  return totals;
}

function totalsOfState(unit: ScanUnit, state: StateTask, index: number): Total[] | null {
  const ones = (sums: number): Total[] =>
    sums === 0 ? [] : [{ sums, lows: 0, values: constant, base: 1n }];
  // Rows of weight 1 have no error.
  if (state.kind === "rows" || state.kind === "spread") return [];
  if (state.kind === "weight") return ones(state.sums);
  if (state.kind !== "present" && (state.kind !== "sum" || state.wide)) return null;
  const input = unit.inputs[index];
  if (input === null || input === undefined) return [];
  if (input.coded || input.present !== 0) return null;
  if (state.kind === "present") return ones(state.sums);
  const { values, base, shift } = input;
  if (shift !== 0 || values.width === 8) return null;
  // A constant is added to the whole sums.
  const lows = values.width === 0 ? 0 : state.lows;
  return [{ sums: state.sums, lows, values, base }, ...ones(state.weights)];
}

function partOf(source: GroupSource, place: number): GroupSource {
  return source.kind === "codes" ? source : { ...source, address: source.address + place * 4 };
}

/** The table that a run is added to, with the number of groups of one run. */
interface RunTarget {
  readonly side: SideTask;
  readonly totals: readonly Total[];
  readonly groupCount: number;
}

/**
 * Counts rows together with the first sum, or in tallies. Tallies and low sums are of tables
 * without time, whose only run begins with the first group.
 */
function addRun(
  { kernel, scratch: { packed } }: GroupContext,
  { side, totals, groupCount }: RunTarget,
  { rows, bucket }: TimeRun,
  source: GroupSource,
): void {
  const firstGroup = bucket * groupCount;
  const tallied = talliesOf(side);
  const counts = tallied === null ? side.counts + firstGroup * 4 : 0;
  const add = (counts: number, sums: number, values: Values, base: bigint): void => {
    const table = { counts, sums, groupCount, packed };
    if (source.kind === "codes") {
      kernel.addCodeTotals(table, source.codes, source.firstCode, rows, values, base);
    } else {
      kernel.addGroupTotals(table, source.address, rows, values, base);
    }
  };
  const addLow = (table: LowSumTable, values: Values, base: number): void => {
    if (source.kind === "codes") {
      kernel.addCodeLowSums(table, source.codes, source.firstCode, rows, values, base);
    } else {
      kernel.addGroupLowSums(table, source.address, rows, values, base);
    }
  };
  if (tallied !== null) {
    if (source.kind === "codes") {
      kernel.tallyCodes(tallied, source.codes, source.firstCode, rows);
    } else {
      kernel.tallyGroups(tallied, source.address, rows.count);
    }
  } else if (totals.length === 0) add(counts, 0, constant, 0n);
  for (let i = 0; i < totals.length; i++) {
    const { sums, lows, values, base } = totals[i]!;
    if (lows !== 0) addLow({ lows, sums }, values, Number(BigInt.asUintN(32, base)));
    else add(i === 0 ? counts : 0, sums + firstGroup * 8, values, base);
  }
}
