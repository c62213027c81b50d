import { NARROW_BATCH, NARROW_BATCH_BYTES, RADIX_PARTS } from "../../../assembly/abi.js";

/**
 * Counts, and sums of one column, by keys of 32 bits but the largest. Few groups are in one table;
 * beyond `undealtMax` the rows are dealt out to 256 parts by the hash of their keys, and added up
 * part by part, each in a table that a cache holds. A slot has a key (u32), a count (u32) and, with
 * sums, a sum (i64); four slots are a bucket, in which a key is looked for at once.
 */
export interface NarrowTable {
  readonly hasSums: boolean;
  /** 256 · partSlots slots of 8 bytes, with sums of 16. */
  readonly slots: number;
  /**
   * narrowPartsBytes. u32 × 256 each: rows that wait, slots in use, groups; a u32 that is 1 when
   * rows are dealt out, and 60 bytes; narrowBatchBytes of scratch.
   */
  readonly parts: number;
  /** A power of two from 8 on. Of a part that uses all of them seven eighths may be taken. */
  readonly partSlots: number;
  /** At most 32 · partSlots. */
  readonly undealtMax: number;
  /**
   * 256 · (bufferRows · 4 + 64) bytes, with sums 8 instead of 4; room for undealtMax +
   * narrowBatchRows slots.
   */
  readonly buffers: number;
  readonly bufferRows: number;
  /** Scratch: room for partSlots / 4 + 1 slots. */
  readonly spare: number;
}

/** Where groups of a narrow table are listed: keys and counts u32, sums i64. */
export interface NarrowGroups {
  readonly keys: number;
  readonly counts: number;
  readonly sums: number;
}

/**
 * What groups rank by: their sums or their counts, the largest or the smallest first. A better rank
 * is in a higher bin, or in the same.
 */
export interface NarrowRank {
  readonly bySum: boolean;
  readonly desc: boolean;
  /** Every row adds it to its group's sum. */
  readonly base: bigint;
}

/** Bins of ranks. */
export const rankBins = 65_536;

export const narrowParts: number = RADIX_PARTS;
export const narrowBatchRows: number = NARROW_BATCH;
export const narrowBatchBytes: number = NARROW_BATCH_BYTES;
export const narrowPartsBytes: number = RADIX_PARTS * 12 + 64 + NARROW_BATCH_BYTES;

export interface NarrowOperations {
  /**
   * Makes the table empty; it starts with `firstSlots` slots, a power of two from 8 on, less than
   * 256 · partSlots.
   */
  clearNarrowTable(table: NarrowTable, firstSlots: number): void;
  /**
   * Adds rows by key (u32 each, less than 2^32 - 1), with sums of value (u32 each), some of them
   * when the table is flushed. False: a part has no more room, and the table is of no more use.
   */
  addNarrowRows(table: NarrowTable, keys: number, values: number, count: number): boolean;
  /** Adds what waits. Returns how many groups there are; -1: a part has no more room. */
  flushNarrowTable(table: NarrowTable): number;
  /**
   * Clears u32 × rankBins at `bins`, and counts there the groups of parts [from, to) of a flushed
   * table by rank. Groups of a table that is not dealt out are all in part 0.
   */
  binNarrowRanks(
    bins: number,
    table: NarrowTable,
    rank: NarrowRank,
    from: number,
    to: number,
  ): void;
  /**
   * Lists the groups of a flushed table that rank in this bin or a higher one; returns how many.
   */
  listNarrowGroups(
    table: NarrowTable,
    groups: NarrowGroups,
    rank: NarrowRank,
    leastBin: number,
  ): number;
  /**
   * Lists those of the keys (u32) that a flushed table has, in their order; returns how many. They
   * may be where keys are listed. `base`: see {@link NarrowRank}.
   */
  listNarrowKeys(
    table: NarrowTable,
    groups: NarrowGroups,
    base: bigint,
    keys: number,
    count: number,
  ): number;
}

type Slots = [slots: number, hasSums: number, parts: number];
type Table = [...Slots, partSlots: number];
type Groups = [keys: number, counts: number, sums: number];
type Rank = [base: bigint, bySum: number, desc: number];
type Buffers = [buffers: number, bufferRows: number, spare: number];

export interface NarrowExports {
  clearNarrowTable(...a: [...Slots, firstSlots: number]): void;
  addNarrowRows(
    ...a: [
      ...[...Table, undealtMax: number, ...Buffers],
      ...[keys: number, values: number, count: number],
    ]
  ): number;
  flushNarrowTable(...a: [...Table, ...Buffers]): number;
  binNarrowRanks(...a: [bins: number, ...Table, ...Rank, from: number, to: number]): void;
  listNarrowGroups(...a: [...Groups, ...Table, ...Rank, leastBin: number]): number;
  listNarrowKeys(...a: [...Groups, ...Table, base: bigint, asked: number, count: number]): number;
}

export function narrowOperations(wasm: NarrowExports): NarrowOperations {
  const tableOf = ({ slots, hasSums, parts, partSlots }: NarrowTable): Table => [
    ...([slots, hasSums ? 1 : 0, parts, partSlots] as const),
  ];
  const buffersOf = ({ buffers, bufferRows, spare }: NarrowTable): Buffers => [
    ...([buffers, bufferRows, spare] as const),
  ];
  const groupsOf = ({ keys, counts, sums }: NarrowGroups): Groups => [keys, counts, sums];
  const rankOf = ({ base, bySum, desc }: NarrowRank): Rank => [base, bySum ? 1 : 0, desc ? 1 : 0];
  return {
    clearNarrowTable: ({ slots, hasSums, parts }, firstSlots) =>
      wasm.clearNarrowTable(slots, hasSums ? 1 : 0, parts, firstSlots),
    addNarrowRows: (table, keys, values, count) =>
      wasm.addNarrowRows(
        ...([...tableOf(table), table.undealtMax, ...buffersOf(table)] as const),
        ...([keys, values, count] as const),
      ) !== 0,
    flushNarrowTable: (table) => wasm.flushNarrowTable(...tableOf(table), ...buffersOf(table)),
    binNarrowRanks: (bins, table, rank, from, to) =>
      wasm.binNarrowRanks(bins, ...tableOf(table), ...rankOf(rank), from, to),
    listNarrowGroups: (table, groups, rank, leastBin) =>
      wasm.listNarrowGroups(...groupsOf(groups), ...tableOf(table), ...rankOf(rank), leastBin),
    listNarrowKeys: (table, groups, base, keys, count) =>
      wasm.listNarrowKeys(...groupsOf(groups), ...tableOf(table), base, keys, count),
  };
}
