const chunkBytes = 65_536;
/** Larger arrays have separate memory. */
const smallBytes = 256;

let chunk = new ArrayBuffer(chunkBytes);
let used = 0;

/**
 * Zeros. Small arrays share memory: thousands of columns of one value each would keep the garbage
 * collector busy.
 */
export function createUint32(length: number): Uint32Array<ArrayBuffer> {
  if (length * 4 > smallBytes) return new Uint32Array(length);
  const at = take(length * 4);
  return new Uint32Array(chunk, at, length);
}

export function copyUint32(values: Uint32Array): Uint32Array<ArrayBuffer> {
  const copy = createUint32(values.length);
  copy.set(values);
  return copy;
}

export function createInt64(length: number): BigInt64Array<ArrayBuffer> {
  if (length * 8 > smallBytes) return new BigInt64Array(length);
  const at = take(length * 8);
  return new BigInt64Array(chunk, at, length);
}

/** The offset of `bytes` free bytes in `chunk`. */
function take(bytes: number): number {
  if (used + bytes > chunkBytes) {
    chunk = new ArrayBuffer(chunkBytes);
    used = 0;
  }
  const at = used;
  used += Math.ceil(bytes / 8) * 8;
  return at;
}
