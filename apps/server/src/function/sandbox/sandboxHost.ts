import { type ChildProcess, spawn } from "node:child_process";
import { HadalError, type SandboxState } from "@hadal/sdk";
import type { FunctionLimits, SandboxIsolation } from "../../base/limit/functionLimits.js";
import type { StopSignal } from "../../base/schedule/stopController.js";
import { type SandboxCommand, sandboxCommands } from "./sandboxCommand.js";
import type {
  SandboxAnswer,
  SandboxCall,
  SandboxProgram,
  SandboxReply,
  SandboxRequest,
} from "./sandboxMessages.js";

/** Functions that run at once on one leaf, and so in one query; others wait. Each has a thread and its memory. */
const functionRunsMax = 4;

export interface SandboxSettings {
  /** The program of the process, a built file. */
  readonly script: URL;
  readonly limits: FunctionLimits;
  readonly warn: (text: string) => void;
  /** Whether functions run if the process cannot be isolated completely. */
  readonly isolation: SandboxIsolation;
  /** Ways to start it, the strictest first; by default those of this system. */
  readonly commands?: readonly SandboxCommand[];
}

/** One function in a separate realm, for one query. */
export interface SandboxRun {
  /** Calls are copied before this returns, and answered in order. After a rejection with a HadalError all later calls reject. */
  call<Kind extends SandboxAnswer["kind"]>(
    call: SandboxCall,
    kind: Kind,
  ): Promise<Extract<SandboxAnswer, { readonly kind: Kind }>>;
  close(): void;
}

/** Room for all functions of one query, taken at once: two queries with a part each would deadlock. */
export interface SandboxRoom {
  /** Reads the source into a fresh realm. An abort ends it at once, even during a call. */
  open(program: SandboxProgram): Promise<SandboxRun>;
  /** Ends its runs. */
  close(): void;
}

interface Waiting {
  readonly count: number;
  readonly take: () => void;
}

interface OpenRun {
  readonly settle: ((outcome: SandboxReply | HadalError) => void)[];
  /** Why it ended. */
  fault: HadalError | null;
}

/** A child process for functions, started on first use. It keeps nothing of a query. */
export class SandboxHost {
  readonly #settings: SandboxSettings;
  readonly #runs = new Map<number, OpenRun>();
  readonly #waiting: Waiting[] = [];
  readonly #commands: SandboxCommand[];
  #child: Promise<ChildProcess> | null = null;
  #state: SandboxState = { state: "unused", keeps: [] };
  #running = 0;
  #lastRun = 0;
  #closed = false;

  constructor(settings: SandboxSettings) {
    this.#settings = settings;
    this.#commands = [...(settings.commands ?? sandboxCommands(settings.script))];
  }

  get limits(): FunctionLimits {
    return this.#settings.limits;
  }

  /** How the process is isolated, as far as known. */
  get state(): SandboxState {
    return this.#state;
  }

  /** The process, for tests; null before the first function. */
  async pid(): Promise<number | null> {
    return (await this.#child)?.pid ?? null;
  }

  /** Opens one function that is not part of a larger reservation. */
  async open(program: SandboxProgram, signal: StopSignal): Promise<SandboxRun> {
    const room = await this.room(1, signal);
    try {
      const run = await room.open(program);
      return { call: run.call, close: () => room.close() };
    } catch (error) {
      room.close();
      throw error;
    }
  }

  /** Resolves when there is room for this many functions; refuses more than the limit. */
  async room(count: number, signal: StopSignal): Promise<SandboxRoom> {
    if (count > functionRunsMax) {
      const what = `is one of ${count} that a query runs in the sandbox`;
      const limitName = "functionRunsMax";
      throw new HadalError("function-limit", { what, max: functionRunsMax, limitName });
    }
    await this.#turn(count, signal);
    const runs: SandboxRun[] = [];
    let closed = false;
    return {
      open: async (program) => {
        const run = await this.#open(program, signal);
        runs.push(run);
        return run;
      },
      close: () => {
        if (closed) return;
        closed = true;
        for (const run of runs) run.close();
        this.#running -= count;
        this.#letIn();
      },
    };
  }

  async #open(program: SandboxProgram, signal: StopSignal): Promise<SandboxRun> {
    const id = ++this.#lastRun;
    const run: OpenRun = { settle: [], fault: null };
    const close = (): void => {
      signal.removeEventListener("abort", close);
      this.#end(id, new HadalError("cancelled"));
    };
    signal.addEventListener("abort", close, { once: true });
    this.#runs.set(id, run);
    try {
      if (signal.aborted) throw new HadalError("cancelled");
      const child = await this.#started();
      const ask = (request: SandboxRequest): Promise<SandboxReply> =>
        this.#ask(child, run, request);
      await ask({ kind: "open", run: id, program, limits: this.#settings.limits });
      return {
        async call(call, kind) {
          const reply = await ask({ kind: "call", run: id, call });
          if (reply.kind !== "answer" || reply.answer.kind !== kind) {
            throw new Error(`a sandbox answered ${reply.kind} where ${kind} was asked for`);
          }
          return reply.answer as never;
        },
        close,
      };
    } catch (error) {
      close();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const child = await this.#child?.catch(() => null);
    child?.kill("SIGKILL");
  }

  async #turn(count: number, signal: StopSignal): Promise<void> {
    if (count === 0) return;
    if (this.#waiting.length === 0 && this.#fits(count)) {
      this.#running += count;
      return;
    }
    if (signal.aborted) throw new HadalError("cancelled");
    await new Promise<void>((resolve, reject) => {
      const take = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const waiting: Waiting = { count, take };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(new HadalError("cancelled"));
        // Its removal may let others in the queue run.
        this.#letIn();
      };
      this.#waiting.push(waiting);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  #fits(count: number): boolean {
    return this.#running + count <= functionRunsMax;
  }

  /** In order of arrival, so that none starves behind smaller ones. */
  #letIn(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (!this.#fits(next.count)) return;
      this.#waiting.shift();
      this.#running += next.count;
      next.take();
    }
  }

  #ask(child: ChildProcess, run: OpenRun, request: SandboxRequest): Promise<SandboxReply> {
    return new Promise((resolve, reject) => {
      if (run.fault !== null) {
        reject(run.fault);
        return;
      }
      run.settle.push((outcome) => {
        if (outcome instanceof HadalError) reject(outcome);
        else resolve(outcome);
      });
      child.send(request, (error) => {
        if (error !== null) this.#end(request.run, lostSandbox());
      });
    });
  }

