import { sampleRateColumn, timeColumn } from "@hadal/sdk";
import type { SectionFile } from "../../base/bytes/sections.js";
import { columnOfPlace } from "../../column/columnPlace.js";
import type { SegmentColumn, StoredInts } from "../../column/segmentColumn.js";
import { Pins } from "../../memory/pins.js";
import { ColumnBytes } from "../seal/columnBytes.js";
import { type SealedSegment, weightsOf } from "../segment/sealedSegment.js";
import type { SegmentHistogram } from "../segment/segmentHistogram.js";
import { type ColumnSums, noSpread, type Spread } from "../segment/segmentView.js";
import type { TableContext } from "../segment/tableContext.js";
import { ColumnLoader, type KnownColumns, placedHead } from "./columnLoader.js";
import {
  type ColumnHead,
  type IntHead,
  readSegmentHead,
  type SegmentHead,
  type SegmentOrigin,
  thinningOfHead,
} from "./segmentHead.js";
import { PartWalk } from "./segmentParts.js";

export interface DecodedSegment {
  /** Without the columns whose bytes are damaged. */
  readonly segment: SealedSegment;
  readonly origin: SegmentOrigin;
  /** Columns whose histograms are damaged: they are scanned instead, which only costs time. */
  readonly lostHistograms: readonly string[];
}

type SegmentContext = Pick<TableContext, "memory" | "kernel">;

/**
 * Loads a segment into the leaf's memory; throws where all of its rows are lost, or there is no
 * room for them.
 */
export function decodeSegment(
  payload: Uint8Array,
  context: SegmentContext,
  known: KnownColumns,
): DecodedSegment {
  const reader = readSegmentHead(payload);
  const { rowCount } = reader.head;
  const loader = new ColumnLoader({ reader, rowCount, context, known });
  try {
    return new SegmentDecoder(reader, loader, context, known).decode();
  } catch (error) {
    loader.release();
    throw error;
  }
}

/** Reads the parts of a segment's file in their order; each can be damaged without the others. */
class SegmentDecoder {
  readonly #head: SegmentHead;
  readonly #columnHeads: readonly ColumnHead[];
  readonly #walk: PartWalk;
  readonly #loader: ColumnLoader;
  readonly #bytes: ColumnBytes;
  readonly #columns = new Map<string, SegmentColumn>();
  readonly #sums = new Map<string, ColumnSums>();
  readonly #histograms = new Map<string, SegmentHistogram>();
  readonly #lostColumns = new Set<string>();
  readonly #lostHistograms: string[] = [];

  constructor(
    reader: SectionFile<SegmentHead>,
    loader: ColumnLoader,
    { memory }: SegmentContext,
    known: KnownColumns,
  ) {
    const { head } = reader;
    this.#head = head;
    this.#columnHeads = head.columns.map((column) => placedHead(column, known));
    this.#walk = new PartWalk(reader, head.parts);
    this.#loader = loader;
    this.#bytes = new ColumnBytes(loader.extents, memory);
  }

  decode(): DecodedSegment {
    const times = this.#times();
    for (const column of this.#columnHeads) this.#addColumn(column);
    for (const column of this.#columnHeads) this.#addHistogram(column);
    const { origin } = this.#head;
    return { segment: this.#segment(times), origin, lostHistograms: this.#lostHistograms };
  }

  #times(): StoredInts {
    if (!this.#walk.next()) throw new Error("its times are damaged");
    const times = this.#loader.ints(this.#head.times);
    this.#bytes.assign(timeColumn);
    return times;
  }

  #addColumn(head: ColumnHead): void {
    const { name } = head;
    if (!this.#walk.next()) {
      // Without their weights all other values of the rows are wrong.
      if (name === sampleRateColumn && this.#head.weightMax > 1)
        throw new Error("its sample rates are damaged");
      this.#lostColumns.add(columnOfPlace(name));
      return;
    }
    const column = this.#loader.column(head);
    this.#columns.set(name, column);
    this.#bytes.assign(name);
    if (column.kind === "coded" && head.kind === "coded" && head.own === true)
      this.#bytes.freezeLists(name, column);
    if (head.kind === "int") this.#sums.set(name, sumsOf(head, this.#head.weightMax));
  }

  #addHistogram(head: ColumnHead): void {
    if (head.kind !== "int" || head.histogram === undefined) return;
    const { name, histogram } = head;
    const isWhole = this.#walk.next();
    if (!this.#columns.has(name)) return;
    if (!isWhole) {
      this.#lostHistograms.push(columnOfPlace(name));
      return;
    }
    this.#histograms.set(name, { ...histogram, address: this.#loader.nextSection() });
    this.#bytes.assign(name);
  }

  #segment(times: StoredInts): SealedSegment {
    const head = this.#head;
    return {
      generation: head.generation,
      firstGeneration: head.firstGeneration ?? head.generation,
      ...thinningOfHead(head),
      rowCount: head.rowCount,
      sorted: true,
      times: times.values,
      timeBase: times.base,
      encodedTimes: times.encoded,
      minMs: head.minMs,
      maxMs: head.maxMs,
      columns: this.#columns,
      lostColumns: this.#lostColumns,
      weights: weightsOf(this.#columns.get(sampleRateColumn), head.weightMax),
      weightMax: head.weightMax,
      weightTotal: head.weightTotal,
      sums: this.#sums,
      histograms: this.#histograms,
      pins: new Pins(),
      extents: this.#loader.extents,
      bytes: this.#bytes.total,
      columnBytes: this.#bytes.byColumn,
    };
  }
}

function sumsOf({ sums }: IntHead, weightMax: number): ColumnSums {
  return {
    presentRows: sums.rows,
    presentWeight: sums.weight,
    weightedSum: BigInt(sums.sum),
    spread: weightMax > 1 ? spreadOf(sums.spread) : noSpread,
  };
}

/** Null where the file has none, or one of an older version. */
function spreadOf(stored: readonly number[] | null | undefined): Spread | null {
  const [ones, linear, square, cube] = stored ?? [];
  if (ones === undefined || linear === undefined || square === undefined) return null;
  return cube === undefined ? null : [ones, linear, square, cube];
}
