import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type HadalClient } from "@hadal/sdk";
import { WebSocket } from "ws";

const program = join(import.meta.dirname, "../bin/hadal.js");

/** The program in processes of its own, as people start it. */
export interface OwnServer {
  readonly url: string;
  readonly port: number;
  readonly client: HadalClient;
  readonly child: ChildProcess;
  /** The gateway's and the leaves' processes by their ids, as they are now. */
  pids(): Promise<ReadonlyMap<string, number>>;
  stop(): Promise<void>;
}

export interface OwnServerOptions {
  /** Kept when given; otherwise a fresh folder that goes at the end. */
  readonly dataDir?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
}

/** Starts the program with two leaves and no demo on a free port. */
export async function startOwnServer({
  dataDir: given,
  environment = {},
  args = [],
}: OwnServerOptions = {}): Promise<OwnServer> {
  const dataDir = given ?? (await mkdtemp(join(tmpdir(), "hadal-bench-")));
  const child = spawn(
    process.execPath,
    [
      ...[program, "serve", "--port", "0", "--data-dir", dataDir, "--no-demo", "--leaves", "2"],
      ...args,
    ],
    {
      env: { HADAL_SANDBOX: "weak", HADAL_CACHE_BYTES: "0", ...process.env, ...environment },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const url = await urlOf(child);
  const client = createClient({ url, webSocket: WebSocket as never });
  return {
    ...{ url, client, child },
    port: Number(new URL(url).port),
    pids: async () =>
      new Map((await client.status()).members.map(({ id, pid }) => [id, pid ?? 0] as const)),
    stop: async () => {
      client.close();
      if (child.exitCode === null && child.signalCode === null) {
        child.kill();
        await new Promise((resolve) => child.once("exit", resolve));
      }
      if (given === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The first address that it prints, once the line is whole. */
function urlOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    child.stdout?.on("data", (bytes: Buffer) => {
      output += bytes.toString();
      const found = /https?:\/\/[^\s]+(?=\s)/.exec(output)?.[0];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
}
