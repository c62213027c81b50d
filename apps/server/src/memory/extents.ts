import { assert } from "../base/assert.js";

/** Extents start at multiples of a cache line. */
const alignment = 64;
/** The kernel reads whole SIMD words: this many bytes after an extent's last value belong to it. */
const slackBytes = 16;

interface FreeExtent {
  readonly address: number;
  readonly bytes: number;
}

type Order = (a: FreeExtent, b: FreeExtent) => number;

const byAddress: Order = (a, b) => a.address - b.address;
const bySize: Order = (a, b) => a.bytes - b.bytes || a.address - b.address;

/**
 * Hands out extents of the leaf's one shared memory: the smallest free one with room (of equals the lowest, so
 * that the far end stays whole), neighbours joined when freed. Free extents stand in two orders, by address and by
 * size, so that both are found by binary search. Book-keeping only; the bytes are not touched.
 */
export class Extents {
  readonly #lengths = new Map<number, number>();
  readonly #byAddress: FreeExtent[] = [];
  readonly #bySize: FreeExtent[] = [];
  readonly totalBytes: number;
  #usedBytes = 0;

  constructor(start: number, end: number) {
    const first = align(start);
    this.totalBytes = end - first;
    this.#insert({ address: first, bytes: this.totalBytes });
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

  /** Address and bytes of each, in the order they were handed out. */
  handedOut(): IterableIterator<[address: number, bytes: number]> {
    return this.#lengths.entries();
  }

  get largestFreeBytes(): number {
    return this.#bySize.at(-1)?.bytes ?? 0;
  }

  /** Address of a new extent with room for `bytes` and the slack, or null when no free extent is large enough. */
  allocate(bytes: number): number | null {
    const wanted = extentBytes(bytes);
    const at = indexOf(this.#bySize, { address: 0, bytes: wanted }, bySize);
    const best = this.#bySize[at];
    if (best === undefined) return null;
    const { address } = best;
    if (best.bytes === wanted) this.#remove(best);
    else this.#shrink(at, { address: address + wanted, bytes: best.bytes - wanted });
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

  /** What may be written to the extent: an `allocate` of as much takes as much. */
  roomOf(address: number): number {
    return this.bytesOf(address) - slackBytes;
  }

  release(address: number): void {
    const bytes = this.bytesOf(address);
    this.#lengths.delete(address);
    this.#usedBytes -= bytes;
    const at = indexOf(this.#byAddress, { address, bytes }, byAddress);
    const before = this.#byAddress[at - 1];
    const after = this.#byAddress[at];
    let freed: FreeExtent = { address, bytes };
    if (after !== undefined && address + bytes === after.address) {
      this.#remove(after);
      freed = { address, bytes: bytes + after.bytes };
    }
    if (before !== undefined && before.address + before.bytes === address) {
      this.#remove(before);
      freed = { address: before.address, bytes: before.bytes + freed.bytes };
    }
    this.#insert(freed);
  }

  /** What is left of the extent at this place of the second order. As a rule that is the largest one, and stays it. */
  #shrink(at: number, left: FreeExtent): void {
    const extent = this.#bySize[at]!;
    this.#byAddress[indexOf(this.#byAddress, extent, byAddress)] = left;
    const smaller = this.#bySize[at - 1];
    if (smaller === undefined || bySize(smaller, left) < 0) {
      this.#bySize[at] = left;
      return;
    }
    this.#bySize.splice(at, 1);
    this.#bySize.splice(indexOf(this.#bySize, left, bySize), 0, left);
  }

  #insert(extent: FreeExtent): void {
    this.#byAddress.splice(indexOf(this.#byAddress, extent, byAddress), 0, extent);
    this.#bySize.splice(indexOf(this.#bySize, extent, bySize), 0, extent);
  }

  #remove(extent: FreeExtent): void {
    this.#byAddress.splice(indexOf(this.#byAddress, extent, byAddress), 1);
    this.#bySize.splice(indexOf(this.#bySize, extent, bySize), 1);
  }
}

/** What an extent with room for `bytes` takes. */
export function extentBytes(bytes: number): number {
  return align(bytes + slackBytes);
}

/** Index of the first that is not before `wanted`. */
function indexOf(sorted: readonly FreeExtent[], wanted: FreeExtent, order: Order): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (order(sorted[middle]!, wanted) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function align(bytes: number): number {
  return Math.ceil(bytes / alignment) * alignment;
}
