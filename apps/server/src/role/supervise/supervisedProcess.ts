import type { ChildProcess } from "node:child_process";
import { CrashBackoff } from "./crashBackoff.js";

/** How long a process may take to write what it holds before it is killed. */
const stopMs = 10_000;

export interface SupervisedSettings {
  /** What lines for people call it. */
  readonly name: string;
  /** Starts its program in a new process, with a channel. */
  readonly start: () => ChildProcess;
  /** What a message says of the start: that it is over, or why it failed; null: nothing. */
  readonly outcomeOf: (message: unknown) => "ready" | Error | null;
  readonly onEnd?: () => void;
  readonly warn: (text: string) => void;
}

/** A process that is started again when it ends by itself, once it has been ready. */
export class SupervisedProcess {
  readonly #settings: SupervisedSettings;
  readonly #backoff = new CrashBackoff();
  #child: ChildProcess | null = null;
  #wasReady = false;
  #isStopping = false;
  #restart: NodeJS.Timeout | undefined;

  constructor(settings: SupervisedSettings) {
    this.#settings = settings;
  }

  /** Resolves when it is ready; rejects when it ends before. */
  start(): Promise<void> {
    const { name, outcomeOf } = this.#settings;
    const child = this.#settings.start();
    this.#child = child;
    let failure: Error | null = null;
    return new Promise((resolve, reject) => {
      const ended = (how: string): void => {
        reject(failure ?? new Error(`${name} ended with ${how} before it was ready`));
        this.#onEnd(failure === null ? how : `${how}: ${failure.message}`);
      };
      child.on("message", (message) => {
        const outcome = outcomeOf(message);
        if (outcome === null) return;
        if (outcome instanceof Error) {
          failure = outcome;
          return;
        }
        this.#wasReady = true;
        resolve();
      });
      child.once("exit", (code, signal) => {
        const how = String(signal ?? code);
        // Its last messages may still be in the channel.
        if (child.connected) child.once("disconnect", () => ended(how));
        else ended(how);
      });
      child.on("error", (error) => {
        if (child.pid === undefined) ended(error.message);
      });
    });
  }

  /** Nothing is sent to a process that has ended. */
  send(message: object): void {
    if (this.#child?.connected) this.#child.send(message, () => undefined);
  }

  /** Resolves when it has ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#restart);
    await stopChild(this.#child);
  }

  #onEnd(how: string): void {
    const { name, onEnd, warn } = this.#settings;
    onEnd?.();
    // A start that failed is reported by `start`.
    if (this.#isStopping || !this.#wasReady) return;
    const { waitMs, crashes } = this.#backoff.next(performance.now());
    const often = crashes === null ? "" : `, ${crashes} times within a minute`;
    const when = crashes === null ? `${waitMs} ms` : `${waitMs / 1_000} s`;
    warn(`${name} ended with ${how}${often}; it is started again in ${when}`);
    this.#restart = setTimeout(() => void this.start().catch(() => undefined), waitMs);
  }
}

/** A process ends, and writes what it holds, when its channel is closed. */
function stopChild(child: ChildProcess | null): Promise<void> {
  return new Promise((resolve) => {
    if (child === null || hasEnded(child)) {
      resolve();
      return;
    }
    const timer = setTimeout(() => child.kill("SIGKILL"), stopMs);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
    if (child.connected) child.disconnect();
    else child.kill("SIGTERM");
  });
}

function hasEnded({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null;
}
