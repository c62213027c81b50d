import { rowBatchBytes } from "../../base/row/rowBatch.js";
import type { AppendJob } from "./loggedBatch.js";

/**
 * A batch may be acknowledged at most this long before it is on the disk; else new batches wait for
 * their sync.
 */
const unloggedMsMax = 1_000;
/**
 * Bytes of such batches: with a slow disk, a fast sender could fill memory that the leaf does not
 * count.
 */
const unloggedBytesMax = 67_108_864;

/**
 * Batches that are visible, and acknowledged, before the log has them: a leaf that is killed loses
 * these, and no others.
 */
export class UnloggedBatches {
  readonly #waiting = new Map<string, AppendJob>();
  /** When the oldest became visible, of those that wait and of those that are being logged. */
  #waitingSinceMs = Number.POSITIVE_INFINITY;
  #loggingSinceMs = Number.POSITIVE_INFINITY;
  #waitingBytes = 0;
  #loggingBytes = 0;
  #isLogSound = true;
  /** End when all that wait, or that are being logged, are on the disk. */
  #waitingEnd: End | null = null;
  #loggingEnd: End | null = null;
  readonly #nowMs: () => number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Whether the disk keeps up, so that another batch may be acknowledged before it is logged. */
  get mayGrow(): boolean {
    const sinceMs = Math.min(this.#waitingSinceMs, this.#loggingSinceMs);
    const isSmall = this.#waitingBytes + this.#loggingBytes < unloggedBytesMax;
    return this.#isLogSound && isSmall && this.#nowMs() - sinceMs < unloggedMsMax;
  }

  has(batchId: string): boolean {
    return this.#waiting.has(batchId);
  }

  /** Resolves when all batches that were added before are on the disk. */
  async whenLogged(): Promise<void> {
    await Promise.all([this.#waitingEnd?.ended, this.#loggingEnd?.ended]);
  }

  add(job: AppendJob): void {
    if (this.isEmpty) this.#waitingSinceMs = this.#nowMs();
    this.#waitingEnd ??= openEnd();
    this.#waiting.set(job.batchId, job);
    this.#waitingBytes += job.bytes?.byteLength ?? rowBatchBytes(job.batch);
  }

  /** Takes the batches to log now, before any batch that is not visible yet. */
  startLogging(): readonly AppendJob[] {
    const jobs = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#loggingSinceMs = this.#waitingSinceMs;
    this.#waitingSinceMs = Number.POSITIVE_INFINITY;
    this.#loggingBytes = this.#waitingBytes;
    this.#waitingBytes = 0;
    this.#loggingEnd = this.#waitingEnd;
    this.#waitingEnd = null;
    return jobs;
  }

  noteLogged(): void {
    this.#endLogging();
    this.#isLogSound = true;
    this.#loggingEnd?.end();
    this.#loggingEnd = null;
  }

  /** From here on batches wait for their sync, until one succeeds. */
  noteFailure(): void {
    this.#endLogging();
    this.#isLogSound = false;
  }

  /** Forgets the batches: they are in a sealed segment. */
  forget(): void {
    this.#waiting.clear();
    this.#waitingBytes = 0;
    this.#waitingSinceMs = Number.POSITIVE_INFINITY;
    for (const end of [this.#waitingEnd, this.#loggingEnd]) end?.end();
    this.#waitingEnd = null;
    this.#loggingEnd = null;
  }

  #endLogging(): void {
    this.#loggingSinceMs = Number.POSITIVE_INFINITY;
    this.#loggingBytes = 0;
  }
}

interface End {
  readonly ended: Promise<void>;
  readonly end: () => void;
}

function openEnd(): End {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { ended, end };
}
