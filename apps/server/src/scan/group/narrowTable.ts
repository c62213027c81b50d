import {
  type NarrowGroups,
  type NarrowRank,
  narrowParts,
  type RowSet,
  rankBins,
} from "@hadal/kernel-wasm";
import { HadalError } from "@hadal/sdk";
import {
  directGroups,
  type GroupContext,
  type GroupProgress,
  type RowsToGroup,
} from "../key/groupNumbers.js";
import type { NarrowSum, ScanUnit, SideTask } from "../task/scanTask.js";
import {
  type GroupTableScan,
  type SettleContext,
  type SideWith,
  settledInOrder,
} from "./groupTable.js";
import { packedKeysOf, writePackedKeys } from "./packedKeys.js";

type NarrowSide = SideWith<"narrow">;
type NarrowGroupTable = NarrowSide["table"];

/** More groups than this do not start with room. */
const firstSlotsMax = 1_024;

/**
 * A part has slots for twice its share of the groups: only keys chosen to collide can fill it
 * before all groups are too many.
 */
const limitName = "groups of one part of a table";

/**
 * Keys of 32 bits, each beside the row count and the sum of its group, so that a row touches one
 * place. Groups get their numbers when they are read, not when rows are added.
 */
export const narrowTable: GroupTableScan<NarrowSide> = {
  firstGroups: () => 0,
  add(context, side, { unit, grouped, rows, progress, decodeLate, onGroups }) {
    if (onGroups !== null) throw new Error("a narrow table numbers no rows");
    decodeLate();
    const { table } = side;
    const { kernel } = context;
    if (!progress.isFilled) {
      kernel.clearNarrowTable(table.table, Math.min(firstSlotsMax, table.table.partSlots * 8));
      progress.isFilled = true;
    }
    const keys = directGroups(context, { side, unit: grouped, rows, progress });
    const values = table.sum === null ? 0 : writeValues(context, unit, table.sum, rows);
    if (!kernel.addNarrowRows(table.table, keys, values, rows.count)) throw noRoom(table);
  },
  groupsMax: () => Number.POSITIVE_INFINITY,
  settle(context, side, progress) {
    const leftOut = listGroups(context, side, progress);
    return { ...settledInOrder(progress), leftOut };
  },
  readKeys({ buffer }, { side, progress: { levelCounts } }, { groups, keys }) {
    const known = new Uint32Array(buffer, side.table.keys, levelCounts[0] ?? 0);
    writePackedKeys(side, keys, packedKeysOf(known, groups));
  },
  *find(context, keys, { found }) {
    const end = listFound(context, keys, found);
    for (let group = found; group < end; group++) yield group;
  },
};

/** Writes each row's value less the smallest value; returns the address. */
function writeValues(
  { kernel, scratch }: GroupContext,
  { inputs }: Pick<ScanUnit, "inputs">,
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

/** Parts that are sampled: keys are spread over parts by chance. */
const sampledParts = 16;
/**
 * The bin found by a sample lets more groups pass than are wanted: by far more than chance can
 * change it.
 */
const sampleMargin = 1.3;
const sampleMarginGroups = 40;

/**
 * Lists the groups with their counts and sums in the form of other tables, without those that the
 * cut leaves out. Returns how many are left out.
 */
function listGroups(context: SettleContext, side: NarrowSide, progress: GroupProgress): number {
  const { table } = side;
  if (!progress.isFilled) return 0;
  const { kernel } = context;
  const groupCount = kernel.flushNarrowTable(table.table);
  if (groupCount < 0) throw noRoom(table);
  if (groupCount > table.groupsMax) {
    throw new HadalError("too-many-groups", { max: table.groupsMax });
  }
  const ranked = rankedOf(side, table);
  const most = side.preCut?.bySeries === false ? side.preCut.max : groupCount;
  const list = (leastBin: number): number =>
    kernel.listNarrowGroups(table.table, groupsAt(side, table, 0), ranked, leastBin);
  let listed = 0;
  const bins: RankBins = { table, ranked };
  if (groupCount > most) listed = list(sampledBin(context, bins, most, groupCount));
  // Rarely too few groups reach the sampled bin: then all parts are counted.
  if (listed < most) listed = list(leastBinOf(context, bins, narrowParts, () => most));
  progress.levelCounts[0] = listed;
  return groupCount - listed;
}

/** A table whose groups are counted in bins of their ranks. */
interface RankBins {
  readonly table: NarrowGroupTable;
  readonly ranked: NarrowRank;
}

/** A bin that more groups reach than are wanted, by some of the parts. */
function sampledBin(
  context: SettleContext,
  bins: RankBins,
  most: number,
  groupCount: number,
): number {
  return leastBinOf(context, bins, sampledParts, (seen) =>
    seen === groupCount
      ? most
      : Math.ceil(((most * seen) / groupCount) * sampleMargin) + sampleMarginGroups,
  );
}

/**
 * The bin that the wanted number of groups of the first parts reach; the lowest if there are fewer.
 */
function leastBinOf(
  { memory, kernel, scratch }: SettleContext,
  { table, ranked }: RankBins,
  parts: number,
  wantedOf: (seen: number) => number,
): number {
  kernel.binNarrowRanks(scratch.keys, table.table, ranked, 0, parts);
  const bins = new Uint32Array(memory.buffer, scratch.keys, rankBins);
  const wanted = wantedOf(bins.reduce((sum, count) => sum + count, 0));
  let reached = 0;
  let bin = rankBins;
  while (bin > 0 && reached < wanted) reached += bins[--bin]!;
  return bin;
}

function rankedOf({ preCut }: SideTask, { sum }: NarrowGroupTable): NarrowRank {
  const bySum = sum !== null && sum.stateIndex === preCut?.stateIndex;
  return { bySum, desc: preCut?.desc ?? true, base: sum?.least ?? 0n };
}

/** The place of the groups from this number on. */
function groupsAt(side: SideTask, table: NarrowGroupTable, first: number): NarrowGroups {
  const sums = sumsOf(side, table.sum);
  return {
    keys: table.keys + first * 4,
    counts: side.counts + first * 4,
    sums: sums === 0 ? 0 : sums + first * 8,
  };
}

function sumsOf({ states }: SideTask, sum: NarrowSum | null): number {
  if (sum === null) return 0;
  const state = states[sum.stateIndex];
  if (state?.kind !== "sum" || state.wide) throw new Error("the sum fits 64 bits");
  return state.sums;
}

/**
 * Lists the groups with these keys, numbered from `first` on; returns the number after the last.
 */
function listFound(
  context: GroupContext,
  keysToFind: RowsToGroup & { readonly side: NarrowSide },
  first: number,
): number {
  const { side, rows, progress } = keysToFind;
  const { table } = side;
  if (!progress.isFilled) return first;
  const keys = directGroups(context, keysToFind);
  const groups = groupsAt(side, table, first);
  const base = table.sum?.least ?? 0n;
  const listed = context.kernel.listNarrowKeys(table.table, groups, base, keys, rows.count);
  progress.levelCounts[0] = first + listed;
  return first + listed;
}

function noRoom({ table }: NarrowGroupTable): HadalError {
  const { partSlots, hasSums } = table;
  const neededBytes = partSlots * 2 * 256 * (hasSums ? 16 : 8);
  return new HadalError("query-memory", { neededBytes, limitName, freeBytes: neededBytes / 2 });
}
