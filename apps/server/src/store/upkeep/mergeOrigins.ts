import { readFile } from "node:fs/promises";
import { type BatchReceipt, decodeOrigin, type SegmentOrigin } from "../file/segmentCodec.js";
import { sumMinutes } from "../file/segmentContributions.js";
import { unwrapPayload } from "../file/segmentFile.js";
import { RawSizes } from "../segment/rawSizes.js";

/** What the table remembers of several segments together, from their files: receipts of batches are nowhere else in the order they came. */
export async function mergeOrigins(paths: readonly string[]): Promise<SegmentOrigin> {
  const origins: SegmentOrigin[] = [];
  for (const path of paths) origins.push(decodeOrigin(unwrapPayload(await readFile(path))));
  const { minutes, counts } = sumMinutes(origins);
  const rawSizes = new RawSizes();
  const batches: BatchReceipt[] = [];
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
