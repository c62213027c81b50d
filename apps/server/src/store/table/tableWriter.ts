import { setTimeout as delay } from "node:timers/promises";
import { HadalError } from "@hadal/sdk";
import type { RowBatch } from "../../base/row/rowBatch.js";
import { storageProblem } from "../columns/storageProblems.js";
import { type AppendJob, encodeLoggedBatch } from "../log/loggedBatch.js";
import { UnloggedBatches } from "../log/unloggedBatches.js";
import { WriteQueue } from "../log/writeQueue.js";
import type { OpenRows } from "./openRows.js";

/** How often the writer tries to seal rows whose log has failed, while there is no room. */
const sealAgainMs = 50;

export interface Appended {
  readonly rowCount: number;
  /** The batch was stored before; nothing was stored now. */
  readonly duplicate: boolean;
}

interface QueuedJob extends AppendJob {
  /** The batch in the table's types, once there is room for it. */
  ready: RowBatch | null;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: unknown) => void;
}

export interface TableWriterOptions {
  readonly table: string;
  readonly rows: OpenRows;
  readonly warn: (text: string) => void;
  /** Why the table does not take a batch; null: it does. */
  readonly refusal: (batch: RowBatch) => HadalError | null;
  /** Bytes above which the open segment is sealed before it is full. */
  readonly openBytesMax: () => number;
}

/**
 * Takes the batches of a table in turn: log them, sync, make them visible, acknowledge. So a log
 * and the segment of its generation contain the same rows.
 */
export class TableWriter {
  readonly #queue = new WriteQueue<QueuedJob>();
  readonly #unlogged = new UnloggedBatches();
  /** Ids of batches that are queued, or being logged before they are visible. */
  readonly #underWay = new Set<string>();
  #writing: Promise<void> | null = null;
  #isClosed = false;
  #lastAppend: Promise<unknown> = Promise.resolve();
  readonly #table: string;
  readonly #rows: OpenRows;
  readonly #warn: TableWriterOptions["warn"];
  readonly #refusal: TableWriterOptions["refusal"];
  readonly #openBytesMax: TableWriterOptions["openBytesMax"];

  constructor(options: TableWriterOptions) {
    this.#table = options.table;
    this.#rows = options.rows;
    this.#warn = options.warn;
    this.#refusal = options.refusal;
    this.#openBytesMax = options.openBytesMax;
  }

