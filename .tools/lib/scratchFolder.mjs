import { existsSync, statfsSync } from "node:fs";

/** A folder that Linux keeps in memory. */
const memoryFolder = "/dev/shm";
/** Two workers have some hundred megabytes each; the rest is for what tests run beside them. */
const roomBytes = 6 * 2 ** 30;

/**
 * Environment of tests: their files are in memory, where the machine has room for them. They write
 * and sync thousands of small files, and on a disk would spend half of their time waiting for it.
 * A TMPDIR of the caller's own stays.
 */
export function scratchEnvironment(own = process.env.TMPDIR, folder = memoryFolder) {
  if (own !== undefined || !existsSync(folder)) return {};
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize < roomBytes ? {} : { TMPDIR: folder };
}