  #receive(reply: SandboxReply): void {
    if (reply.kind === "ready") return;
    const run = this.#runs.get(reply.run);
    if (run === undefined) return;
    if (reply.kind === "failed") this.#end(reply.run, HadalError.fromProblem(reply.problem));
    else run.settle.shift()?.(reply);
  }

  /** Ends the run, here and in the sandbox. */
  #end(id: number, fault: HadalError): void {
    const run = this.#runs.get(id);
    if (run === undefined) return;
    this.#runs.delete(id);
    run.fault = fault;
    for (const settle of run.settle.splice(0)) settle(fault);
    void this.#child?.then(
      (child) => {
        if (child.connected)
          child.send({ kind: "close", run: id } satisfies SandboxRequest, () => {});
      },
      () => undefined,
    );
  }

  #started(): Promise<ChildProcess> {
    if (this.#closed) return Promise.reject(lostSandbox());
    this.#child ??= this.#start().catch((error: unknown) => {
      this.#child = null;
      throw error;
    });
    return this.#child;
  }

  /** Starts it in the strictest way that works here. */
  async #start(): Promise<ChildProcess> {
    for (;;) {
      const command = this.#commands[0];
      if (command === undefined) throw lostSandbox();
      if (command.keeps.length > 0 && this.#settings.isolation === "strict") {
        throw this.#refuse(command.keeps);
      }
      try {
        const child = await this.#spawn(command);
        this.#noteIsolation(command.keeps);
        return child;
      } catch (error) {
        if (this.#commands.length === 1) throw error;
        this.#commands.shift();
      }
    }
  }

  #refuse(keeps: readonly string[]): HadalError {
    const detail = `Functions that need the sandbox do not run here: this machine would leave it ${keeps.join(" and ")}. Whoever runs the server may allow that: --sandbox weak.`;
    if (this.#state.state !== "refused") this.#settings.warn(detail);
    this.#state = { state: "refused", keeps };
    return new HadalError("sandbox-refused", { detail });
  }

  #noteIsolation(keeps: readonly string[]): void {
    if (keeps.length === 0) {
      this.#state = { state: "strict", keeps };
      return;
    }
    if (this.#state.state !== "weak")
      this.#settings.warn(`the sandbox of functions is weak: it keeps ${keeps.join(" and ")}`);
    this.#state = { state: "weak", keeps };
  }

  #spawn({ program, args }: SandboxCommand): Promise<ChildProcess> {
    const child = spawn(program, args, {
      env: { TZ: "UTC" },
      cwd: "/",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      serialization: "advanced",
    });
    return new Promise((resolve, reject) => {
      let state: "starting" | "ready" | "lost" = "starting";
      const lost = (how: string): void => {
        const before = state;
        state = "lost";
        // Another way to start it may work: its runs wait for that.
        if (before === "starting")
          reject(new HadalError("unavailable", { detail: `The sandbox did not start: ${how}.` }));
        if (before !== "ready") return;
        this.#child = null;
        for (const id of [...this.#runs.keys()]) this.#end(id, lostSandbox());
      };
      child.on("message", (reply: SandboxReply) => {
        if (reply.kind !== "ready") return this.#receive(reply);
        state = "ready";
        resolve(child);
      });
      child.once("error", (error) => lost(error.message));
      child.once("exit", (code, signal) => lost(String(signal ?? code)));
    });
  }
}

function lostSandbox(): HadalError {
  return new HadalError("unavailable", { detail: "The sandbox of functions ended; try again." });
}