  /**
   * Resolves when the rows are visible, and on the disk unless the job is not durable. Rejects once
   * the table is closed: it may be deleted, or the next process may read its log.
   */
  append(job: AppendJob): Promise<Appended> {
    if (this.#isClosed) return Promise.reject(tableClosed(this.#table));
    const appended = new Promise<Appended>((resolve, reject) => {
      const queued: QueuedJob = { ...job, ready: null, resolve, reject };
      if (job.isDurable !== false || !this.#takeAtOnce(queued)) {
        this.#queue.push(queued);
        this.#underWay.add(job.batchId);
      }
      // A writer without work would end before it is noted here.
      if (this.#hasWork) this.#writing ??= this.#write();
    });
    // A refused or repeated batch is answered before those that are being written.
    const before = this.#lastAppend;
    this.#lastAppend = appended.catch(() => undefined).then(() => before);
    return appended;
  }

  /** Resolves when every batch that was queued before is on the disk, or refused. */
  async settled(): Promise<void> {
    await this.#lastAppend;
    await this.#unlogged.whenLogged();
  }

  /** Takes no more batches; resolves when the queued ones are written. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#writing;
  }

  /**
   * Seals the open rows, unless rows are being written or there is no room: then the caller tries
   * again later.
   */
  sealOpen(): void {
    if (this.#rows.generation === null || this.#writing !== null || this.#isClosed) return;
    if (!this.#rows.isSettled || this.#rows.sealingProblem() !== null) return;
    // Without room it is tried again: at the next round, or for the next batch.
    this.#writing = this.#workAlone(() => this.#rows.trySealing());
  }

  /** Goes on with rows whose units are decided, see {@link OpenRows.settle}. */
  async settleUnits(): Promise<void> {
    if (!this.#rows.hasToSettle || this.#writing !== null || this.#isClosed) return;
    this.#writing = this.#workAlone(() => this.#rows.settle());
    await this.#writing;
  }

  /**
   * Makes a batch visible and acknowledges it before it is logged. False: it has to wait in the
   * queue, because the disk is too slow or a segment has to be sealed first.
   */
  #takeAtOnce(job: QueuedJob): boolean {
    const isFree = !this.#isClosed && !this.#rows.isChanging && this.#unlogged.mayGrow;
    if (!isFree || this.#underWay.has(job.batchId)) return false;
    if (this.#isFullFor(job) || this.#rows.growsMuchFor(job)) return false;
    if (this.#answerWithoutStoring(job)) return true;
    if (!this.#makeReady(job)) return true;
    if (!this.#makeVisible(job)) return true;
    this.#unlogged.add(job);
    job.resolve({ rowCount: job.batch.rowCount, duplicate: false });
    return true;
  }

  get #hasWork(): boolean {
    return !this.#queue.isEmpty || !this.#unlogged.isEmpty;
  }

  #write(): Promise<void> {
    return this.#workAlone(null);
  }

  /** Does something in the writer's place, then writes what was queued meanwhile. */
  async #workAlone(work: (() => Promise<unknown>) | null): Promise<void> {
    try {
      if (work !== null) await work();
      while (this.#hasWork) {
        await this.#writeGroup(await this.#takeGroup());
        // Without a pause where there is nothing to do: the caller may go on at once.
        if (this.#rows.hasToSettle) await this.#rows.settle();
      }
    } finally {
      // In the same turn as the check of the queue: a job that comes in between would wait forever.
      this.#writing = null;
    }
  }

  /** Logs the visible batches that are not logged yet, and then these. */
  async #writeGroup(group: readonly QueuedJob[]): Promise<void> {
    const visible = this.#unlogged.startLogging();
    if (visible.length + group.length === 0) return;
    try {
      await this.#rows.log([...visible, ...group].map(encodeLoggedBatch));
    } catch (error) {
      await this.#abandonLog(error);
      for (const job of group) this.#settle(job).reject(storageProblem(error));
      return;
    }
    this.#unlogged.noteLogged();
    for (const job of group) {
      const settled = this.#settle(job);
      if (this.#makeVisible(job))
        settled.resolve({ rowCount: job.batch.rowCount, duplicate: false });
    }
  }

  /** False: its unit was decided meanwhile, and it is refused. */
  #makeVisible(job: QueuedJob): boolean {
    const isVisible = this.#rows.makeVisible(job, job.ready!);
    if (!isVisible) job.reject(this.#rows.unitProblem(job));
    return isVisible;
  }

  #settle(job: QueuedJob): QueuedJob {
    this.#underWay.delete(job.batchId);
    return job;
  }

  /**
   * The next jobs that fit into the open segment as it is; duplicates and refusals are answered on
   * the way.
   */
  async #takeGroup(): Promise<QueuedJob[]> {
    const group: QueuedJob[] = [];
    const taken = new Set<string>();
    for (let job = this.#queue.first; job !== undefined; job = this.#queue.first) {
      // A repetition of a visible batch is answered once that is on the disk.
      if (taken.has(job.batchId) || this.#unlogged.has(job.batchId)) break;
      if (this.#answerWithoutStoring(job)) {
        this.#queue.shift();
        continue;
      }
      if (this.#isFullFor(job)) {
        // Those that were taken belong into the log of the present segment.
        if (group.length > 0 || !this.#unlogged.isEmpty) break;
        if (this.#rows.rowCount > 0) {
          const refusal = await this.#rows.trySealing();
          // A small batch may have come to the front meanwhile.
          if (refusal !== null && this.#queue.first === job) {
            this.#queue.shift();
            this.#settle(job).reject(refusal);
          }
          continue;
        }
      }
      this.#queue.shift();
      const isReady = this.#rows.growsMuchFor(job)
        ? await this.#makeReadyInTurns(job)
        : this.#makeReady(job);
      if (!isReady) continue;
      group.push(job);
      taken.add(job.batchId);
    }
    return group;
  }

  #isFullFor({ batch }: QueuedJob): boolean {
    return this.#rows.isFullFor(batch, this.#openBytesMax());
  }

  /** False: there is no room for it, and it was refused. */
  #makeReady(job: QueuedJob): boolean {
    try {
      job.ready = this.#rows.reserve(job);
    } catch (error) {
      this.#refuse(job, error);
    }
    return job.ready !== null;
  }

  async #makeReadyInTurns(job: QueuedJob): Promise<boolean> {
    try {
      await this.#rows.reserveInTurns(job, (ready) => {
        job.ready = ready;
      });
    } catch (error) {
      this.#refuse(job, error);
    }
    return job.ready !== null;
  }

  #refuse(job: QueuedJob, error: unknown): void {
    this.#settle(job).reject(error);
    this.#rows.dropIfUnreserved();
  }

  /** Answers a batch that was stored before, or that the table refuses. */
  #answerWithoutStoring(job: QueuedJob): boolean {
    const receipt = this.#rows.findStored(job);
    if (receipt !== undefined) {
      const [, contentHash, rowCount] = receipt;
      const { resolve, reject } = this.#settle(job);
      if (contentHash === job.contentHash) resolve({ rowCount, duplicate: true });
      else reject(new HadalError("idempotency-conflict", { key: job.batchId }));
      return true;
    }
    const refusal = this.#rows.unitProblem(job) ?? this.#refusal(job.batch);
    if (refusal !== null) this.#settle(job).reject(refusal);
    else this.#rows.forgetUnitOf(job.batchId);
    return refusal !== null;
  }

  /**
   * After a failed write or sync, only acknowledged records of the file are valid: the writer goes
   * on in a new log.
   */
  async #abandonLog(error: unknown): Promise<void> {
    this.#warn(`row log of ${this.#table}: ${String(error)}`);
    // Before any pause: what became visible from here on would be in no log, and in no segment.
    this.#unlogged.noteFailure();
    const hasRows = this.#rows.rowCount > 0;
    await this.#rows.leaveFailedLog();
    // No log is written for these rows any more: where the room for sealing is gone, they wait
    // until there is some.
    while (hasRows && (await this.#rows.trySealing()) !== null && !this.#isClosed)
      await delay(sealAgainMs);
    this.#unlogged.forget();
    this.#rows.startNext();
  }
}

function tableClosed(table: string): HadalError {
  const detail = `The leaf is stopping, or deletes ${table}: these rows were not stored.`;
  return new HadalError("unavailable", { detail });
}
