import { spawn } from "node:child_process";
import { root } from "./paths.mjs";

/** A step that failed for a reason already on the terminal: its one line is all there is to say. */
export class StepError extends Error {}

export const say = (line) => process.stderr.write(`hadal: ${line}\n`);

/**
 * Runs a program in the repository and resolves with its exit code; -1 when it could not start.
 * `quiet` keeps its output and shows it only when it fails.
 */
export function run(program, args, { env = {}, cwd = root, quiet = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: quiet ? ["ignore", "pipe", "pipe"] : "inherit",
    });
    const output = [];
    child.stdout?.on("data", (bytes) => output.push(bytes));
    child.stderr?.on("data", (bytes) => output.push(bytes));
    child.on("error", (error) => {
      say(`${program} could not start: ${error.message}`);
      resolve(-1);
    });
    child.on("close", (code, signal) => {
      if (code !== 0) process.stderr.write(Buffer.concat(output));
      if (signal !== null) say(`${program} was ended by ${signal}`);
      resolve(code ?? -1);
    });
  });
}

/** Runs a script with this same Node.js. */
export const runNode = (args, options) => run(process.execPath, args, options);

/** Runs npm: the one that runs us, or the one on the path. */
export function runNpm(args, options) {
  const npm = process.env.npm_execpath;
  return npm?.endsWith(".js") ? runNode([npm, ...args], options) : run("npm", args, options);
}
