import { Extents } from "./extents.js";

/** What the leaf's threads share: the bytes, and (on the main thread) who has which of them. */
export interface LeafMemory {
  readonly memory: WebAssembly.Memory;
  readonly bytes: Uint8Array;
  /** Rows: open and sealed segments. */
  readonly store: Extents;
  /** What open segments take of the store: each is to have room for its sealed twin. */
  readonly open: { bytes: number };
  /** Running queries: group tables, masks. One pool for all of them. */
  readonly queries: Extents;
}

/** Splits the memory above the kernel's own region: a pool for running queries, the rest for rows. The last page stays unused, since pointers wrap silently at 4 GiB, and loops of the kernel read ahead. */
export function divideMemory(
  memory: WebAssembly.Memory,
  reservedBytes: number,
  queryPoolBytes: number,
): LeafMemory {
  const end = memory.buffer.byteLength - 65_536;
  const middle = reservedBytes + queryPoolBytes;
  return {
    memory,
    bytes: new Uint8Array(memory.buffer),
    queries: new Extents(reservedBytes, middle),
    store: new Extents(middle, end),
    open: { bytes: 0 },
  };
}
