import { readFile } from "node:fs/promises";
import { sumMinutes } from "../file/segmentBooks.js";
import { type BatchMark, decodeOrigin, type SegmentOrigin } from "../file/segmentCodec.js";
import { unwrapPayload } from "../file/segmentFile.js";
import { RawSizes } from "../segment/rawSizes.js";

/** What the table remembers of several segments together, from their files: marks of batches are nowhere else in the order they came. */
export async function mergeOrigins(paths: readonly string[]): Promise<SegmentOrigin> {
  const origins: SegmentOrigin[] = [];
  for (const path of paths) origins.push(decodeOrigin(unwrapPayload(await readFile(path))));
  const { minutes, counts } = sumMinutes(origins);
  const rawSizes = new RawSizes();
  const batches: BatchMark[] = [];
  for (const origin of origins) {
    rawSizes.add(origin.rawSizes);
    batches.push(...origin.batches);
  }
  return {
    batches,
    minutes: minutes.map((minute, index) => [minute, counts[index]!]),
    rawSizes: rawSizes.list(),
  };
}
