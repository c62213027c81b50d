import { spawn } from "node:child_process";
import { chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Say } from "./machines/machineFault.js";

const program = join(import.meta.dirname, "../bin/hadal.js");
/** Nobody, on Debian: root may write into read-only folders. */
const unprivileged = 65_534;

interface Ended {
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly ms: number;
}

/** Starts the program where it cannot run. */
function startInVain(args: readonly string[], options: { uid?: number } = {}): Promise<Ended> {
  const startMs = performance.now();
  const child = spawn(process.execPath, [program, "serve", "--no-demo", "--leaves", "1", ...args], {
    ...options,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (bytes: Buffer) => {
      text += bytes.toString();
    });
  const timer = setTimeout(() => child.kill("SIGKILL"), 30_000);
  return new Promise((resolve) => {
    child.once("exit", (code) => {
      clearTimeout(timer);
      const lines = text.split("\n").filter((line) => line.trim() !== "");
      resolve({ code, lines, ms: performance.now() - startMs });
    });
  });
}

/** A port in use, a folder that may not be written, a file in its place: one clear line each. */
export async function processLimits(say: Say): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "hadal-faults-"));
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  const { port } = taken.address() as { port: number };
  const file = join(folder, "file");
  await writeFile(file, "");
  const locked = join(folder, "locked");
  const foreign = await mkdtemp(join(tmpdir(), "hadal-foreign-"));
  await chmod(foreign, 0o555);
  await chmod(folder, 0o755);
  if (process.getuid?.() === 0) await chown(foreign, 0, 0);
  const anyone = process.getuid?.() === 0 ? { uid: unprivileged } : {};
  const cases: readonly (readonly [string, readonly string[], { uid?: number }?])[] = [
    ["port in use", ["--port", String(port), "--data-dir", join(folder, "a")]],
    ["a file as the data folder", ["--port", "0", "--data-dir", file]],
    ["a read-only data folder", ["--port", "0", "--data-dir", foreign], anyone],
    [
      "a folder in one that may not be written",
      ["--port", "0", "--data-dir", `${foreign}/b`],
      anyone,
    ],
    [
      "a public address without sign-in",
      ["--host", "0.0.0.0", "--auth", "none", "--data-dir", locked],
    ],
  ];
  const failed: string[] = [];
  for (const [what, args, options] of cases) {
    const { code, lines, ms } = await startInVain(args, options);
    const isClear = code !== 0 && code !== null && lines.length === 1;
    if (!isClear) failed.push(what);
    say(
      `F25 ${what}: exit code ${code} after ${(ms / 1_000).toFixed(1)} s, ${lines.length} ${lines.length === 1 ? "line" : "LINES"}: ${lines.join(" / ")}`,
    );
  }
  taken.close();
  await Promise.all([folder, foreign].map((one) => rm(one, { recursive: true, force: true })));
  if (failed.length > 0) throw new Error(`F25 failed: ${failed.join(", ")}`);
}
