import { narrowBatchRows, narrowParts, narrowPartsBytes } from "@hadal/kernel-wasm";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import { completeRange } from "../key/completeRange.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import type { ComponentTask, GroupTable, NarrowSum } from "../task/scanTask.js";

type NarrowGroupTable = Extract<GroupTable, { readonly kind: "narrow" }>;

/** Keys are u32 but the largest. */
export const keysMax: bigint = 2n ** 32n - 1n;
/**
 * A half-full table of up to this many bytes is faster than dealing rows out. Measured: 1.6 to 2.1
 * times at 50,000 to 100,000 groups with sums, 1.5 times at 200,000 without; tables twice as large
 * are not.
 */
const undealtBytes = 4_194_304;
/** With this many rows, most of a part's groups occur more than once. */
const bufferRowsMax = 16_384;
const bufferRowsMin = 256;
/** Memory of the query beside the table: bitmaps and decoded columns. */
const roomBeside = 4 * 2 ** 20;

/** The states of a group, as they decide the kind of table. */
export type GroupLoad =
  | { readonly kind: "states" }
  /** Rows, and nothing else. */
  | { readonly kind: "counts" }
  /** Rows, and the sum of one column of which no row lacks a value. */
  | { readonly kind: "sum"; readonly sum: NarrowSum };

/** The states of each group of the query over these segments. */
export function groupLoadOf(
  { groupBy, states }: ResolvedQuery,
  segments: readonly SegmentView[],
): GroupLoad {
  const other: GroupLoad = { kind: "states" };
  // Without groups there is no table to decide on.
  if (groupBy.length === 0) return other;
  if (segments.some(({ weights }) => weights !== null)) return other;
  let sum: NarrowSum | null = null;
  for (const [stateIndex, spec] of states.entries()) {
    if (spec.kind === "rows" || spec.kind === "weight" || spec.kind === "spread") continue;
    if (spec.kind !== "sum" || sum !== null) return other;
    const least = leastOf(spec.column, spec.decimals, segments);
    if (least === null) return other;
    sum = { stateIndex, least };
  }
  return sum === null ? { kind: "counts" } : { kind: "sum", sum };
}

/**
 * The smallest value; null where one is missing, of another scale, or 2^31 and more away from 0.
 */
function leastOf(name: string, decimals: number, segments: readonly SegmentView[]): bigint | null {
  const range = completeRange(name, decimals, segments);
  if (range === null) return null;
  const { least, most } = range;
  // Values less the smallest fit a u32, and the sum over all rows (u32) 64 bits.
  return least > -(2n ** 31n) && most < 2n ** 31n ? least : null;
}

/**
 * A table of keys of 32 bits for up to `groupsMax` groups; null where the keys, or the states, ask
 * for more.
 */
export function lowerNarrow(
  components: readonly ComponentTask[],
  { groupsMax, rowCount }: { readonly groupsMax: number; readonly rowCount: number },
  memory: QueryMemory,
  load: GroupLoad,
): NarrowGroupTable | null {
  const product = components.reduce((all, { cardinality }) => all * cardinality, 1n);
  if (product > keysMax || load.kind === "states") return null;
  const sum = load.kind === "sum" ? load.sum : null;
  const hasSums = sum !== null;
  const slotBytes = hasSums ? 16 : 8;
  const partSlots = partSlotsFor(groupsMax, narrowParts);
  const undealtMax = Math.min(undealtBytes / slotBytes / 2, 32 * partSlots);
  const rowsPerPart = powerOfTwoFrom(rowCount / narrowParts / 2);
  const bufferRows = Math.min(bufferRowsMax, Math.max(bufferRowsMin, rowsPerPart));
  const rowBytes = hasSums ? 8 : 4;
  // Groups of the one table go through them when it grows, and to their parts.
  const bufferBytes = Math.max(
    narrowParts * (bufferRows * rowBytes + 64),
    (undealtMax + narrowBatchRows) * slotBytes,
  );
  const slotsBytes = narrowParts * partSlots * slotBytes;
  const spareBytes = (partSlots / 4 + 1) * slotBytes;
  const tableBytes = slotsBytes + bufferBytes + spareBytes + narrowPartsBytes;
  const neededBytes = tableBytes + groupsMax * (hasSums ? 16 : 8) + roomBeside;
  // Checked for one piece, so that the query is not refused where hashing would have had room.
  if (!memory.fits(neededBytes) || memory.leaf.queries.largestFreeBytes < neededBytes) return null;
  return {
    kind: "narrow",
    groupsMax,
    strides: stridesOf(components),
    keys: memory.allocate(groupsMax * 4),
    table: {
      ...{ hasSums, partSlots, undealtMax, bufferRows },
      slots: memory.allocate(slotsBytes),
      parts: memory.allocate(narrowPartsBytes),
      buffers: memory.allocate(bufferBytes),
      spare: memory.allocate(spareBytes),
    },
    sum,
  };
}

/**
 * Room for twice a part's share of the groups; where that is little, for what chance may bring to
 * one of the parts: it is eight deviations away.
 */
export function partSlotsFor(groupsMax: number, partCount: number): number {
  const share = groupsMax / partCount;
  return powerOfTwoFrom(Math.max(2 * share, share + 8 * Math.sqrt(share) + 16));
}

export function stridesOf(components: readonly ComponentTask[]): number[] {
  let stride = 1;
  return components.map(({ cardinality }) => {
    const own = stride;
    stride *= Number(cardinality);
    return own;
  });
}

function powerOfTwoFrom(least: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, least)));
}
