import {
  type NarrowGroups,
  type NarrowRank,
  type NarrowTable,
  narrowParts,
  type RowSet,
  rankBins,
} from "@hadal/kernel-wasm";
import { HadalError } from "@hadal/sdk";
import { assert } from "../base/assert.js";
import {
  directGroups,
  type GroupContext,
  type GroupedUnit,
  type GroupProgress,
} from "./groupRows.js";
import type { GroupTable, NarrowSum, ScanUnit, SideTask } from "./scanTask.js";

type NarrowGroupTable = Extract<GroupTable, { readonly kind: "narrow" }>;

type SummedUnit = GroupedUnit & Pick<ScanUnit, "inputs">;

/** More groups than this do not start with room. */
const firstSlotsMax = 1_024;

/** A part may have a slot for twice its share of the groups: only keys made to meet in one can fill it before there are too many of all. */
const limitName = "groups of one part of a table";

/** Adds the rows to the counts and the sums of their groups where the side's tables do so; else false. */
export function gatherNarrow(
  context: GroupContext,
  unit: SummedUnit,
  side: SideTask,
  rows: RowSet,
  progress: GroupProgress,
): boolean {
  const { table } = side;
  if (table.kind !== "narrow") return false;
  const { kernel } = context;
  if (!progress.isFilled) {
    for (const one of table.tables) {
      kernel.clearNarrowTable(one, Math.min(firstSlotsMax, one.partSlots * 8));
    }
    progress.isFilled = true;
  }
  const keys = directGroups(context, unit, side, rows, progress, [...side.components.keys()]);
  table.tables.forEach((one, i) => {
    const sum = table.sums[i];
    const values = sum === undefined ? 0 : writeValues(context, unit, sum, rows);
    if (!kernel.addNarrowRows(one, keys, values, rows.count)) throw noRoom(table);
  });
  return true;
}

/** What each row adds to the sum beyond the smallest value there is; returns where. */
function writeValues(
  { kernel, scratch }: GroupContext,
  { inputs }: SummedUnit,
  sum: NarrowSum,
  rows: RowSet,
): number {
  const input = inputs[sum.stateIndex];
  if (input === null || input === undefined) throw new Error("every row has a value to sum");
  const out = scratch.pairs;
  kernel.clearGroups(out, rows.count);
  // As groups are numbered: value - base + 1.
  const base = sum.least - input.base + 1n;
  kernel.addIntGroups(out, input.values, 0, rows, base, 1);
  return out;
}

/** Parts whose groups tell of those of all: what is in which is chance. */
const sampledParts = 16;
/** How many more groups than are wanted a sample should let pass: what chance does to it is well below. */
const sampleMargin = 1.3;
const sampleMarginGroups = 40;

/** Lists the groups, with their counts and sums, where those of other tables are; those that the cut leaves out may lack. Returns how many do. */
export function listNarrow(
  context: NarrowContext,
  side: SideTask,
  progress: GroupProgress,
): number {
  const { table } = side;
  if (table.kind !== "narrow" || !progress.isFilled) return 0;
  const { kernel } = context;
  const groupCounts = table.tables.map((one) => kernel.flushNarrowTable(one));
  if (groupCounts.some((count) => count < 0)) throw noRoom(table);
  const groupCount = groupCounts[0]!;
  if (groupCount > table.groupsMax) {
    throw new HadalError("too-many-groups", { max: table.groupsMax });
  }
  const ranked = rankedOf(side, table);
  const most = side.preCut?.bySeries === false ? side.preCut.max : groupCount;
  const list = (leastBin: number): number =>
    kernel.listNarrowGroups(ranked.table, groupsAt(side, table, ranked.index, 0), ranked, leastBin);
  let listed = 0;
  if (groupCount > most) listed = list(sampledBin(context, ranked, most, groupCount));
  // The sample was better than the whole: it happens, if seldom.
  if (listed < most) listed = list(leastBinOf(context, ranked, narrowParts, () => most));
  listOtherSums(context, side, table, ranked.index, 0, listed);
  progress.levelCounts[0] = listed;
  return groupCount - listed;
}

