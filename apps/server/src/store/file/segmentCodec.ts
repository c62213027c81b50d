import { type ColumnType, HadalError, sampleRateColumn, timeColumn } from "@hadal/sdk";
import { decodeSections, type SectionFile, type SectionReader } from "../../base/bytes/sections.js";
import { columnOfPlace } from "../../column/columnPlace.js";
import {
  type CodedColumn,
  type ColumnDictionary,
  codedColumn,
  type SegmentColumn,
  type StoredInts,
} from "../../column/segmentColumn.js";
import { Pins } from "../../memory/pins.js";
import { ownCodeKinds, sealCodes } from "../seal/sealCodes.js";
import { ColumnBytes, weightsOf } from "../seal/sealSegment.js";
import type { RawSize } from "../segment/rawSizes.js";
import type { SealedSegment } from "../segment/sealedSegment.js";
import type { SegmentHistogram, WeightBytes } from "../segment/segmentHistogram.js";
import type { ColumnSums, Spread } from "../segment/segmentView.js";
import { noSpread } from "../segment/segmentView.js";
import type { TableContext } from "../segment/tableContext.js";
import { decodeText, type TextHead } from "../text/textCodec.js";
import { narrowArray } from "./codesCodec.js";
import { decodeIntSections, type IntsHead } from "./intCodec.js";
import { type PartHead, PartWalk } from "./segmentParts.js";

/** "HDG1" */
export const segmentMagic = 0x31474448;

/** What a batch leaves to recognize its repetition: id, hash of its bytes, rows. */
export type BatchReceipt = readonly [batchId: string, contentHash: string, rowCount: number];

interface CodedHead {
  readonly kind: "coded";
  readonly name: string;
  readonly type: Exclude<ColumnType, "int">;
  /** Lists with a dictionary of the segment's own. */
  readonly own?: true;
}

export type ColumnHead =
  | {
      kind: "int";
      name: string;
      decimals: number;
      ints: IntsHead;
      min: string;
      max: string;
      missing: boolean;
      /** Files of older versions have no spread, or one of three sums; rows that each stand for themselves have none. */
      sums: { rows: number; weight: number; sum: string; spread?: readonly number[] | null };
      /** Its bytes follow those of all columns, so that who does not know of it reads the same file. */
      histogram?: { count: number; weightBytes: WeightBytes };
    }
  | CodedHead
  | TextHead;

export interface SegmentHead {
  readonly generation: number;
  /** Only of merged segments. */
  readonly firstGeneration?: number;
  /** Only of thinned segments. */
  readonly thinned?: number;
  readonly rowCount: number;
  readonly times: IntsHead;
  readonly minMs: number;
  readonly maxMs: number;
  readonly weightMax: number;
  readonly weightTotal: number;
  readonly columns: readonly ColumnHead[];
  /** The times, the columns, the histograms. Files of before version 6 have one checksum over all. */
  readonly parts?: readonly PartHead[];
  readonly origin: SegmentOrigin;
}

/** What the table remembers of the rows of a segment beside the rows. */
export interface SegmentOrigin {
  readonly batches: readonly BatchReceipt[];
  /** Rows per minute of event time. */
  readonly minutes: readonly (readonly [minute: number, rowCount: number])[];
  /** What 8-byte integers and raw strings would take, by column. */
  readonly rawSizes: readonly RawSize[];
}

export type SegmentContext = Pick<TableContext, "memory" | "kernel">;

export interface DecodedSegment {
  /** Without the columns whose bytes are damaged. */
  readonly segment: SealedSegment;
  readonly origin: SegmentOrigin;
  /** Histograms that are damaged, by column: without one the column is scanned, which costs time only. */
  readonly lostHistograms: readonly string[];
}

/** What the leaf knows of the table's columns. */
export interface KnownColumns {
  /** Under which name a column is known whose values have this form; `name` is that in the file. */
  placeOfStored(name: string, form: { type: ColumnType; decimals: number }): string;
  /** The dictionary of a place, */
  dictionaryOf(place: string, type: Exclude<ColumnType, "int">): ColumnDictionary;
  /** or a new one of lists for the segment alone. */
  ownLists(place: string, type: "set" | "vector"): ColumnDictionary;
}

