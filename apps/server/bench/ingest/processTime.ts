import { readFileSync } from "node:fs";

/** `sysconf(_SC_CLK_TCK)`: 100 on every Linux. */
const ticksPerSecond = 100;

/** Processor milliseconds of a process so far, all of its threads. */
export function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name of the program stands in parentheses and may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}
