import { inflateLz4Frame, lz4ContentBytes } from "../compress/lz4Frame.js";
import { inflateZstd, zstdContentBytes } from "../compress/zstdContent.js";

/** The library that reads and writes Arrow. */
export type ArrowLibrary = typeof import("apache-arrow");

interface Codec {
  readonly inflate: (packed: Uint8Array, contentBytes: number) => Uint8Array;
  readonly contentBytes: (packed: Uint8Array) => number;
}

/** Bytes before each compressed buffer with the length of its content. */
export const contentLengthBytes = 8;

/** By their numbers in the format's Message.fbs. */
const codecs: readonly Codec[] = [
  { inflate: inflateLz4Frame, contentBytes: lz4ContentBytes },
  { inflate: inflateZstd, contentBytes: zstdContentBytes },
];

/** Loaded on first use: it takes a tenth of a second, and most processes never use it. */
export async function loadArrow(): Promise<ArrowLibrary> {
  const arrow = await import("apache-arrow");
  const { compressionRegistry: registry, CompressionType: types } = arrow;
  for (const type of [types.LZ4_FRAME, types.ZSTD])
    registry.set(type, { ...registry.get(type), decode: (packed) => decode(type, packed) });
  return arrow;
}

/** The content of a compressed buffer with its length in front. Throws RangeError for any other input. */
export function contentBytesOf(codec: number, buffer: Uint8Array): bigint {
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  const said = view.getBigInt64(0, true);
  const packed = buffer.subarray(contentLengthBytes);
  // The content is stored uncompressed.
  if (said === -1n) return BigInt(packed.length);
  // The JavaScript library writes the compressed length instead.
  if (said !== BigInt(packed.length)) return said;
  return BigInt(codecs[codec]?.contentBytes(packed) ?? said);
}

/** The library passes the bytes after the length, as a view of the message. */
function decode(codec: number, packed: Uint8Array): Uint8Array {
  const { buffer, byteOffset, byteLength } = packed;
  const whole = new Uint8Array(
    buffer,
    byteOffset - contentLengthBytes,
    byteLength + contentLengthBytes,
  );
  const inflate = codecs[codec]?.inflate;
  if (inflate === undefined) throw new RangeError("a compression that is not known");
  return inflate(packed, Number(contentBytesOf(codec, whole)));
}