/** Puts a segment back into the leaf's memory; throws where all of its rows are lost, or there is no room for them. */
export function decodeSegment(
  payload: Uint8Array,
  context: SegmentContext,
  known: KnownColumns,
): DecodedSegment {
  const reader = readSegmentHead(payload);
  const { head } = reader;
  const heads = head.columns.map((column) => placed(column, known));
  const { memory } = context;
  const loader = new Loader(context, head.rowCount);
  const walk = new PartWalk(reader, head.parts);
  try {
    if (!walk.next()) throw new Error("its times are damaged");
    const bytes = new ColumnBytes(loader.extents, memory);
    const times = loader.ints(head.times, reader);
    bytes.assign(timeColumn);
    const columns = new Map<string, SegmentColumn>();
    const sums = new Map<string, ColumnSums>();
    const lostColumns = new Set<string>();
    for (const column of heads) {
      if (!walk.next()) {
        // Without their weights all other values of the rows are wrong.
        if (column.name === sampleRateColumn && head.weightMax > 1)
          throw new Error("its sample rates are damaged");
        lostColumns.add(columnOfPlace(column.name));
        continue;
      }
      const loaded = loader.column(column, reader, known);
      columns.set(column.name, loaded);
      bytes.assign(column.name);
      if (loaded.kind === "coded" && column.kind === "coded" && column.own === true) {
        bytes.freezeLists(column.name, loaded);
      }
      if (column.kind === "int") {
        sums.set(column.name, {
          presentRows: column.sums.rows,
          presentWeight: column.sums.weight,
          weightedSum: BigInt(column.sums.sum),
          spread: head.weightMax > 1 ? spreadOf(column.sums.spread) : noSpread,
        });
      }
    }
    const histograms = new Map<string, SegmentHistogram>();
    const lostHistograms: string[] = [];
    for (const column of heads) {
      if (column.kind !== "int" || column.histogram === undefined) continue;
      const isWhole = walk.next();
      if (!columns.has(column.name)) continue;
      if (!isWhole) {
        lostHistograms.push(columnOfPlace(column.name));
        continue;
      }
      histograms.set(column.name, { ...column.histogram, address: loader.place(reader.bytes()) });
      bytes.assign(column.name);
    }
    const segment: SealedSegment = {
      generation: head.generation,
      firstGeneration: head.firstGeneration ?? head.generation,
      thinned: head.thinned ?? 1,
      rowCount: head.rowCount,
      sorted: true,
      times: times.values,
      timeBase: times.base,
      encodedTimes: times.encoded,
      minMs: head.minMs,
      maxMs: head.maxMs,
      columns,
      lostColumns,
      weights: weightsOf(columns.get(sampleRateColumn), head.weightMax),
      weightMax: head.weightMax,
      weightTotal: head.weightTotal,
      sums,
      histograms,
      pins: new Pins(),
      extents: loader.extents,
      bytes: bytes.total,
      columnBytes: bytes.byColumn,
    };
    return { segment, origin: head.origin, lostHistograms };
  } catch (error) {
    for (const address of loader.extents) memory.store.release(address);
    throw error;
  }
}

/** What a segment's bytes tell of its parts; the reader is before the first. */
export const readSegmentHead = (payload: Uint8Array): SectionFile<SegmentHead> =>
  decodeSections<SegmentHead>(segmentMagic, payload);

/** What stands in a segment's bytes beside its rows. */
export function decodeOrigin(payload: Uint8Array): SegmentOrigin {
  return readSegmentHead(payload).head.origin;
}

class Loader {
  readonly extents: number[] = [];
  readonly #context: SegmentContext;
  readonly #rowCount: number;

  constructor(context: SegmentContext, rowCount: number) {
    this.#context = context;
    this.#rowCount = rowCount;
  }

  ints(head: IntsHead, reader: SectionReader<unknown>): StoredInts {
    return decodeIntSections(head, this.#rowCount, reader, (bytes) => this.place(bytes));
  }

  column(head: ColumnHead, reader: SectionReader<unknown>, known: KnownColumns): SegmentColumn {
    if (head.kind === "int") {
      return {
        kind: "int",
        decimals: head.decimals,
        ...this.ints(head.ints, reader),
        present: head.missing ? this.place(reader.bytes()) : 0,
        min: BigInt(head.min),
        max: BigInt(head.max),
      };
    }
    if (head.kind === "coded") {
      return this.#coded(head, dictionaryOf(head, known), reader);
    }
    return decodeText(head, this.#rowCount, reader, this.#context.memory, (bytes) =>
      this.place(bytes),
    );
  }

  place(bytes: Uint8Array): number {
    const address = this.#allocate(bytes.length);
    this.#context.memory.bytes.set(bytes, address);
    return address;
  }

  /** Memory of the segment. */
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

  #coded(
    { type, own }: CodedHead,
    dictionary: ColumnDictionary,
    reader: SectionReader<unknown>,
  ): CodedColumn {
    const values = { text: reader.bytes(), lengths: reader.u32() };
    const stored = reader.bytes();
    const local = narrowArray(stored, stored.length / this.#rowCount);
    const { memory, kernel } = this.#context;
    const leafCodes = dictionary.internAll(values);
    const largest = BigInt(leafCodes.reduce((a, b) => Math.max(a, b), 0));
    const scratch: number[] = [];
    const takeScratch = (bytes: number): number => {
      const address = this.#take(bytes);
      scratch.push(address);
      return address;
    };
    try {
      const address = takeScratch(this.#rowCount * 4);
      const codes = new Uint32Array(memory.memory.buffer, address, this.#rowCount);
      for (let i = 0; i < this.#rowCount; i++) codes[i] = leafCodes[local[i]!]!;
      const context = {
        ...{ memory: memory.memory, kernel, takeScratch },
        ...{ rowCount: this.#rowCount, order: 0, sampledOrder: 0 },
        allocate: (bytes: number) => this.#allocate(bytes),
      };
      const kinds = own === true ? ownCodeKinds : undefined;
      const { values, encoded } = sealCodes(address, largest, context, kinds);
      return codedColumn(type, dictionary, values, encoded);
    } finally {
      for (const address of scratch) memory.store.release(address);
    }
  }
}

/** A column's head with the name under which the leaf knows it. */
function placed(head: ColumnHead, known: KnownColumns): ColumnHead {
  const type = head.kind === "int" ? "int" : head.kind === "text" ? "string" : head.type;
  const decimals = head.kind === "int" ? head.decimals : 0;
  return { ...head, name: known.placeOfStored(head.name, { type, decimals }) };
}

function dictionaryOf({ name, type, own }: CodedHead, known: KnownColumns): ColumnDictionary {
  return own === true && type !== "string"
    ? known.ownLists(name, type)
    : known.dictionaryOf(name, type);
}

/** Null where it is not known, or is of an older version. */
function spreadOf(stored: readonly number[] | null | undefined): Spread | null {
  const [ones, linear, square, cube] = stored ?? [];
  if (ones === undefined || linear === undefined || square === undefined) return null;
  return cube === undefined ? null : [ones, linear, square, cube];
}
