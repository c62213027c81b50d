import type { Values } from "@hadal/kernel-wasm";
import { sampleRateColumn } from "@hadal/sdk";
import type { EncodedInts } from "../../column/encodedInts.js";
import { movedEncoded, partsOfEncoded } from "../../column/intEncodings.js";
import { pageEntryBytes, readTextPage, writeTextPage } from "../../column/pageTable.js";
import {
  type ColumnDictionary,
  codedColumn,
  type IntColumn,
  type SegmentColumn,
  type StoredInts,
  type TextColumn,
} from "../../column/segmentColumn.js";
import type { LeafMemory } from "../../memory/leafMemory.js";
import { Pins } from "../../memory/pins.js";
import { type SegmentHead, thinningOfHead } from "../file/segmentHead.js";
import { type SealedSegment, weightsOf } from "../segment/sealedSegment.js";
import type { SegmentHistogram } from "../segment/segmentHistogram.js";
import { type ColumnSums, noSpread, type Spread, timesOf } from "../segment/segmentView.js";

/**
 * A sealed segment as it lies in the leaf's memory: its extents are copied as they are, and the
 * addresses in it follow them. What its file says of its rows is not repeated.
 */
export interface SegmentImage {
  /** Of the head of its file: {@link FileIdentity}. */
  readonly identity: string;
  readonly extents: readonly (readonly [address: number, bytes: number])[];
  readonly times: IntsImage;
  readonly columns: readonly (readonly [name: string, column: ColumnImage])[];
  readonly sums: readonly (readonly [name: string, sums: SumsImage])[];
  readonly histograms: readonly (readonly [name: string, histogram: SegmentHistogram])[];
  readonly bytes: number;
  readonly columnBytes: readonly (readonly [name: string, bytes: number])[];
}

type IntsImage = Omit<StoredInts, "base"> & { readonly base: string };
type SumsImage = Omit<ColumnSums, "weightedSum"> & { readonly weightedSum: string };

type ColumnImage =
  | (Omit<IntColumn, "base" | "min" | "max"> & Readonly<Record<"base" | "min" | "max", string>>)
  | {
      readonly kind: "coded";
      readonly type: "string" | "set" | "vector";
      readonly values: Values;
      readonly encoded: EncodedInts | null;
      /** Its number among the dictionaries of the table. */
      readonly dictionary: number;
    }
  | TextColumn;

/** `numberOf` gives the numbers of dictionaries. */
export function imageOfSegment(
  segment: SealedSegment,
  identity: string,
  { store }: LeafMemory,
  numberOf: (dictionary: ColumnDictionary) => number,
): SegmentImage {
  const { base, ...times } = timesOf(segment);
  return {
    identity,
    extents: segment.extents.map((address) => [address, store.roomOf(address)]),
    times: { ...times, base: String(base) },
    columns: [...segment.columns].map(([name, column]) => [name, imageOf(column, numberOf)]),
    sums: [...segment.sums].map(([name, { weightedSum, ...sums }]) => [
      name,
      { ...sums, weightedSum: String(weightedSum) },
    ]),
    histograms: [...segment.histograms],
    ...{ bytes: segment.bytes, columnBytes: [...segment.columnBytes] },
  };
}

function imageOf(
  column: SegmentColumn,
  numberOf: (dictionary: ColumnDictionary) => number,
): ColumnImage {
  switch (column.kind) {
    case "int": {
      const { base, min, max } = column;
      return { ...column, base: String(base), min: String(min), max: String(max) };
    }
    case "coded": {
      const { kind, type, values, encoded, dictionary } = column;
      return { kind, type, values, encoded, dictionary: numberOf(dictionary) };
    }
    case "text":
      return column;
  }
}

/**
 * The segment over its extents at their new addresses, `extents` in the order of the image. Throws
 * where an address in it is in none of them.
 */
