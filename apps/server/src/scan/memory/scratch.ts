import type { ExplodedRows } from "@hadal/kernel-wasm";
import { packedGroupsMax, programScratchBytes, templateMatchBytes } from "@hadal/kernel-wasm";
import { elementGroupsMax } from "@hadal/sdk";
import { type PageRooms, pageScratchBytes, smallPageBytes } from "../../column/textReader.js";
import type { Extents } from "../../memory/extents.js";
import { segmentRowsMax } from "../../store/segment/segmentView.js";
import { type AutomatonScratch, automatonScratchBytes } from "../pattern/placedAutomaton.js";

/** Masks for nested filters: one for each level, and one beside it. */
const masksMax = 160;
const maskBytes = segmentRowsMax / 8;
/** The kernel may write a few indexes beyond the last. */
const rowsBytes = (segmentRowsMax + 16) * 4;

/**
 * Encoded columns that a unit decodes to its thread's scratch: 6 MB. Further ones use the query's
 * memory.
 */
export const decodedColumnsMax = 12;

/** Beside the one for a page of any size: a quarter of a MB each. */
const smallPageRooms = 3;

/** Room that one scan thread uses again for every segment. */
export interface Scratch {
  readonly masks: readonly number[];
  readonly rows: number;
  readonly groups: number;
  readonly keys: number;
  /** u32 codes made up on the way. */
  readonly codes: number;
  /** i64 values rescaled on the way. */
  readonly values: number;
  /** u32 squares of weights. */
  readonly squares: number;
  /** Packed counts and sums of a small table. */
  readonly packed: number;
  /** Lanes and steps of scan programs. */
  readonly program: number;
  /** Room for encoded columns made plain, 8 bytes a row. */
  readonly decoded: readonly number[];
  /** u32: rows that have a value, and the pairs of group and bucket they belong to. */
  readonly pairRows: number;
  readonly pairs: number;
  /** Rows exploded by the elements of their lists, one for each group by elements. */
  readonly exploded: readonly ExplodedScratch[];
  /** Decompressed pages of texts; the first also has the search's state. */
  readonly pages: PageRooms;
  readonly automaton: AutomatonScratch;
}

export interface ExplodedScratch extends ExplodedRows {
  /** u32: the items of the group by elements before. */
  readonly earlierItems: number;
}

export function allocateScratch(extents: Extents): Scratch {
  const take = (bytes: number): number => {
    const address = extents.allocate(bytes);
    if (address === null) throw new Error("the query pool is smaller than one thread's scratch");
    return address;
  };
  return {
    masks: Array.from({ length: masksMax }, () => take(maskBytes)),
    rows: take(rowsBytes),
    groups: take(rowsBytes),
    keys: take(rowsBytes * 2),
    codes: take(rowsBytes),
    values: take(rowsBytes * 2),
    decoded: Array.from({ length: decodedColumnsMax }, () => take(rowsBytes * 2)),
    squares: take(rowsBytes),
    packed: take(packedGroupsMax * 8),
    program: take(programScratchBytes),
    pairRows: take(rowsBytes),
    pairs: take(rowsBytes),
    exploded: Array.from({ length: elementGroupsMax }, () => ({
      rows: take(rowsBytes),
      items: take(rowsBytes),
      positions: take(rowsBytes),
      earlierItems: take(rowsBytes),
      produced: take(16),
      capacity: segmentRowsMax,
    })),
    pages: [
      { address: take(templateMatchBytes + pageScratchBytes), holder: null },
      ...Array.from({ length: smallPageRooms }, () => ({
        address: take(smallPageBytes(segmentRowsMax)),
        holder: null,
      })),
    ],
    automaton: { address: take(automatonScratchBytes), holder: null },
  };
}
