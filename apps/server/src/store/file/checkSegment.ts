import { sampleRateColumn } from "@hadal/sdk";
import { columnOfPlace } from "../../column/columnPlace.js";
import { unwrapPayload } from "./segmentFile.js";
import { readSegmentHead } from "./segmentHead.js";
import { PartWalk } from "./segmentParts.js";

export interface CheckedSegment {
  readonly firstGeneration: number;
  readonly rowCount: number;
  /** Why all rows are lost; null: they are not. */
  readonly lostBecause: string | null;
  readonly lostColumns: readonly string[];
  /** Columns whose histograms are damaged. */
  readonly lostHistograms: readonly string[];
}

/**
 * Finds damage in a segment's file without loading it; throws where not even its head can be read.
 */
export function checkSegment(file: Uint8Array): CheckedSegment {
  const reader = readSegmentHead(unwrapPayload(file));
  const { generation, firstGeneration = generation, rowCount, weightMax, columns } = reader.head;
  const walk = new PartWalk(reader, reader.head.parts);
  const hasTimes = walk.next();
  const lost = columns.filter(() => !walk.next()).map(({ name }) => name);
  const withHistogram = columns.filter((one) => one.kind === "int" && one.histogram !== undefined);
  const lostHistograms = withHistogram.filter(() => !walk.next()).map(({ name }) => name);
  const hasRates = weightMax <= 1 || !lost.includes(sampleRateColumn);
  return {
    ...{ firstGeneration, rowCount },
    lostBecause: hasTimes
      ? hasRates
        ? null
        : "its sample rates are damaged"
      : "its times are damaged",
    lostColumns: lost.map(columnOfPlace),
    lostHistograms: lostHistograms.map(columnOfPlace),
  };
}
