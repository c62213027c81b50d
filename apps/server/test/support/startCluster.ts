import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { HadalClient } from "@hadal/sdk";
import { createClient } from "@hadal/sdk";
import { WebSocket } from "ws";

/** HADAL_TEST_PROGRAM puts another build, e.g. an installed one, to the same tests. */
/** The file that Node runs. */
export const program =
  process.env.HADAL_TEST_PROGRAM ?? fileURLToPath(new URL("../../bin/hadal.js", import.meta.url));
const bundle = join(dirname(program), "../dist/hadal.js");
const readyMsMax = 40_000;
const stopMsMax = 15_000;

/** The real program on a free port, its data in a folder that goes with it. */
export interface Cluster {
  readonly url: string;
  readonly client: HadalClient;
  readonly dataDir: string;
  /** The process that was started: the supervisor of the others. */
  readonly pid: number;
  /** What the processes have written so far. */
  readonly output: RunningHadal["output"];
  /** The gateway process, as the status has it now. */
  gatewayPid(): Promise<number>;
  /** Leaf processes by id, as the status has them now. */
  leafPids(): Promise<ReadonlyMap<string, number>>;
  stop(): Promise<void>;
  /** Instead of `stop`, where the test has killed the program itself. */
  killed(): Promise<void>;
}

export interface ClusterOptions {
  readonly leaves: number;
  /** Kept when given; otherwise a fresh folder that is removed at the end. */
  readonly dataDir?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Left out: a free one. */
  readonly port?: number;
}

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "hadal-test-")));
  const leaves = ["--leaves", String(options.leaves)];
  const port = ["--port", String(options.port ?? 0)];
  const args = ["serve", ...port, "--data-dir", dataDir, "--no-demo", ...leaves];
  const running = spawnHadal(args, options.environment);
  const url = await untilReady(running);
  const client = createClient({ url, webSocket: WebSocket as never });
  return {
    url,
    client,
    dataDir,
    pid: running.child.pid ?? 0,
    output: running.output,
    gatewayPid: async () => {
      const { members } = await client.status();
      return members.find(({ role }) => role === "gateway")?.pid ?? 0;
    },
    leafPids: async () => {
      const { members } = await client.status();
      const leafMembers = members.filter((member) => member.role === "leaf");
      return new Map(leafMembers.map((member) => [member.id, member.pid ?? 0]));
    },
    killed: async () => {
      client.close();
      await running.exited;
    },
    stop: async () => {
      client.close();
      try {
        await stopProcess(running);
      } finally {
        if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
      }
    },
  };
}

/** The program with everything it wrote so far. */
export interface RunningHadal {
  readonly child: ChildProcess;
  readonly output: { out: string; err: string };
  readonly exited: Promise<number | null>;
}

export function spawnHadal(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input?: string,
  command: readonly string[] = [process.execPath, program],
): RunningHadal {
  if (!existsSync(bundle)) throw new Error("not built: run `npm run build` at the root first");
  const [executable = "", ...before] = command;
  const child = spawn(executable, [...before, ...args], {
    // In tests functions need not be isolated, and leaves are asked whatever was answered before.
    env: { HADAL_SANDBOX: "weak", HADAL_CACHE_BYTES: "0", ...process.env, ...environment },
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  // A program may refuse its input before it has read all of it.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(input);
  const output = { out: "", err: "" };
  child.stdout?.on("data", (bytes: Buffer) => {
    output.out += bytes.toString();
  });
  child.stderr?.on("data", (bytes: Buffer) => {
    output.err += bytes.toString();
  });
  const exited = new Promise<number | null>((resolve) => {
    child.once("close", (code) => resolve(code));
  });
  return { child, output, exited };
}

/** The address that a server prints when it is ready. */
export function untilReady({ child, output, exited }: RunningHadal): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      clearTimeout(timer);
      child.kill("SIGKILL");
      reject(new Error(`${reason}\n${output.out}${output.err}`));
    };
    const timer = setTimeout(() => fail(`not ready after ${readyMsMax} ms`), readyMsMax);
    void exited.then((code) => fail(`ended with ${code} before it was ready`));
    child.stdout?.on("data", () => {
      const url = /(?:https?|ws):\/\/[^\s]+/.exec(output.out)?.[0];
      if (url === undefined || !output.out.includes("\n")) return;
      clearTimeout(timer);
      resolve(url);
    });
  });
}

export async function stopProcess({ child, output, exited }: RunningHadal): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) {
    const how = child.signalCode ?? child.exitCode;
    throw new Error(`Hadal ended by itself with ${how}\n${output.out}${output.err}`);
  }
  child.kill("SIGTERM");
  let late: NodeJS.Timeout | undefined;
  const overdue = new Promise<"late">((resolve) => {
    late = setTimeout(() => resolve("late"), stopMsMax);
  });
  const end = await Promise.race([exited, overdue]);
  clearTimeout(late);
  if (end !== "late") return;
  child.kill("SIGKILL");
  throw new Error(`did not stop within ${stopMsMax} ms\n${output.err}`);
}
