import { readFile } from "node:fs/promises";

/** Bytes of a process by the kernel's name for them: `VmRSS` now, `VmHWM` at most. */
export async function memoryOf(pid: number, name: "VmRSS" | "VmHWM"): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) * 1_024;
}
