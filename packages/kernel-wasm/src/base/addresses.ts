/**
 * Unsigned little-endian integers of 1, 2, 3 or 4 bytes, or signed ones of 8; width 0 is a constant
 * column, of which every stored value is 0 and no byte is read. At least 16 readable bytes follow
 * the last value.
 */
export interface Values {
  readonly address: number;
  readonly width: 0 | 1 | 2 | 3 | 4 | 8;
}

/**
 * A bitmap: bit i of byte i >> 3. Starts at a multiple of 8; its last 8-byte word is whole; bits
 * from rowCount on are 0 unless said otherwise.
 */
export type BitmapAddress = number;

/**
 * Which rows, in ascending order: `count` rows from `start`, or, when `rows` is not 0, the `count`
 * u32 row indexes stored at `rows` (then `start` is not used).
 */
export interface RowSet {
  readonly start: number;
  readonly count: number;
  readonly rows: number;
}

/**
 * Open addressing over a power of two of slots, at least four, which are looked at four at a time;
 * and the key of each dense id in order of arrival.
 */
export interface HashTable {
  /**
   * u32 × slotCount: in as many bits as groupsMax takes the dense id + 1 (0 = free), above them
   * bits of the key's hash.
   */
  readonly slots: number;
  readonly slotCount: number;
  /** u64 × groupsMax: the key of each dense id. */
  readonly keys: number;
  readonly groupsMax: number;
}
