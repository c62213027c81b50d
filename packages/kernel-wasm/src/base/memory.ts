import { READ_AHEAD_SWITCH, RESERVED_BYTES } from "../../assembly/abi.js";

const pageBytes = 65_536;

/** One page short of 4 GiB: the end of the last one would wrap to address 0. */
export const sharedMemoryBytesMax = 65_535 * pageBytes;

/** Low memory that is the kernel's; the host lays out its regions from here on. */
export const kernelReservedBytes = RESERVED_BYTES;

/**
 * Shared memory of at least this many bytes. It has its full size from the start and never grows,
 * so views stay valid; the system commits pages only when they are first written.
 */
export function createSharedMemory(bytes: number): WebAssembly.Memory {
  if (!(bytes > 0 && bytes <= sharedMemoryBytesMax)) {
    throw new RangeError(
      `shared memory of ${bytes} bytes: must be between 1 and ${sharedMemoryBytesMax}`,
    );
  }
  const pages = Math.ceil(bytes / pageBytes);
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
}

/**
 * Whether the kernel's loops over columns load memory ahead of where they are, for all threads over
 * this memory. No result depends on it. Some processors scan a third faster with it, others a third
 * slower.
 */
export function switchReadAhead(memory: WebAssembly.Memory, to: "on" | "off"): void {
  new Uint8Array(memory.buffer)[READ_AHEAD_SWITCH] = to === "on" ? 1 : 0;
}

/** Memory of at least this many bytes that one thread has to itself. It never grows either. */
export function createOwnMemory(bytes: number): WebAssembly.Memory {
  const pages = Math.ceil(bytes / pageBytes);
  return new WebAssembly.Memory({ initial: pages, maximum: pages });
}
