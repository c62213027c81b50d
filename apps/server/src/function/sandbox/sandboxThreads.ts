import { Worker } from "node:worker_threads";
import type { FunctionLimits } from "../../base/limit/functionLimits.js";
import { type CpuClock, createCpuClock } from "./cpuClock.js";
import { functionLimit } from "./functionProblem.js";
import { problemOf } from "./programRun.js";
import type { SandboxReply, SandboxRequest } from "./sandboxMessages.js";

/** How often the watchdog looks for calls that hang. */
const watchEveryMs = 50;
/** The watchdog allows this much beyond the limit, within which a function usually stops by itself. */
const graceMs = 50;

/** Start parameters of a thread. */
export interface SandboxThreadData {
  /** Where it writes the counts of its calls, and the id of its thread. */
  readonly shared: SharedArrayBuffer;
  readonly quickJs: WebAssembly.Module;
}

interface SandboxThread {
  readonly worker: Worker;
  readonly ready: Promise<void>;
  /** Counts of calls into its realm that began and that ended, and its thread id. */
  readonly shared: Int32Array;
  ended: boolean;
}

interface Run {
  readonly thread: SandboxThread;
  readonly limits: FunctionLimits;
  /** The clock of its thread; null until first read. */
  cpuMs: CpuClock | null;
  /** The call that ran at the last look, the clock then, and its CPU time since the first look. */
  seenCall: number;
  seenAtMs: number;
  takenMs: number;
}

/** Threads of the sandbox process, each for one run; a spare one is ready for the next. */
export class SandboxThreads {
  readonly #script: URL;
  readonly #quickJs: WebAssembly.Module;
  readonly #send: (reply: SandboxReply) => void;
  readonly #runs = new Map<number, Run>();
  #spare: SandboxThread;
  #watching: NodeJS.Timeout | null = null;

  constructor(script: URL, quickJs: WebAssembly.Module, send: (reply: SandboxReply) => void) {
    this.#script = script;
    this.#quickJs = quickJs;
    this.#send = send;
    this.#spare = this.#start();
  }

  /** Resolves when the first thread is ready. */
  prepare(): Promise<void> {
    return this.#spare.ready;
  }

  take(request: SandboxRequest): void {
    if (request.kind === "open") this.#open(request);
    else if (request.kind === "close") this.#end(request.run);
    else this.#pass(request);
  }

  #open(request: Extract<SandboxRequest, { kind: "open" }>): void {
    const thread = this.#spare;
    this.#spare = this.#start();
    const { run, limits } = request;
    this.#runs.set(run, { thread, limits, cpuMs: null, seenCall: 0, seenAtMs: 0, takenMs: 0 });
    thread.worker.on("message", (reply: SandboxReply) => this.#receive(run, reply));
    thread.worker.on("error", (error) => this.#fail(run, error));
    thread.worker.on("exit", () => this.#fail(run, new Error("its thread ended")));
    if (thread.ended) this.#fail(run, new Error("its thread did not start"));
    this.#pass(request);
    this.#watching ??= setInterval(() => this.#watch(), watchEveryMs).unref();
  }

  #pass(request: SandboxRequest): void {
    const run = this.#runs.get(request.run);
    run?.thread.worker.postMessage(request);
  }

  #receive(id: number, reply: SandboxReply): void {
    if (!this.#runs.has(id) || reply.kind === "ready") return;
    this.#send(reply);
    if (reply.kind === "failed") this.#end(id);
  }

  #fail(id: number, error: unknown): void {
    if (!this.#runs.has(id)) return;
    this.#send({ kind: "failed", run: id, problem: problemOf(error).toProblem() });
    this.#end(id);
  }

  #end(id: number): void {
    const run = this.#runs.get(id);
    this.#runs.delete(id);
    void run?.thread.worker.terminate();
    if (this.#runs.size > 0 || this.#watching === null) return;
    clearInterval(this.#watching);
    this.#watching = null;
  }

  /** Some built-in functions do not check for interrupts: a call that takes too long is ended with its thread. */
  #watch(): void {
    for (const [id, run] of this.#runs) {
      const call = Atomics.load(run.thread.shared, 0);
      if (call % 2 === 0) continue;
      const nowMs = cpuOf(run);
      // If the machine pauses between two looks, the pause counts as CPU time.
      const tookMs = Math.min(nowMs - run.seenAtMs, 2 * watchEveryMs);
      run.takenMs = call === run.seenCall ? run.takenMs + tookMs : 0;
      run.seenCall = call;
      run.seenAtMs = nowMs;
      if (run.takenMs > run.limits.functionCpuMs + graceMs) {
        const what = "took too many milliseconds of processor time for one slice of rows";
        this.#fail(id, functionLimit("functionCpuMs", run.limits, what));
      }
    }
  }

  #start(): SandboxThread {
    const buffer = new SharedArrayBuffer(8);
    const shared = new Int32Array(buffer);
    const worker = new Worker(this.#script, {
      workerData: { shared: buffer, quickJs: this.#quickJs } satisfies SandboxThreadData,
      env: {},
      stdin: false,
      // Its output is discarded.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
    const ready = new Promise<void>((resolve, reject) => {
      worker.once("message", () => resolve());
      worker.once("error", reject);
    });
    // Callers that wait for it get the failure; a spare thread has none.
    ready.catch(() => undefined);
    const thread: SandboxThread = { worker, ready, shared, ended: false };
    worker.once("exit", () => {
      thread.ended = true;
    });
    return thread;
  }
}

/** The clock file is gone when the thread has just ended. */
function cpuOf(run: Run): number {
  run.cpuMs ??= createCpuClock(`/proc/self/task/${run.thread.shared[1]}/schedstat`);
  try {
    return run.cpuMs();
  } catch {
    return run.seenAtMs;
  }
}
