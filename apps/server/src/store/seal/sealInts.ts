import type { KernelOperations, Values } from "@hadal/kernel-wasm";
import { type EncodedInts, undecodedAddress } from "../../column/encodedInts.js";
import { decodedWidth, type OrderedInts } from "../../column/intEncoding.js";
import {
  decodedBytes,
  decodeInts,
  type EncodingBound,
  encodeInts,
} from "../../column/intEncodings.js";
import type { StoredInts } from "../../column/segmentColumn.js";
import { widthFor } from "../../column/valueWidth.js";
import { sampledCount } from "../segment/rowSample.js";
import { encodingSample, type SealContext } from "../segment/sealContext.js";

/** Integers of an open segment. */
export interface OpenInts {
  /** Value − base, in 4 or 8 bytes. */
  readonly values: Values;
  readonly base: bigint;
  readonly present: number;
  readonly min: bigint;
  readonly max: bigint;
}

export interface SealedInts {
  readonly stored: StoredInts;
  /**
   * The same values in the same order without an encoding: as stored, or in scratch until that is
   * given back.
   */
  readonly plain: () => Values;
}

/** What an open column's values are stored from: value − base is at most `span`. */
interface Frame {
  readonly base: bigint;
  readonly span: bigint;
}

/**
 * Writes the integers in their new order in the cheapest form: constant, frame of reference, or one
 * of these encodings.
 */
export function sealInts(
  open: OpenInts,
  kinds: readonly EncodedInts["kind"][],
  context: SealContext,
): SealedInts {
  const { rowCount } = context;
  const span = open.max - open.min;
  const width = widthFor(span);
  const base = width === 8 ? 0n : open.min;
  const found = encode(open, { base, span }, { kinds, plainBytes: width * rowCount }, context);
  if (found === null) {
    const values = sealFrame(open, base, width, context);
    return { stored: { values, base, encoded: null }, plain: () => values };
  }
  const { encoded, plain } = found;
  const values = { address: undecodedAddress, width: decodedWidth(span) };
  return { stored: { values, base, encoded }, plain };
}

/** Plain values of this width. */
export function sealFrame(
  open: Pick<OpenInts, "values" | "base" | "present">,
  base: bigint,
  width: Values["width"],
  { kernel, rowCount, order, allocate }: SealContext,
): Values {
  if (width === 0) return { address: 0, width };
  const values = { address: allocate(rowCount * width), width };
  kernel.permuteInts(values, open.values, open.present, order, rowCount, base - open.base);
  return values;
}

function encode(
  open: OpenInts,
  frame: Frame,
  { kinds, plainBytes }: EncodingBound,
  context: SealContext,
): { encoded: EncodedInts; plain: () => Values } | null {
  const { rowCount, sampledOrder } = context;
  if (kinds.length === 0 || plainBytes === 0) return null;
  const all = new PermutedInts(open, frame, context);
  const sample =
    sampledOrder === 0
      ? all
      : new PermutedInts(open, frame, {
          ...context,
          ...{ order: sampledOrder, rowCount: sampledCount(encodingSample) },
        });
  const encoded = encodeInts({ kinds, plainBytes }, sample, () => all, rowCount);
  return encoded && { encoded, plain: () => all.plain(encoded) };
}

/** Rows of an open column in the order of their segment; permuted when they are first read. */
class PermutedInts implements OrderedInts {
  readonly memory: WebAssembly.Memory;
  readonly kernel: KernelOperations;
  readonly allocate: (bytes: number) => number;
  readonly takeScratch: (bytes: number) => number;
  #values: OrderedInts["values"] | null = null;
  readonly #open: OpenInts;
  readonly #base: bigint;
  /** u32 × rowCount: which rows; 0: the first ones. */
  readonly #order: number;

  readonly span: bigint;
  readonly rowCount: number;

  constructor(
    open: OpenInts,
    { base, span }: Frame,
    { memory, kernel, rowCount, order, allocate, takeScratch }: SealContext,
  ) {
    this.#open = open;
    this.#base = base;
    this.span = span;
    this.rowCount = rowCount;
    this.#order = order;
    this.memory = memory;
    this.kernel = kernel;
    this.allocate = allocate;
    this.takeScratch = takeScratch;
  }

  get values(): OrderedInts["values"] {
    this.#values ??= this.#inPlace() ?? this.#permute();
    return this.#values;
  }

  /** Decoded where the encoding did not need the permuted values. */
  plain(encoded: EncodedInts): Values {
    if (this.#values !== null) return this.#values;
    const width = decodedWidth(this.span);
    const rows = { address: 0, width } as const;
    const values = { address: this.takeScratch(decodedBytes(rows, this.rowCount)), width };
    decodeInts(this.kernel, values, encoded, this.rowCount);
    return values;
  }

  codeInOrder(out: number, codeOf: number, table: number): number {
    const { values, present } = this.#open;
    const base = this.#base - this.#open.base;
    const order = this.#order;
    const { kernel, rowCount } = this;
    return kernel.codeInts(out, values, present, order, rowCount, base, codeOf, table);
  }

  /** The column as it is, where it is in order and has the same base. */
  #inPlace(): OrderedInts["values"] | null {
    const { address, width } = this.#open.values;
    const isOrdered = this.#order === 0 && this.#open.present === 0;
    const isAlike = this.#base === this.#open.base && width === decodedWidth(this.span);
    return isOrdered && isAlike ? { address, width } : null;
  }

  #permute(): OrderedInts["values"] {
    const width = decodedWidth(this.span);
    const values = { address: this.takeScratch(this.rowCount * width), width };
    const [open, order] = [this.#open, this.#order];
    const { rowCount } = this;
    const base = this.#base - open.base;
    this.kernel.permuteInts(values, open.values, open.present, order, rowCount, base);
    return values;
  }
}
