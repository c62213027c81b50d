import { readFile } from "node:fs/promises";
import { sumMinutes } from "../file/segmentContributions.js";
import { unwrapPayload } from "../file/segmentFile.js";
import { type BatchReceipt, decodeOrigin, type SegmentOrigin } from "../file/segmentHead.js";
import { RawSizes } from "../segment/rawSizes.js";

/**
 * The origins of several segments combined, from their files: only these have the receipts of
 * batches in the order of arrival.
 */
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