export function segmentOfImage(
  image: SegmentImage,
  extents: readonly number[],
  head: SegmentHead,
  { memory, dictionaries }: { memory: LeafMemory; dictionaries: readonly ColumnDictionary[] },
): SealedSegment {
  const { rowCount, weightMax } = head;
  const move = new MovedAddresses(image.extents, extents, rowCount);
  const times = move.ints(image.times);
  const columns = new Map<string, SegmentColumn>();
  for (const [name, column] of image.columns)
    columns.set(name, move.column(column, memory, dictionaries));
  const spreadOf = (spread: Spread | null) => (weightMax > 1 ? spread : noSpread);
  return {
    generation: head.generation,
    firstGeneration: head.firstGeneration ?? head.generation,
    ...thinningOfHead(head),
    ...{ rowCount, sorted: true, minMs: head.minMs, maxMs: head.maxMs },
    ...{ times: times.values, timeBase: times.base, encodedTimes: times.encoded },
    ...{ columns, lostColumns: new Set(), weightMax, weightTotal: head.weightTotal },
    weights: weightsOf(columns.get(sampleRateColumn), weightMax),
    sums: new Map(
      image.sums.map(([name, { weightedSum, spread, ...sums }]) => [
        name,
        { ...sums, weightedSum: BigInt(weightedSum), spread: spreadOf(spread) },
      ]),
    ),
    histograms: new Map(
      image.histograms.map(([name, one]) => [name, { ...one, address: move.address(one.address) }]),
    ),
    ...{ pins: new Pins(), extents, bytes: image.bytes, columnBytes: new Map(image.columnBytes) },
  };
}

/** Where the bytes of the image's addresses are now. */
class MovedAddresses {
  readonly #rowCount: number;
  readonly #moves: readonly { from: number; end: number; by: number }[];

  constructor(before: SegmentImage["extents"], extents: readonly number[], rowCount: number) {
    this.#rowCount = rowCount;
    this.#moves = before
      .map(([from, bytes], i) => ({ from, end: from + bytes, by: extents[i]! - from }))
      .sort((a, b) => a.from - b.from);
  }

  /** 0 stays: it stands for nothing. */
  address(before: number): number {
    if (before === 0) return 0;
    let [low, high] = [0, this.#moves.length];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.#moves[middle]!.from <= before) low = middle;
      else high = middle;
    }
    const move = this.#moves[low];
    // A section of no bytes may begin where its extent ends.
    if (move === undefined || before < move.from || before > move.end)
      throw new Error(`the address ${before} is in none of its extents`);
    return before + move.by;
  }

  ints({ values, encoded, base }: IntsImage): StoredInts {
    if (encoded === null) {
      const address = this.address(values.address);
      return { values: { ...values, address }, base: BigInt(base), encoded };
    }
    const addresses = partsOfEncoded(encoded, this.#rowCount).map(({ address }) =>
      this.address(address),
    );
    return { values, base: BigInt(base), encoded: movedEncoded(encoded, addresses) };
  }

  column(
    column: ColumnImage,
    memory: LeafMemory,
    dictionaries: readonly ColumnDictionary[],
  ): SegmentColumn {
    switch (column.kind) {
      case "int": {
        const { present, min, max } = column;
        const moved = { ...this.ints(column), present: this.address(present) };
        return { ...column, ...moved, min: BigInt(min), max: BigInt(max) };
      }
      case "coded": {
        const { values, encoded } = this.ints({ ...column, base: "0" });
        const dictionary = dictionaries[column.dictionary];
        if (dictionary === undefined) throw new Error("one of its dictionaries is not there");
        return codedColumn(column.type, dictionary, values, encoded);
      }
      case "text":
        return this.#text(column, memory);
    }
  }

  /** The directory of its pages has addresses, too. */
  #text(column: TextColumn, { memory, bytes }: LeafMemory): TextColumn {
    const { templates, signature } = column;
    const directory = this.address(column.directory);
    const view = new DataView(memory.buffer);
    if (directory + column.pageCount * pageEntryBytes > bytes.length)
      throw new Error("its pages are beyond the memory");
    for (let index = 0; index < column.pageCount; index++) {
      const page = readTextPage(view, directory, index);
      writeTextPage(view, directory, index, {
        ...page,
        address: this.address(page.address),
        offsets: this.address(page.offsets),
        templates: this.address(page.templates),
      });
    }
    return {
      ...column,
      directory,
      templates: templates && { ...templates, address: this.address(templates.address) },
      signature: signature && { ...signature, address: this.address(signature.address) },
      present: this.address(column.present),
    };
  }
}
