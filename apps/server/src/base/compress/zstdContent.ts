import { Decompress } from "fzstd";
import { ZstdFrames } from "./zstdFrames.js";

/** The window that every decoder should support (RFC 8878, section 3.1.1.1.2). */
const windowBytesLeast = 8_388_608;
/** The maximum size of a body. */
const contentBytesMax = 67_108_864;

/**
 * The content of Zstandard frames, which must be `contentBytes` long. Never inflates more or allocates a larger window.
 * Throws RangeError for any other input.
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

/** Length of the content, which is inflated and discarded. */
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
