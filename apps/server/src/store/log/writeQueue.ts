import type { RowBatch } from "../../base/row/rowBatch.js";

/** A batch of no more rows is small. */
const smallRowsMax = 1_024;
/** A large one that waits for longer is passed by no more. */
const passedByMsMax = 1_000;

interface Queued<Job> {
  readonly job: Job;
  readonly isSmall: boolean;
  readonly atMs: number;
}

/** Batches that wait for a table's writer: small ones before large ones, which take much longer. */
export class WriteQueue<Job extends { readonly batch: RowBatch }> {
  readonly #waiting: Queued<Job>[] = [];
  readonly #nowMs: () => number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** The next one; it may be another after any pause. */
  get first(): Job | undefined {
    return this.#waiting[0]?.job;
  }

  push(job: Job): void {
    const queued = { job, isSmall: job.batch.rowCount <= smallRowsMax, atMs: this.#nowMs() };
    const mayPass = ({ isSmall, atMs }: Queued<Job>): boolean =>
      !isSmall && atMs > queued.atMs - passedByMsMax;
    const at = queued.isSmall ? this.#waiting.findIndex(mayPass) : -1;
    if (at < 0) this.#waiting.push(queued);
    else this.#waiting.splice(at, 0, queued);
  }

  /** Takes the first one away. */
  shift(): Job | undefined {
    return this.#waiting.shift()?.job;
  }
}
