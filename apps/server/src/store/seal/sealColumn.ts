import type { Values } from "@hadal/kernel-wasm";
import { sampleRateColumn } from "@hadal/sdk";
import type {
  CodedColumn,
  IntColumn,
  SegmentColumn,
  TextColumn,
} from "../../column/segmentColumn.js";
import { widthFor } from "../../column/valueWidth.js";
import type { LeafMemory } from "../../memory/leafMemory.js";
import type { SealContext } from "../segment/sealContext.js";
import type { StoredSegment } from "../segment/segmentView.js";
import { ownCodeKinds, sealCodes } from "./sealCodes.js";
import { type SealedInts, sealFrame, sealInts } from "./sealInts.js";
import { sealText } from "./sealText.js";
import { hasRoomForText, textBytesOfCodes, textOfCodes } from "./textOfCodes.js";

/**
 * A sealed column; `plain`: its integers without their encoding, see {@link SealedInts}; null for
 * other types.
 */
export interface SealedColumn {
  readonly column: SegmentColumn;
  readonly plain: (() => Values) | null;
}

export interface ColumnSealerOptions {
  readonly memory: LeafMemory;
  readonly context: SealContext;
  /** u32 × rowCount: the new order; texts use it also where the rows arrived in order. */
  readonly order: number;
  readonly asText: ReadonlySet<string>;
  readonly ownLists: ReadonlySet<string>;
}

/** Writes columns of an open segment in their new order, each in the form that its kind chooses. */
export class ColumnSealer {
  readonly #open: StoredSegment;
  readonly #memory: LeafMemory;
  readonly #context: SealContext;
  readonly #order: number;
  readonly #asText: ReadonlySet<string>;
  readonly #ownLists: ReadonlySet<string>;

  constructor(open: StoredSegment, options: ColumnSealerOptions) {
    this.#open = open;
    this.#memory = options.memory;
    this.#context = options.context;
    this.#order = options.order;
    this.#asText = options.asText;
    this.#ownLists = options.ownLists;
  }

  /** Null when no row has a value. */
  seal(name: string, column: SegmentColumn): SealedColumn | null {
    switch (column.kind) {
      case "int":
        return column.min > column.max ? null : this.#sealInts(name, column);
      case "coded":
        return withoutPlain(this.#sealAsText(name, column) ?? this.#sealCodes(name, column));
      case "text":
        return withoutPlain(this.#sealText(column));
    }
  }

  #sealInts(name: string, column: IntColumn): SealedColumn {
    const { decimals, present, min, max } = column;
    const { stored, plain } =
      name === sampleRateColumn && this.#open.weightMax > 1
        ? this.#sealWeights(column)
        : sealInts(column, ["packed", "dictionary"], this.#context);
    const { values, base, encoded } = stored;
    const sealedPresent = this.#sealPresent(present);
    return {
      column: { kind: "int", decimals, values, base, encoded, present: sealedPresent, min, max },
      plain,
    };
  }

  /** Sample rates are read as weights too: those have no base, nor a width of 3. */
  #sealWeights(open: IntColumn): SealedInts {
    const width = widthFor(open.max);
    const values = sealFrame(open, 0n, width === 3 ? 4 : width, this.#context);
    return { stored: { values, base: 0n, encoded: null }, plain: () => values };
  }

  #sealPresent(present: number): number {
    if (present === 0) return 0;
    const { kernel, rowCount, order, allocate } = this.#context;
    const out = allocate(Math.ceil(rowCount / 64) * 8);
    kernel.permuteBits(out, present, order, rowCount);
    return out;
  }

  /** Null when the column keeps its codes. */
  #sealAsText(name: string, column: CodedColumn): TextColumn | null {
    if (column.type !== "string" || !this.#asText.has(name)) return null;
    const { rowCount, takeScratch } = this.#context;
    const textBytes = textBytesOfCodes(column, rowCount, this.#memory);
    if (!hasRoomForText(textBytes, rowCount, this.#memory)) return null;
    return this.#sealText(textOfCodes(column, rowCount, this.#memory, takeScratch));
  }

  /** Null when no row has a value. */
  #sealCodes(name: string, column: CodedColumn): CodedColumn | null {
    const largest = this.#largest(column.values);
    if (largest === 0n) return null;
    const kinds = this.#ownLists.has(name) ? ownCodeKinds : undefined;
    return { ...column, ...sealCodes(column.values.address, largest, this.#context, kinds) };
  }

  #largest(values: Values): bigint {
    const { kernel, memory, rowCount, takeScratch } = this.#context;
    const out = takeScratch(8);
    const largest = new BigInt64Array(memory.buffer, out, 1);
    largest[0] = 0n;
    kernel.addMaximums(out, 0, { start: 0, count: rowCount, rows: 0 }, values, 0n, 0);
    return largest[0]!;
  }

  /** Null when no row has a text. */
  #sealText(column: TextColumn): TextColumn | null {
    const { kernel, rowCount, allocate, takeScratch } = this.#context;
    const presentRows = kernel.countSelected(column.present, rowCount);
    if (presentRows === 0) return null;
    const present = presentRows === rowCount ? 0 : this.#sealPresent(column.present);
    const context = { memory: this.#memory, kernel, allocate, takeScratch };
    return sealText(column, present, { order: this.#order, rowCount }, context);
  }
}

const withoutPlain = (column: SegmentColumn | null): SealedColumn | null =>
  column && { column, plain: null };
