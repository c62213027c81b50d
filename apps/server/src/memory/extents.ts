import { assert } from "../base/assert.js";

/** Extents start at multiples of a cache line. */
const alignment = 64;
/** The kernel reads whole SIMD words: this many bytes after an extent's last value belong to it. */
const slackBytes = 16;

/**
 * Hands out extents of the leaf's one shared memory: best fit over a list of free ones sorted by address,
 * neighbours joined when freed. Book-keeping only; the bytes are not touched.
 */
export class Extents {
  readonly #lengths = new Map<number, number>();
  /** Free extents by ascending address. */
  readonly #free: { address: number; bytes: number }[];
  readonly totalBytes: number;
  #usedBytes = 0;

  constructor(start: number, end: number) {
    const first = align(start);
    this.totalBytes = end - first;
    this.#free = [{ address: first, bytes: this.totalBytes }];
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  get freeBytes(): number {
    return this.totalBytes - this.#usedBytes;
  }

  /** Extents handed out. */
  get count(): number {
    return this.#lengths.size;
  }

  get largestFreeBytes(): number {
    return this.#free.reduce((largest, { bytes }) => Math.max(largest, bytes), 0);
  }

  /** Address of a new extent with room for `bytes` and the slack, or null when no free extent is large enough. */
  allocate(bytes: number): number | null {
    const wanted = align(bytes + slackBytes);
    let best = -1;
    for (let i = 0; i < this.#free.length; i++) {
      const { bytes: room } = this.#free[i]!;
      if (room >= wanted && (best < 0 || room < this.#free[best]!.bytes)) best = i;
    }
    if (best < 0) return null;
    const extent = this.#free[best]!;
    const { address } = extent;
    if (extent.bytes === wanted) this.#free.splice(best, 1);
    else this.#free[best] = { address: address + wanted, bytes: extent.bytes - wanted };
    this.#lengths.set(address, wanted);
    this.#usedBytes += wanted;
    return address;
  }

  /** What the extent takes, slack and rounding included. */
  bytesOf(address: number): number {
    const bytes = this.#lengths.get(address);
    assert(bytes !== undefined, `no extent starts at ${address}`);
    return bytes;
  }

  release(address: number): void {
    const bytes = this.bytesOf(address);
    this.#lengths.delete(address);
    this.#usedBytes -= bytes;
    const at = this.#firstFreeAfter(address);
    this.#free.splice(at, 0, { address, bytes });
    this.#joinWithNext(at);
    if (at > 0) this.#joinWithNext(at - 1);
  }

  #firstFreeAfter(address: number): number {
    let low = 0;
    let high = this.#free.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#free[middle]!.address < address) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #joinWithNext(index: number): void {
    const extent = this.#free[index]!;
    const next = this.#free[index + 1];
    if (next === undefined || extent.address + extent.bytes !== next.address) return;
    this.#free.splice(index, 2, { address: extent.address, bytes: extent.bytes + next.bytes });
  }
}

function align(bytes: number): number {
  return Math.ceil(bytes / alignment) * alignment;
}
