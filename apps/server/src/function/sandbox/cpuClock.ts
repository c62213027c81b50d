import { readFileSync } from "node:fs";

/** Milliseconds of processor time of a thread; wall time on systems that do not report it. */
export type CpuClock = () => number;

/** Linux reports a thread's nanoseconds on a processor first, then those it waited for one. */
export function createCpuClock(path = "/proc/thread-self/schedstat"): CpuClock {
  const read = (): number => Number(readFileSync(path, "latin1").split(" ", 1)[0]) / 1e6;
  try {
    if (Number.isFinite(read())) return read;
  } catch {
    // No such file: another system.
  }
  return () => performance.now();
}
