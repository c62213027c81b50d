import { KEY_BATCH } from "../../../assembly/abi.js";

/** Tables that give keys of 32 bits dense ids; which of them has a key its hash decides. */
export interface PartedKeyTable {
  /** There are 2^partBits tables; from 1 to 8. */
  readonly partBits: number;
  /** A power of two from 8 on. Of a part that uses all of them seven eighths may be taken. */
  readonly partSlots: number;
  /** 2^partBits · partedPartBytes(partSlots). */
  readonly slots: number;
  /** partedKeysBytes(partBits). */
  readonly parts: number;
  /** u32 per id: its key, mixed. */
  readonly keys: number;
  readonly keysMax: number;
  /** Scratch: 2 · partSlots bytes. */
  readonly spare: number;
}

/**
 * From one part's slots to the next's: tables that use few of their slots must not meet in the same
 * few sets of a cache.
 */
export const partedPartBytes = (partSlots: number): number => partSlots * 8 + 9 * 64;

export const partedKeysBytes = (partBits: number): number => 2 ** partBits * 8 + KEY_BATCH * 8;

/** Undoes {@link PartedKeyOperations.mixKeys}. */
export function unmixKey(mixed: number): number {
  let key = Math.imul(mixed ^ 0x664b2a15, 0x97132227);
  key ^= (key >>> 15) ^ (key >>> 30);
  key = Math.imul(key, 0x333c4925);
  return (key ^ (key >>> 16)) >>> 0;
}

export interface PartedKeyOperations {
  /**
   * Keys (u32 each but the largest) become their hashes, which no two share; the top bits of these
   * choose the part.
   */
  mixKeys(keys: number, count: number): void;
  /**
   * Makes the table empty; each part starts with `firstSlots` slots, a power of two from 8 on and
   * not more than partSlots.
   */
  clearPartedKeys(table: PartedKeyTable, firstSlots: number): void;
  /**
   * ids[k] (u32) = the id of mixed key k; one that was not there gets the next, in the order of the
   * keys. `onePart`: all are of one part. Returns how many keys there are; -1: more than keysMax;
   * -2: a part has no more room, and the table is of no more use. Reads 16 bytes beyond the last
   * key.
   */
  numberPartedKeys(
    ids: number,
    keys: number,
    count: number,
    onePart: boolean,
    table: PartedKeyTable,
    known: number,
  ): number;
}

export interface PartedKeyExports {
  mixKeys(keys: number, count: number): void;
  clearPartedKeys(
    ...a: [slots: number, partBytes: number, parts: number, partBits: number, firstSlots: number]
  ): void;
  numberPartedKeys(
    ...a: [
      ...[ids: number, keys: number, count: number, onePart: number],
      ...[slots: number, partBytes: number, partSlots: number, parts: number, partBits: number],
      ...[tableKeys: number, keysMax: number, known: number, spare: number],
    ]
  ): number;
}

export function partedKeyOperations(wasm: PartedKeyExports): PartedKeyOperations {
  return {
    mixKeys: wasm.mixKeys,
    clearPartedKeys: ({ slots, partSlots, parts, partBits }, firstSlots) =>
      wasm.clearPartedKeys(slots, partedPartBytes(partSlots), parts, partBits, firstSlots),
    numberPartedKeys: (ids, keys, count, onePart, table, known) => {
      const { slots, partSlots, parts, partBits, keys: tableKeys, keysMax, spare } = table;
      return wasm.numberPartedKeys(
        ...([ids, keys, count, onePart ? 1 : 0] as const),
        ...([slots, partedPartBytes(partSlots), partSlots, parts, partBits] as const),
        ...([tableKeys, keysMax, known, spare] as const),
      );
    },
  };
}
