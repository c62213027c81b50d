import type { Values } from "@hadal/kernel-wasm";
import { SharedObject } from "../../base/bytes/plainCodec.js";
import type { EncodedInts } from "../../column/encodedInts.js";
import type { DeriveTask } from "./deriveTask.js";

export class DecodedValues extends SharedObject implements Values {
  constructor(
    public address: number,
    readonly width: Values["width"],
  ) {
    super();
  }
}

/** A column that the scan thread decodes, or computes, before it reads the unit. */
export interface ColumnDecode {
  readonly encoded: EncodedInts | DeriveTask;
  /**
   * The one object that all of the unit's conditions, groups and inputs of the column share, also
   * once it was sent to a thread: decoding sets the address.
   */
  readonly values: DecodedValues;
  /** Index of the scratch column that it is decoded to; null when `values` has an address already. */
  readonly scratchIndex: number | null;
  /** It is used for group numbers only: decoded when rows get theirs. */
  readonly late: boolean;
  /** Its readers: the rest, beside others; the filter; only columns that are derived of it. */
  readonly readBy: DecodeReader;
}

/** The readers of a decoded column. */
export type DecodeReader = "rest" | "filter" | "others";
