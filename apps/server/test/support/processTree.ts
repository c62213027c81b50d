import { readdir, readFile } from "node:fs/promises";

interface ProcessState {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
}

async function stateOf(pid: number): Promise<ProcessState | null> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  if (stat === null) return null;
  // The name of the program, in parentheses, may have spaces.
  const [state = "", parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { pid, parent: Number(parent), state };
}

/** Whether a process runs; one that has ended and is not yet collected does not. */
export async function isRunning(pid: number): Promise<boolean> {
  const found = await stateOf(pid);
  return found !== null && found.state !== "Z";
}

/** All processes that a process started, and those that they started. */
export async function descendantsOf(pid: number): Promise<readonly number[]> {
  const names = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const states = await Promise.all(names.map((name) => stateOf(Number(name))));
  const found = [pid];
  for (const parent of found) {
    for (const one of states) if (one?.parent === parent) found.push(one.pid);
  }
  return found.slice(1);
}
