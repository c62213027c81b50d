import { Decompress } from "fzstd";
import { ZstdFrames } from "./zstdFrames.js";

/** What every decoder should support (RFC 8878, section 3.1.1.1.2), however short the content is. */
const windowBytesLeast = 8_388_608;
/** As much as a whole body may have. */
const contentBytesMax = 67_108_864;

/**
 * The content of Zstandard frames, which has to be `contentBytes` long: more is never inflated, nor a larger window allocated.
 * Throws RangeError for whatever else it is.
 */
export function inflateZstd(packed: Uint8Array, contentBytes: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(contentBytes);
  let at = 0;
  follow(packed, Math.max(windowBytesLeast, contentBytes), (bytes) => {
    // Throws RangeError where it does not fit.
    out.set(bytes, at);
    at += bytes.length;
  });
  if (at === contentBytes) return out;
  throw new RangeError("Zstandard of another length than it says");
}

/** How long the content is; it is inflated for it, but not kept. */
export function zstdContentBytes(packed: Uint8Array): number {
  let bytesAll = 0;
  follow(packed, contentBytesMax, (bytes) => {
    bytesAll += bytes.length;
    if (bytesAll > contentBytesMax) throw new RangeError("Zstandard of too long a content");
  });
  return bytesAll;
}

function follow(
  packed: Uint8Array,
  windowBytesMax: number,
  onBytes: (bytes: Uint8Array) => void,
): void {
  new ZstdFrames().follow(packed, (windowBytes) => {
    if (windowBytes > windowBytesMax) throw new RangeError("Zstandard with too large a window");
  });
  try {
    new Decompress(onBytes).push(packed, true);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw new RangeError(`not Zstandard: ${(error as Error).message}`);
  }
}
