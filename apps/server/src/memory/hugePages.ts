import { getSystemErrorName } from "node:util";

/** MADV_HUGEPAGE of Linux's <sys/mman.h>, on every architecture that Node runs on. */
const adviceHugePage = 14;

/**
 * Asks Linux for pages of 2 MB under a memory of which nothing is written yet: a scan then waits for far fewer page
 * tables. Returns null when that is done or the system knows no such request, else why it could not be done: the memory
 * is as good then, only slower.
 */
export async function adviseHugePages(memory: WebAssembly.Memory): Promise<string | null> {
  if (process.platform !== "linux") return null;
  try {
    const { default: koffi } = await import("koffi");
    const madvise = koffi.load(null).func("int madvise(void *address, size_t bytes, int advice)");
    const bytes = new Uint8Array(memory.buffer);
    if (madvise(bytes, bytes.length, adviceHugePage) === 0) return null;
    return getSystemErrorName(-koffi.errno());
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
