import { readFileSync } from "node:fs";

/** Milliseconds that a thread has computed; on machines that do not tell, milliseconds that went by. */
export type CpuClock = () => number;

/** Linux tells a thread's nanoseconds on a processor first, then those it waited for one. */
export function createCpuClock(path = "/proc/thread-self/schedstat"): CpuClock {
  const read = (): number => Number(readFileSync(path, "latin1").split(" ", 1)[0]) / 1e6;
  try {
    if (Number.isFinite(read())) return read;
  } catch {
    // No such file: another system.
  }
  return () => performance.now();
}
