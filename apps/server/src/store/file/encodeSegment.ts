import { encodeSections, type SectionArray } from "../../base/bytes/sections.js";
import type { Steps } from "../../base/schedule/steps.js";
import { ListDictionary } from "../../column/listDictionary.js";
import type { CodedColumn, IntColumn, SegmentColumn } from "../../column/segmentColumn.js";
import type { LeafMemory } from "../../memory/leafMemory.js";
import type { SealedSegment } from "../segment/sealedSegment.js";
import { histogramBytes, type SegmentHistogram } from "../segment/segmentHistogram.js";
import { type ColumnSums, noSpread } from "../segment/segmentView.js";
import type { TableContext } from "../segment/tableContext.js";
import { encodeText } from "../text/textCodec.js";
import { encodeCodes } from "./codesCodec.js";
import { encodeIntSections } from "./intCodec.js";
import {
  type CodedHead,
  type ColumnHead,
  type IntHead,
  type SegmentHead,
  type SegmentOrigin,
  segmentMagic,
} from "./segmentHead.js";
import { headOfPart, type PartHead } from "./segmentParts.js";

type SegmentContext = Pick<TableContext, "memory" | "kernel">;

interface EncodedColumn {
  readonly head: ColumnHead;
  readonly sections: readonly SectionArray[];
}

/**
 * A segment as bytes, a column a step: coded columns carry the values that they use. The caller
 * keeps the segment pinned.
 */
export function* encodeSegment(
  segment: SealedSegment,
  context: SegmentContext,
  origin: SegmentOrigin,
): Steps<Uint8Array> {
  const { rowCount, times, timeBase, encodedTimes } = segment;
  const parts = new Parts();
  const storedTimes = encodeIntSections(
    { values: times, base: timeBase, encoded: encodedTimes },
    rowCount,
    context.memory,
  );
  parts.push(storedTimes.sections);
  const columns: ColumnHead[] = [];
  for (const [name, column] of segment.columns) {
    const { head, sections } = yield* encodeColumn(name, column, segment, context);
    columns.push(head);
    parts.push(sections);
    yield;
  }
  // A reader finds the histograms in the order of the columns.
  for (const name of segment.columns.keys()) {
    const histogram = segment.histograms.get(name);
    if (histogram === undefined) continue;
    parts.push([bytesAt(context.memory, histogram.address, histogramBytes(histogram))]);
  }
  const { generation, firstGeneration, thinned, thinnedKeys } = segment;
  const head: SegmentHead = {
    generation,
    ...(firstGeneration === generation ? {} : { firstGeneration }),
    ...(thinned === 1 ? {} : { thinned }),
    ...(thinnedKeys === undefined ? {} : { thinnedKeys: [...thinnedKeys] }),
    rowCount,
    times: storedTimes.head,
    minMs: segment.minMs,
    maxMs: segment.maxMs,
    weightMax: segment.weightMax,
    weightTotal: segment.weightTotal,
    columns,
    parts: parts.heads,
    origin,
  };
  return encodeSections(segmentMagic, head, parts.sections);
}

/** Computes the checksum of each part as it is added. */
class Parts {
  readonly heads: PartHead[] = [];
  readonly sections: SectionArray[] = [];

  push(sections: readonly SectionArray[]): void {
    this.heads.push(headOfPart(sections));
    this.sections.push(...sections);
  }
}

function* encodeColumn(
  name: string,
  column: SegmentColumn,
  segment: SealedSegment,
  context: SegmentContext,
): Steps<EncodedColumn> {
  const { rowCount } = segment;
  switch (column.kind) {
    case "int":
      return encodeInts(name, column, segment, context.memory);
    case "coded":
      return { head: codedHead(name, column), sections: encodeCodes(column, rowCount, context) };
    case "text":
      return yield* encodeText(column, name, rowCount, context);
  }
}

function encodeInts(
  name: string,
  column: IntColumn,
  { rowCount, sums, histograms }: SealedSegment,
  memory: LeafMemory,
): EncodedColumn {
  const { head, sections } = encodeIntSections(column, rowCount, memory);
  const histogram = histograms.get(name);
  const bitmapBytes = Math.ceil(rowCount / 64) * 8;
  const present = column.present === 0 ? [] : [bytesAt(memory, column.present, bitmapBytes)];
  return {
    head: {
      kind: "int",
      name,
      decimals: column.decimals,
      ints: head,
      min: column.min.toString(),
      max: column.max.toString(),
      missing: column.present !== 0,
      sums: headOfSums(sums.get(name)!),
      ...(histogram === undefined ? {} : { histogram: headOfHistogram(histogram) }),
    },
    sections: [...sections, ...present],
  };
}

function codedHead(name: string, { type, dictionary }: CodedColumn): CodedHead {
  const isOwn = dictionary instanceof ListDictionary && dictionary.isFrozen;
  return { kind: "coded", name, type, ...(isOwn ? { own: true } : {}) };
}

const headOfSums = (sums: ColumnSums): IntHead["sums"] => ({
  rows: sums.presentRows,
  weight: sums.presentWeight,
  sum: sums.weightedSum.toString(),
  ...(sums.spread === noSpread ? {} : { spread: sums.spread }),
});

const headOfHistogram = ({ count, weightBytes }: SegmentHistogram) => ({ count, weightBytes });

const bytesAt = ({ bytes }: LeafMemory, address: number, length: number): Uint8Array =>
  bytes.subarray(address, address + length);
