import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface SimulationReport {
  readonly seeds: number;
  readonly failed: number;
  /** The invariants that were broken, in the order in which they were. */
  readonly broken: readonly string[];
}

const script = fileURLToPath(new URL("../../../../.tools/simulate.mjs", import.meta.url));

/** Runs the script in a process of its own. Rejects, with what it printed, when it has no report. */
export function runSimulation(flags: readonly string[]): Promise<SimulationReport> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [script, ...flags], (_, stdout, stderr) => {
      const last = stdout.trim().split("\n").at(-1) ?? "";
      if (last.startsWith("{")) resolve(JSON.parse(last) as SimulationReport);
      else reject(new Error(`${stdout}\n${stderr}`));
    });
  });
}
