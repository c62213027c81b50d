import type { KernelOperations, Values } from "@hadal/kernel-wasm";
import type { EncodedInts } from "./encodedInts.js";

/** Integers of one column in the order of their segment, and means to encode them. */
export interface OrderedInts {
  readonly memory: WebAssembly.Memory;
  readonly kernel: KernelOperations;
  /** Value − the column's base, in as many bytes as they decode to; 0 where missing. */
  readonly values: { readonly address: number; readonly width: 4 | 8 };
  readonly rowCount: number;
  /** Largest value − base. */
  readonly span: bigint;
  /** The kernel's codeInts for these rows, without a look at `values`; codes have none. */
  codeInOrder?(out: number, codeOf: number, table: number): number;
  /** Memory that belongs to the segment from here on. */
  allocate(bytes: number): number;
  /** Memory for as long as this column is sealed. */
  takeScratch(bytes: number): number;
}

/** Address and bytes of a part of a column. */
export interface Part {
  readonly address: number;
  readonly bytes: number;
}

/**
 * One way to store integers in fewer bytes than their narrowest width. Kernel operations read what
 * {@link decode} writes.
 */
export interface IntEncoding<Encoded extends EncodedInts> {
  /** Decoding costs a query time: it has to save at least this share of the plain values. */
  readonly savedShareMin: number;
  /**
   * Bytes that `rowCount` rows like these few would take; Infinity when they cannot be encoded so.
   */
  estimateBytes(sample: OrderedInts, rowCount: number): number;
  /** Null when it would take more than `bytesMax`. */
  encode(ints: OrderedInts, bytesMax: number): Encoded | null;
  /** Writes value − base of every row; there is room for a multiple of 128 rows. */
  decode(kernel: KernelOperations, out: Values, encoded: Encoded, rowCount: number): void;
  /** Value − base of one row. */
  read(view: DataView, encoded: Encoded, rowIndex: number, rowCount: number): bigint;
  /** The parts that a file stores, in order. */
  partsOf(encoded: Encoded, rowCount: number): readonly Part[];
  /** The same, its parts now at these addresses. */
  moved(encoded: Encoded, addresses: readonly number[]): Encoded;
}

/** Integers decode to 4 bytes where their span allows. */
export const decodedWidth = (span: bigint): 4 | 8 => (span < 2n ** 32n ? 4 : 8);
