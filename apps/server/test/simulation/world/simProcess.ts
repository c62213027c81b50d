import { EventEmitter } from "node:events";

/** A computer of the simulated world: its wall clock, its disk's folder, and its power. */
export interface Machine {
  readonly name: string;
  /** What others reach it by. */
  readonly host: string;
  /** Files below this path are on its disk. */
  readonly folder: string;
  /** How far its wall clock is ahead of the true time. */
  wallAheadMs: number;
}

/** A process, or a thread of one: what it starts ends with it. */
export class SimProcess {
  isAlive = true;
  /** State of modules that have one for each process, by what makes it. */
  readonly own = new Map<() => unknown, unknown>();
  /** Events of the process itself: `exit`, `disconnect`, `message`. */
  readonly events = new EventEmitter();
  /** Called once when it has ended in any way. */
  readonly onEnd = new Set<() => void>();
  /** Its threads, and the processes that end with it. */
  readonly threads = new Set<SimProcess>();
  env: Record<string, string | undefined> = {};
  /** What the process gives to people: the gateway's parts for its API. */
  exposed: unknown = null;
  /** Scans take this many times as long here. */
  slowness = 1;
  /** How its event loop looks to itself. */
  isBusy = false;
  /** What comes while it is stopped, as by SIGSTOP; null: it runs. */
  stalled: (() => void)[] | null = null;
  /** Until when it was stopped last. */
  #stoppedMs = Number.NEGATIVE_INFINITY;

  constructor(
    readonly name: string,
    readonly pid: number,
    readonly machine: Machine,
  ) {}

  /** It runs no event until it goes on, and its threads neither. */
  stop(): void {
    this.stalled ??= [];
    for (const thread of this.threads) thread.stop();
  }

  goOn(nowMs: number): void {
    if (this.stalled === null) return;
    const { stalled } = this;
    this.stalled = null;
    this.#stoppedMs = nowMs;
    for (const run of stalled) run();
    for (const thread of this.threads) thread.goOn(nowMs);
  }

  wasStoppedSince(ms: number): boolean {
    return this.stalled !== null || this.#stoppedMs >= ms;
  }

  /** Nothing of it runs any more. */
  end(): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    for (const thread of this.threads) thread.end();
    for (const ended of [...this.onEnd]) ended();
    this.onEnd.clear();
  }
}
