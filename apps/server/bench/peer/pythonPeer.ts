import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { LoadedForm, Peer, PeerName, TableFile } from "./peer.js";

const moduleOf = { clickhouse: "chdb", polars: "polars" } as const;
type PythonName = keyof typeof moduleOf;

/** As seen from the bundle in `dist`. */
const program = fileURLToPath(new URL("../bench/peer/peerServer.py", import.meta.url));

export function isInPython(name: PeerName): name is PythonName {
  return name in moduleOf;
}

/** Whether `python3` has the module of this peer. */
export function hasPythonPeer(name: PythonName): boolean {
  return spawnSync("python3", ["-c", `import ${moduleOf[name]}`], { stdio: "ignore" }).status === 0;
}

interface Waiting {
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

interface Reply {
  readonly version?: string;
  readonly ms?: number;
  readonly rows?: readonly (readonly unknown[])[];
  readonly error?: string;
}

/** An engine of Python in a process of its own: a request a line on its input, a reply a line on its output. */
export class PythonPeer implements Peer {
  readonly #child: ChildProcess;
  version = "";
  readonly #waiting: Waiting[] = [];
  #ended: Error | null = null;

  private constructor(
    readonly name: PythonName,
    child: ChildProcess,
  ) {
    this.#child = child;
    const { stdout } = child;
    if (stdout === null) throw new Error("the child's output is a pipe");
    createInterface({ input: stdout }).on("line", (line) => this.#take(line));
    child.on("error", (error) => this.#end(error));
    child.on("exit", (code) => this.#end(new Error(`${name} ended with ${code}`)));
  }

  static async open(name: PythonName, threads: number): Promise<PythonPeer> {
    const child = spawn("python3", [program, name, String(threads)], {
      stdio: ["pipe", "pipe", "inherit"],
      // Polars reads its number of threads once, when it is imported.
      env: { ...process.env, POLARS_MAX_THREADS: String(threads) },
    });
    const peer = new PythonPeer(name, child);
    peer.version = (await peer.#ask({ kind: "version" })).version ?? "";
    return peer;
  }

  async load({ table, path }: TableFile, { compressed }: LoadedForm): Promise<void> {
    const { name, lists } = table;
    await this.#ask({ kind: "load", table: name, path, lists, compressed });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Loads a file of lines of JSON into the table `loaded`, on the disk; milliseconds. */
  async loadLines(path: string, columns: string): Promise<number> {
    return (await this.#ask({ kind: "loadLines", path, columns })).ms ?? Number.NaN;
  }

  async time(text: string): Promise<number> {
    return (await this.#ask({ kind: "time", text })).ms ?? Number.NaN;
  }

  async rows(text: string): Promise<readonly (readonly unknown[])[]> {
    return (await this.#ask({ kind: "rows", text })).rows ?? [];
  }

  async close(): Promise<void> {
    if (this.#ended !== null) return;
    const exited = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.stdin?.end();
    await exited;
  }

  #ask(request: unknown): Promise<Reply> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    this.#child.stdin?.write(`${JSON.stringify(request)}\n`);
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  #take(line: string): void {
    const reply = JSON.parse(line) as Reply;
    const waiting = this.#waiting.shift();
    if (reply.error === undefined) waiting?.resolve(reply);
    else waiting?.reject(new Error(`${this.name}: ${reply.error}`));
  }

  #end(error: Error): void {
    this.#ended = error;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
