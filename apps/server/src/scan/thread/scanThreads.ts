import { StopController, type StopSignal } from "../../base/schedule/stopController.js";
import type { Extents } from "../../memory/extents.js";
import { allocateScratch } from "../memory/scratch.js";
import type { ScanAnswer, ScanTask } from "../task/scanTask.js";
import { chooseHosts } from "./chooseHosts.js";
import type { MainScan } from "./mainScan.js";
import type { ScanHost } from "./scanHost.js";
import type { ScanThreadStart } from "./scanMessages.js";
import { ScanThread } from "./scanThreadHost.js";

/** The quick thread's scratch is no more than this part of the room that queries have. */
const quickRoomMin = 16;

/** The scan threads of a leaf, over one memory, and one more for short tasks while they are busy. A query runs in lanes, one to a thread, that share its segments; of a short one the leaf's own thread runs one. */
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

  /** `pool`: where each thread's scratch is taken from. */
  static async start(
    script: URL,
    count: number,
    start: Omit<ScanThreadStart, "scratch">,
    pool: Extents,
    main: MainScan,
    warn: (text: string) => void,
  ): Promise<ScanThreads> {
    const freeBytes = pool.freeBytes;
    const open = (): Promise<ScanThread> =>
      ScanThread.start(script, { ...start, scratch: allocateScratch(pool) }, warn);
    const threads = Array.from({ length: count }, open);
    const scratchBytes = (freeBytes - pool.freeBytes) / count;
    // What it takes is missing to queries.
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
   * Runs the lanes of one query. `onAnswers` gets the latest of the lanes that have one, now and then; the promise
   * the whole of each. It settles when every lane has let go of its memory.
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
                // On a message of the thread, where it would end the leaf: it ends this query.
                failure ??= error;
                stop();
              }
            });
            latest.set(lane, answer);
            return answer;
          } catch (error) {
            // What one lane cannot do the others need not go on with.
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
