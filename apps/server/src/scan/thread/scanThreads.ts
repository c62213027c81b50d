import { StopController, type StopSignal } from "../../base/schedule/stopController.js";
import type { Extents } from "../../memory/extents.js";
import { allocateScratch } from "../memory/scratch.js";
import type { ScanAnswer } from "../task/scanAnswer.js";
import type { ScanTask } from "../task/scanTask.js";
import { chooseHosts } from "./chooseHosts.js";
import type { MainScan } from "./mainScan.js";
import type { ScanHost } from "./scanHost.js";
import type { ScanThreadStart } from "./scanMessages.js";
import { ScanThread } from "./scanThreadHost.js";

/** The quick thread is started if the queries' memory is at least this many times its scratch. */
const quickRoomMin = 16;

export interface ScanThreadsOptions {
  readonly script: URL;
  readonly count: number;
  readonly start: Omit<ScanThreadStart, "scratch">;
  /** Each thread's scratch is taken from here. */
  readonly pool: Extents;
  readonly main: MainScan;
  readonly warn: (text: string) => void;
}

/**
 * The scan threads of a leaf, and a quick thread for short tasks while they are busy. A query runs
 * in lanes that share its segments, one on each thread; the leaf's main thread runs one lane of a
 * short query.
 */
export class ScanThreads {
  #running = 0;

  readonly #threads: readonly ScanThread[];
  readonly #main: MainScan;
  readonly #quick: ScanThread | null;

  private constructor(threads: readonly ScanThread[], main: MainScan, quick: ScanThread | null) {
    this.#threads = threads;
    this.#main = main;
    this.#quick = quick;
  }

  static async start({
    script,
    count,
    start,
    pool,
    main,
    warn,
  }: ScanThreadsOptions): Promise<ScanThreads> {
    const freeBytes = pool.freeBytes;
    const open = (): Promise<ScanThread> =>
      ScanThread.start(script, { ...start, scratch: allocateScratch(pool) }, warn);
    const threads = Array.from({ length: count }, open);
    const scratchBytes = (freeBytes - pool.freeBytes) / count;
    // Its scratch is taken from the queries' memory.
    const quick = pool.freeBytes > scratchBytes * quickRoomMin ? open() : null;
    return new ScanThreads(await Promise.all(threads), main, await quick);
  }

  get count(): number {
    return this.#threads.length;
  }

  /** Queries that run now. */
  get running(): number {
    return this.#running;
  }

  /** Rows of all tasks so far, cancelled ones included. */
  get rowsScanned(): number {
    return this.#all.reduce((sum, one) => sum + one.rowsScanned, 0);
  }

  /**
   * Runs the lanes of one query. `onAnswers` gets the lanes' latest partial answers. The promise
   * settles when every lane has ended, and uses no memory of the query any more.
   */
  async run(
    lanes: readonly ScanTask[],
    signal: StopSignal,
    onAnswers: (answers: readonly ScanAnswer[]) => void,
  ): Promise<readonly ScanAnswer[]> {
    this.#running++;
    const latest = new Map<number, ScanAnswer>();
    const controller = new StopController();
    let failure: unknown = null;
    const stop = (): void => controller.abort();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    try {
      const all = { threads: this.#threads, main: this.#main, quick: this.#quick };
      const hosts = chooseHosts(all, lanes);
      const settled = await Promise.allSettled(
        lanes.map(async (task, lane) => {
          try {
            const answer = await hosts[lane]!.run(task, controller.signal, (partial) => {
              latest.set(lane, partial);
              if (controller.signal.aborted) return;
              try {
                onAnswers([...latest.values()]);
              } catch (error) {
                // Thrown in a message handler, it would end the leaf: it ends this query instead.
                failure ??= error;
                stop();
              }
            });
            latest.set(lane, answer);
            return answer;
          } catch (error) {
            // Without this lane the others' work is of no use.
            failure ??= error;
            stop();
            throw error;
          }
        }),
      );
      if (failure !== null) throw failure;
      return settled.map((outcome) => {
        if (outcome.status === "rejected") throw outcome.reason;
        return outcome.value;
      });
    } finally {
      this.#running--;
      signal.removeEventListener("abort", stop);
    }
  }

  get #all(): readonly ScanHost[] {
    return [...this.#threads, this.#main, ...(this.#quick === null ? [] : [this.#quick])];
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((host) => host.close()));
  }
}
