import { HadalError } from "@hadal/sdk";
import type { BodyCutter, CutBody } from "./bodyCutter.js";

/** What every server takes as one body. */
const bodyBytesMax = 67_108_864;

/** For a file that cannot be cut: all of it is one body. */
export function wholeBody(): BodyCutter {
  const pieces: Uint8Array[] = [];
  let heldBytes = 0;
  return {
    push(bytes): Iterable<CutBody> {
      pieces.push(bytes);
      heldBytes += bytes.length;
      if (heldBytes <= bodyBytesMax) return [];
      const limitName = "bodyBytesMax; the file cannot be cut";
      throw new HadalError("body-too-large", { max: bodyBytesMax, limitName });
    },
    takeWholeRecords: (): Iterable<CutBody> => [],
    finish: (): Iterable<CutBody> => [
      { bytes: Buffer.concat(pieces), rows: 1, fileLine: (line) => line },
    ],
  };
}
