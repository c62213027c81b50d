import { encodeSections, type SectionArray } from "../../base/bytes/sections.js";
import type { Steps } from "../../base/schedule/steps.js";
import { ListDictionary } from "../../column/listDictionary.js";
import type { IntColumn } from "../../column/segmentColumn.js";
import type { SealedSegment } from "../segment/sealedSegment.js";
import { histogramBytes, type SegmentHistogram } from "../segment/segmentHistogram.js";
import type { ColumnSums } from "../segment/segmentView.js";
import { noSpread } from "../segment/segmentView.js";
import { encodeText } from "../text/textCodec.js";
import { encodeCodes } from "./codesCodec.js";
import { encodeIntSections, type IntsHead } from "./intCodec.js";
import {
  type ColumnHead,
  type SegmentContext,
  type SegmentHead,
  type SegmentOrigin,
  segmentMagic,
} from "./segmentCodec.js";
import { headOfPart, type PartHead } from "./segmentParts.js";

/** A segment as bytes that stand alone, a column a step: coded columns carry the values they use. Whoever asks keeps it pinned. */
export function* encodeSegment(
  segment: SealedSegment,
  context: SegmentContext,
  origin: SegmentOrigin,
): Steps<Uint8Array> {
  const { memory } = context;
  const parts = new Parts();
  const bytesAt = (address: number, length: number): Uint8Array =>
    memory.bytes.subarray(address, address + length);
  const { rowCount } = segment;
  const bitmapBytes = Math.ceil(rowCount / 64) * 8;
  const { times, timeBase, encodedTimes } = segment;
  const storedTimes = encodeIntSections(
    { values: times, base: timeBase, encoded: encodedTimes },
    rowCount,
    memory,
  );
  parts.push(storedTimes.sections);
  const columns: ColumnHead[] = [];
  for (const [name, column] of segment.columns) {
    if (column.kind === "int") {
      const ints = encodeIntSections(column, rowCount, memory);
      const histogram = segment.histograms.get(name);
      columns.push({
        ...intHead(name, column, ints.head, segment.sums.get(name)!),
        ...(histogram === undefined ? {} : { histogram: headOfHistogram(histogram) }),
      });
      const present = column.present === 0 ? [] : [bytesAt(column.present, bitmapBytes)];
      parts.push([...ints.sections, ...present]);
    } else if (column.kind === "coded") {
      const { type, dictionary } = column;
      const isOwn = dictionary instanceof ListDictionary && dictionary.isFrozen;
      columns.push({ kind: "coded", name, type, ...(isOwn ? { own: true } : {}) });
      parts.push(encodeCodes(column, rowCount, context));
    } else {
      const text = yield* encodeText(column, name, rowCount, context);
      columns.push(text.head);
      parts.push(text.sections);
    }
    yield;
  }
  // In the order of the columns, of which those are in the map.
  for (const name of segment.columns.keys()) {
    const histogram = segment.histograms.get(name);
    if (histogram !== undefined)
      parts.push([bytesAt(histogram.address, histogramBytes(histogram))]);
  }
  const { generation, firstGeneration, thinned } = segment;
  const head: SegmentHead = {
    generation,
    ...(firstGeneration === generation ? {} : { firstGeneration }),
    ...(thinned === 1 ? {} : { thinned }),
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

/** Their checksums are taken as they come. */
class Parts {
  readonly heads: PartHead[] = [];
  readonly sections: SectionArray[] = [];

  push(sections: readonly SectionArray[]): void {
    this.heads.push(headOfPart(sections));
    this.sections.push(...sections);
  }
}

const headOfHistogram = ({ count, weightBytes }: SegmentHistogram) => ({ count, weightBytes });

function intHead(
  name: string,
  column: IntColumn,
  ints: IntsHead,
  sums: ColumnSums,
): Extract<ColumnHead, { kind: "int" }> {
  return {
    kind: "int",
    name,
    decimals: column.decimals,
    ints,
    min: column.min.toString(),
    max: column.max.toString(),
    missing: column.present !== 0,
    sums: {
      rows: sums.presentRows,
      weight: sums.presentWeight,
      sum: sums.weightedSum.toString(),
      ...(sums.spread === noSpread ? {} : { spread: sums.spread }),
    },
  };
}
