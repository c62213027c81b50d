import { type ColumnType, HadalError } from "@hadal/sdk";
import type { SectionReader } from "../../base/bytes/sections.js";
import {
  type CodedColumn,
  type ColumnDictionary,
  codedColumn,
  type SegmentColumn,
  type StoredInts,
} from "../../column/segmentColumn.js";
import { ownCodeKinds, sealCodes } from "../seal/sealCodes.js";
import type { TableContext } from "../segment/tableContext.js";
import { decodeText } from "../text/textCodec.js";
import { narrowArray } from "./codesCodec.js";
import { decodeIntSections, type IntsHead } from "./intCodec.js";
import type { CodedHead, ColumnHead } from "./segmentHead.js";

/** The table's columns as the leaf has them in memory. */
export interface KnownColumns {
  /** The name under which the leaf stores a column of this form; `name` is the one in the file. */
  placeOfStored(name: string, form: { type: ColumnType; decimals: number }): string;
  /** The shared dictionary of a place. */
  dictionaryOf(place: string, type: Exclude<ColumnType, "int">): ColumnDictionary;
  /** A new dictionary of lists for one segment alone. */
  ownLists(place: string, type: "set" | "vector"): ColumnDictionary;
}

interface LoaderOptions {
  readonly reader: SectionReader<unknown>;
  readonly rowCount: number;
  readonly context: Pick<TableContext, "memory" | "kernel">;
  readonly known: KnownColumns;
}

/** Copies the columns of a segment's file into the leaf's memory, in the order of the file. */
export class ColumnLoader {
  /** Memory that the segment keeps. */
  readonly extents: number[] = [];
  readonly #reader: SectionReader<unknown>;
  readonly #rowCount: number;
  readonly #context: LoaderOptions["context"];
  readonly #known: KnownColumns;

  constructor({ reader, rowCount, context, known }: LoaderOptions) {
    this.#reader = reader;
    this.#rowCount = rowCount;
    this.#context = context;
    this.#known = known;
  }

  ints(head: IntsHead): StoredInts {
    return decodeIntSections(head, this.#rowCount, this.#reader, (bytes) => this.#place(bytes));
  }

  column(head: ColumnHead): SegmentColumn {
    switch (head.kind) {
      case "int":
        return {
          kind: "int",
          decimals: head.decimals,
          ...this.ints(head.ints),
          present: head.missing ? this.nextSection() : 0,
          min: BigInt(head.min),
          max: BigInt(head.max),
        };
      case "coded":
        return this.#coded(head);
      case "text":
        return decodeText(head, this.#rowCount, this.#reader, {
          memory: this.#context.memory,
          place: (bytes) => this.#place(bytes),
        });
    }
  }

  /** Copies the next section; returns its address. */
  nextSection(): number {
    return this.#place(this.#reader.bytes());
  }

  /** Gives back everything that was copied. */
  release(): void {
    for (const address of this.extents) this.#context.memory.store.release(address);
  }

  #place(bytes: Uint8Array): number {
    const address = this.#allocate(bytes.length);
    this.#context.memory.bytes.set(bytes, address);
    return address;
  }

  #allocate(bytes: number): number {
    const address = this.#take(bytes);
    this.extents.push(address);
    return address;
  }

  #take(bytes: number): number {
    const address = this.#context.memory.store.allocate(bytes);
    if (address !== null) return address;
    const detail = `a segment on disk needs ${bytes} bytes more memory`;
    throw new HadalError("storage-full", { leaf: "", detail });
  }

  /**
   * The file's codes are local to the segment; the leaf's dictionary has others for the same
   * values.
   */
  #coded(head: CodedHead): CodedColumn {
    const dictionary = dictionaryOf(head, this.#known);
    const values = { text: this.#reader.bytes(), lengths: this.#reader.u32() };
    const stored = this.#reader.bytes();
    const local = narrowArray(stored, stored.length / this.#rowCount);
    const leafCodes = dictionary.internAll(values);
    const scratch: number[] = [];
    const takeScratch = (bytes: number): number => {
      const address = this.#take(bytes);
      scratch.push(address);
      return address;
    };
    try {
      return this.#sealLeafCodes(head, { dictionary, local, leafCodes }, takeScratch);
    } finally {
      for (const address of scratch) this.#context.memory.store.release(address);
    }
  }

  #sealLeafCodes(
    { type, own }: CodedHead,
    { dictionary, local, leafCodes }: LeafCodes,
    takeScratch: (bytes: number) => number,
  ): CodedColumn {
    const { memory, kernel } = this.#context;
    const address = takeScratch(this.#rowCount * 4);
    const codes = new Uint32Array(memory.memory.buffer, address, this.#rowCount);
    for (let i = 0; i < this.#rowCount; i++) codes[i] = leafCodes[local[i]!]!;
    const context = {
      ...{ memory: memory.memory, kernel, takeScratch },
      ...{ rowCount: this.#rowCount, order: 0, sampledOrder: 0 },
      allocate: (bytes: number) => this.#allocate(bytes),
    };
    const largest = BigInt(leafCodes.reduce((a, b) => Math.max(a, b), 0));
    const kinds = own === true ? ownCodeKinds : undefined;
    const { values, encoded } = sealCodes(address, largest, context, kinds);
    return codedColumn(type, dictionary, values, encoded);
  }
}

/** Codes of a file, and the leaf's code of each. */
interface LeafCodes {
  readonly dictionary: ColumnDictionary;
  readonly local: ArrayLike<number>;
  readonly leafCodes: Uint32Array;
}

/** A column's head with the name under which the leaf stores it. */
export function placedHead(head: ColumnHead, known: KnownColumns): ColumnHead {
  const type = head.kind === "int" ? "int" : head.kind === "text" ? "string" : head.type;
  const decimals = head.kind === "int" ? head.decimals : 0;
  return { ...head, name: known.placeOfStored(head.name, { type, decimals }) };
}

function dictionaryOf({ name, type, own }: CodedHead, known: KnownColumns): ColumnDictionary {
  return own === true && type !== "string"
    ? known.ownLists(name, type)
    : known.dictionaryOf(name, type);
}
