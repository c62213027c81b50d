import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import { setImmediate } from "node:timers/promises";
import type { KernelOperations } from "@hadal/kernel-wasm";
import { HadalError } from "@hadal/sdk";
import { inTurns, type Steps } from "../../base/schedule/steps.js";
import type { StopSignal } from "../../base/schedule/stopController.js";
import type { Scratch } from "../memory/scratch.js";
import { PartialResultSchedule } from "../run/partialResultSchedule.js";
import { ScanRun } from "../run/scanRun.js";
import { takeTurn } from "../run/scanTurn.js";
import type { ScanAnswer } from "../task/scanAnswer.js";
import type { ScanTask } from "../task/scanTask.js";
import type { ScanHost } from "./scanHost.js";
import { isShort } from "./shortTask.js";

/** Messages wait at most this long while it scans. */
const turnMsDefault = 2;
/**
 * Groups are flushed and counted in one step at the end: that takes some ten milliseconds for this
 * many, or for fewer with large states.
 */
const groupsMax = { plain: 524_288, heavy: 1_024 };
/**
 * Reading this many takes a fraction of a millisecond; before reading more, cancellations get their
 * turn.
 */
const groupsAtOnceMax = 4_096;
/**
 * When it is busier than this share of its time, mostly with rows to take in, the thread leaves
 * scans to others.
 */
const busyShare = 0.5;
const measureMs = 200;
/** Earlier measurements do not count. */
const windowMs = 2_000;

export interface MainScanOptions {
  readonly memory: WebAssembly.Memory;
  readonly kernel: KernelOperations;
  readonly scratch: Scratch;
  readonly warn: (text: string) => void;
  readonly turnMs?: number;
}

/**
 * Scans on the leaf's own thread, one task at a time, in turns between its messages. That thread is
 * awake when a query comes. Waking another one takes as long as a short scan: its task must be
 * written and read, and of two leaves that wake theirs at once on two cores one may find itself
 * behind the other, while the other core idles for milliseconds (measured in every fourth query).
 */
export class MainScan implements ScanHost {
  #running = 0;
  #rowsScanned = 0;
  /** Milliseconds in which it scanned since the last measurement. */
  #scannedMs = 0;
  #measured = performance.eventLoopUtilization();
  #isBusy = false;
  readonly #timer = setInterval(() => this.#measure(), windowMs).unref();

  readonly #options: MainScanOptions;

  constructor(options: MainScanOptions) {
    this.#options = options;
  }

  get running(): number {
    return this.#running;
  }

  get rowsScanned(): number {
    return this.#rowsScanned;
  }

  /** Whether it is the one to scan this: the task is short, and nothing else keeps the thread. */
  takes(task: ScanTask): boolean {
    return this.#running === 0 && isShort(task, groupsMax) && !this.#measure();
  }

  async run(
    task: ScanTask,
    signal: StopSignal,
    onAnswer: (answer: ScanAnswer) => void,
  ): Promise<ScanAnswer> {
    const { memory, kernel, scratch, turnMs = turnMsDefault } = this.#options;
    this.#running++;
    let run: ScanRun | null = null;
    try {
      const pace = new PartialResultSchedule(performance.now());
      run = new ScanRun({ memory, kernel, scratch }, task);
      for (;;) {
        if (signal.aborted) throw new HadalError("cancelled");
        if (run.done) return await inTurns(this.#timed(run.answerSteps()), signal);
        const startMs = performance.now();
        takeTurn(run, pace, turnMs, onAnswer);
        this.#scannedMs += performance.now() - startMs;
        if (run.done && run.groupsMax <= groupsAtOnceMax) return run.answer();
        await setImmediate();
      }
    } catch (error) {
      throw this.#asProblem(error);
    } finally {
      this.#running--;
      this.#rowsScanned += run?.rowsScanned ?? 0;
    }
  }

  *#timed<Result>(steps: Steps<Result>): Steps<Result> {
    for (;;) {
      const startMs = performance.now();
      const step = steps.next();
      this.#scannedMs += performance.now() - startMs;
      if (step.done === true) return step.value;
      yield;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
  }

  #measure(): boolean {
    const { active, idle } = performance.eventLoopUtilization();
    const allMs = active + idle - this.#measured.active - this.#measured.idle;
    if (allMs < measureMs) return this.#isBusy;
    const otherMs = active - this.#measured.active - this.#scannedMs;
    this.#isBusy = otherMs > busyShare * allMs;
    this.#measured = { active, idle, utilization: 0 };
    this.#scannedMs = 0;
    return this.#isBusy;
  }

  #asProblem(error: unknown): HadalError {
    if (error instanceof HadalError) return error;
    const id = randomUUID();
    this.#options.warn(`problem ${id}: ${error instanceof Error ? error.stack : String(error)}`);
    return new HadalError("internal", { id });
  }
}
