import type { BitmapAddress, Values } from "../../base/addresses.js";

/** The order of a sealed segment's rows, and columns brought into it. */
export interface OrderOperations {
  /**
   * order: u32 × rowCount = row indexes sorted by (i64 times, index): a stable sort. offsets: u32 ×
   * rowCount = time − lowest in that order, where highest − lowest is below 2^32; else nothing. No
   * time is below lowest or above highest. scratch: rowCount × 16 + 4096 bytes. Returns 1 if the
   * times ascended already.
   */
  sortByTime(
    order: number,
    offsets: number,
    times: number,
    rowCount: number,
    lowest: bigint,
    highest: bigint,
    scratch: number,
  ): number;
  // `order` 0 in what follows: the rows keep their order. With one, the first `rowCount` of what it
  // chooses from are read, whichever it names.
  /**
   * out[i] (narrow) = values[order[i]] − base; values are 4 or 8 bytes wide. Missing rows give 0
   * (present 0: none missing). out.width holds the span.
   */
  permuteInts(
    out: Values,
    values: Values,
    present: BitmapAddress,
    order: number,
    rowCount: number,
    base: bigint,
  ): void;
  /** out[i] = codes[order[i]]: u32 codes to out.width. */
  permuteCodes(out: Values, codes: number, order: number, rowCount: number): void;
  /** Bit i of out = bit order[i] of bitmap. */
  permuteBits(out: BitmapAddress, bitmap: BitmapAddress, order: number, rowCount: number): void;
  /**
   * Smallest and largest i64 among the present ones of values [0, rowCount), written as two i64 at
   * `out`; (i64 max, i64 min) when none.
   */
  findRange(out: number, values: number, present: BitmapAddress, rowCount: number): void;
  /**
   * times[i], whole f64 milliseconds, become i64 where they are. The smallest and the largest are
   * written as two f64 at `out`; (∞, −∞) when there is none.
   */
  takeTimes(out: number, times: number, rowCount: number): void;
}

export interface OrderExports
  extends Pick<OrderOperations, "sortByTime" | "permuteBits" | "findRange" | "takeTimes"> {
  permuteInts(
    ...a: [...Column, ...Column, BitmapAddress, order: number, rowCount: number, base: bigint]
  ): void;
  permuteCodes(...a: [...Column, codes: number, order: number, rowCount: number]): void;
}

type Column = [address: number, width: number];

export function orderOperations(wasm: OrderExports): OrderOperations {
  return {
    sortByTime: wasm.sortByTime,
    permuteInts: (out, values, present, order, rowCount, base) =>
      wasm.permuteInts(
        ...([out.address, out.width, values.address, values.width] as const),
        ...([present, order, rowCount, base] as const),
      ),
    permuteCodes: (out, codes, order, rowCount) =>
      wasm.permuteCodes(out.address, out.width, codes, order, rowCount),
    permuteBits: wasm.permuteBits,
    findRange: wasm.findRange,
    takeTimes: wasm.takeTimes,
  };
}