/** Lists of the groups that one table has listed, from number `first` on, what the others have added up. */
function listOtherSums(
  { kernel }: Pick<GroupContext, "kernel">,
  side: SideTask,
  table: NarrowGroupTable,
  listedOf: number,
  first: number,
  count: number,
): void {
  table.sums.forEach(({ least }, i) => {
    if (i === listedOf) return;
    const groups = groupsAt(side, table, i, first);
    const found = kernel.listNarrowKeys(table.tables[i]!, groups, least, groups.keys, count);
    assert(found === count, "every table has every group");
  });
}

type NarrowContext = Pick<GroupContext, "memory" | "kernel" | "scratch">;

/** A bin that more groups reach than are wanted, by some of the parts. */
function sampledBin(
  context: NarrowContext,
  ranked: RankedTable,
  most: number,
  groupCount: number,
): number {
  return leastBinOf(context, ranked, sampledParts, (seen) =>
    seen === groupCount
      ? most
      : Math.ceil(((most * seen) / groupCount) * sampleMargin) + sampleMarginGroups,
  );
}

/** The bin that so many groups of the first parts reach; the lowest where these are fewer. */
function leastBinOf(
  { memory, kernel, scratch }: NarrowContext,
  ranked: RankedTable,
  parts: number,
  wantedOf: (seen: number) => number,
): number {
  kernel.binNarrowRanks(scratch.keys, ranked.table, ranked, 0, parts);
  const bins = new Uint32Array(memory.buffer, scratch.keys, rankBins);
  const wanted = wantedOf(bins.reduce((sum, count) => sum + count, 0));
  let reached = 0;
  let bin = rankBins;
  while (bin > 0 && reached < wanted) reached += bins[--bin]!;
  return bin;
}

/** The table that has what groups rank by, which of them it is, and how they rank there. */
interface RankedTable extends NarrowRank {
  readonly table: NarrowTable;
  readonly index: number;
}

function rankedOf({ preCut }: SideTask, { tables, sums }: NarrowGroupTable): RankedTable {
  const found = sums.findIndex(({ stateIndex }) => stateIndex === preCut?.stateIndex);
  const index = Math.max(0, found);
  const base = sums[index]?.least ?? 0n;
  return { table: tables[index]!, index, bySum: found >= 0, desc: preCut?.desc ?? true, base };
}

/** Where groups are listed from the one of this number on, with the sums of one of the tables. */
function groupsAt(
  side: SideTask,
  table: NarrowGroupTable,
  index: number,
  first: number,
): NarrowGroups {
  const sums = sumsOf(side, table.sums[index]);
  return {
    keys: table.keys + first * 4,
    counts: side.counts + first * 4,
    sums: sums === 0 ? 0 : sums + first * 8,
  };
}

function sumsOf({ states }: SideTask, sum: NarrowSum | undefined): number {
  if (sum === undefined) return 0;
  const state = states[sum.stateIndex];
  if (state?.kind !== "sum" || state.wide) throw new Error("the sum fits 64 bits");
  return state.sums;
}

/** Lists those groups that the rows of the set are of, from number `first` on; returns the number after the last. */
export function listAsked(
  context: GroupContext,
  unit: GroupedUnit,
  side: SideTask,
  rows: RowSet,
  progress: GroupProgress,
  first: number,
): number {
  const { table } = side;
  if (table.kind !== "narrow") throw new Error("no narrow table to look in");
  if (!progress.isFilled) return first;
  const keys = directGroups(context, unit, side, rows, progress, [...side.components.keys()]);
  const groups = groupsAt(side, table, 0, first);
  const base = table.sums[0]?.least ?? 0n;
  const [own] = table.tables;
  const listed = context.kernel.listNarrowKeys(own!, groups, base, keys, rows.count);
  listOtherSums(context, side, table, 0, first, listed);
  progress.levelCounts[0] = first + listed;
  return first + listed;
}

function noRoom({ tables }: NarrowGroupTable): HadalError {
  const { partSlots, hasSums } = tables[0]!;
  const neededBytes = tables.length * partSlots * 2 * 256 * (hasSums ? 16 : 8);
  return new HadalError("query-memory", { neededBytes, limitName, freeBytes: neededBytes / 2 });
}
