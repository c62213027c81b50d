const blockBytesMax = 131_072;

/** A Zstandard frame with its content size. Only runs of one byte are compressed, since no library here compresses. */
export function rawZstd(bytes: Uint8Array): Uint8Array {
  const head = Buffer.alloc(9);
  head.writeUInt32LE(0xfd2fb528, 0);
  // A single segment, whose length takes four bytes.
  head.writeUInt8(0xa0, 4);
  head.writeUInt32LE(bytes.length, 5);
  const parts: Uint8Array[] = [head];
  for (let at = 0; at === 0 || at < bytes.length; at += blockBytesMax) {
    const block = bytes.subarray(at, at + blockBytesMax);
    const isLast = at + blockBytesMax >= bytes.length;
    const isRun = block.every((byte) => byte === block[0]);
    const size = Buffer.alloc(4);
    size.writeUInt32LE((block.length << 3) | (isRun ? 2 : 0) | (isLast ? 1 : 0), 0);
    parts.push(size.subarray(0, 3), isRun ? block.subarray(0, 1) : block);
  }
  return new Uint8Array(Buffer.concat(parts));
}
