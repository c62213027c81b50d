import type { EncodedBatch } from "../place/outgoingBatch.js";
import type { LeafRange } from "./bodyParts.js";
import type { CutPart, ReadBody } from "./bodyReader.js";
import { partId } from "./dealRows.js";

/** The rows of a body that go to one leaf together. */
export interface BodyPart extends CutPart {
  readonly batchId: string;
  /** The leaf it was dealt to; null: any. */
  readonly leafId: string | null;
  /** Computed once. */
  readonly encode: () => Promise<EncodedBatch>;
}

/** Cuts every batch of a body into the parts that go to one leaf each. */
export async function partsOf(
  body: ReadBody,
  batchIds: readonly string[],
  rangesOf: (batchId: string) => readonly LeafRange[],
): Promise<readonly BodyPart[]> {
  const parts: BodyPart[] = [];
  for (const [i, id] of batchIds.entries()) {
    const ranges = rangesOf(id);
    if (ranges.length === 0) continue;
    for (const [k, cut] of (await body.cut(i, id, ranges)).entries()) {
      if (cut === null) continue;
      const { leafId, ...range } = ranges[k]!;
      let encoding: Promise<EncodedBatch> | null = null;
      const encode = (): Promise<EncodedBatch> => {
        encoding ??= body.encode(cut.part);
        return encoding;
      };
      parts.push({ ...cut, batchId: partId(id, range), leafId, encode });
    }
  }
  return parts;
}
