import { spawn } from "node:child_process";
import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A system call that succeeded; times in milliseconds since 1970. */
export interface Call {
  readonly name: string;
  /** What its first argument names. */
  readonly path: string;
  readonly startMs: number;
  readonly endMs: number;
}

export interface SyscallTrace {
  /** Lets the processes go on without strace. */
  stop(): Promise<void>;
  /** After the stop. */
  calls(): AsyncIterable<Call>;
  remove(): Promise<void>;
}

/**
 * Follows the calls of running processes with all of their threads; `inject` makes some of them fail
 * as strace's option says. Rejects where strace is missing or may not attach.
 */
export async function traceCalls(
  pids: readonly number[],
  { calls, inject }: { readonly calls: string; readonly inject?: string },
): Promise<SyscallTrace> {
  const folder = await mkdtemp(join(tmpdir(), "hadal-strace-"));
  const file = join(folder, "calls");
  const attached = pids.flatMap((pid) => ["-p", String(pid)]);
  const injected = inject === undefined ? [] : ["-e", `inject=${inject}`];
  const options = ["-f", "-y", "-ttt", "-T", "-s", "0", "-e", `trace=${calls}`, ...injected];
  const child = spawn("strace", [...options, "-o", file, ...attached], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  await new Promise<void>((resolve, reject) => {
    let said = "";
    let count = 0;
    child.once("error", reject);
    child.once("exit", () => reject(new Error(said.trim())));
    child.stderr.on("data", (bytes: Buffer) => {
      said += bytes.toString();
      count = said.match(/ attached/g)?.length ?? 0;
      if (count >= pids.length) resolve();
    });
  });
  return {
    stop: async () => {
      child.kill("SIGINT");
      await ended;
    },
    calls: () => readCalls(file),
    remove: () => rm(folder, { recursive: true }),
  };
}

const whole = /^(\d+) +(\d+\.\d+) (\w+)\(\d+<([^>]*)>.*\) = (-?\d+).* <(\d+\.\d+)>$/;
const begun = /^(\d+) +(\d+\.\d+) (\w+)\(\d+<([^>]*)>.*<unfinished \.\.\.>$/;
const resumed = /^(\d+) +\d+\.\d+ <\.\.\. (\w+) resumed>.*= (-?\d+).* <(\d+\.\d+)>$/;

async function* readCalls(file: string): AsyncIterable<Call> {
  /** Of each thread the call that another one interrupted in the list. */
  const open = new Map<string, { readonly path: string; readonly startMs: number }>();
  for await (const line of createInterface(createReadStream(file))) {
    const [, id = "", at = "", name = "", path = "", code = "", took = ""] = whole.exec(line) ?? [];
    if (name !== "") {
      const startMs = Number(at) * 1_000;
      if (Number(code) >= 0) yield { name, path, startMs, endMs: startMs + Number(took) * 1_000 };
      continue;
    }
    const start = begun.exec(line);
    if (start !== null) {
      open.set(start[1]!, { path: start[4]!, startMs: Number(start[2]) * 1_000 });
      continue;
    }
    const [, thread = id, end = "", result = "", tookS = ""] = resumed.exec(line) ?? [];
    const call = open.get(thread);
    if (call === undefined || end === "") continue;
    open.delete(thread);
    if (Number(result) < 0) continue;
    yield { ...call, name: end, endMs: call.startMs + Number(tookS) * 1_000 };
  }
}
