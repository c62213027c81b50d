import { setTimeout as delay } from "node:timers/promises";
import { HadalError } from "@hadal/sdk";
import { assert } from "../../base/assert.js";
import type { Reduction } from "../../base/row/reduction.js";
import type { RowBatch } from "../../base/row/rowBatch.js";
import { atOnce, inTurns, neverStops, type Steps } from "../../base/schedule/steps.js";
import { rescaleBatch } from "../columns/rescaleBatch.js";
import {
  batchProblem,
  isRoomMissing,
  sealingProblem,
  storageProblem,
} from "../columns/storageProblems.js";
import { TableColumns } from "../columns/tableColumns.js";
import { outgrownColumns, outgrownLists, repetitiveColumns } from "../columns/textOrCodes.js";
import type { RecentBatches } from "../file/recentBatches.js";
import type { LeafExpiry } from "../file/sealedSegments.js";
import type { BatchReceipt, SegmentOrigin } from "../file/segmentCodec.js";
import { logPath } from "../file/segmentFiles.js";
import { type AppendJob, encodeLoggedBatch } from "../log/loggedBatch.js";
import { RowLog } from "../log/rowLog.js";
import { UnloggedBatches } from "../log/unloggedBatches.js";
import { WriteQueue } from "../log/writeQueue.js";
import { OpenSegment } from "../open/openSegment.js";
import { sealSteps } from "../seal/sealSegment.js";
import { ByteBound, type HeldBytes } from "../segment/byteBound.js";
import type { RawSizes } from "../segment/rawSizes.js";
import type { SealedSegment } from "../segment/sealedSegment.js";
import { SegmentTotals } from "../segment/segmentTotals.js";
import { type StoredSegment, segmentRowsMax } from "../segment/segmentView.js";
import type { TableContext } from "../segment/tableContext.js";
import type { RetentionBounds } from "../upkeep/chooseExpired.js";
import { nextStoreTurn } from "../upkeep/nextStoreTurn.js";
import type { TextAging } from "../upkeep/textAging.js";
import type { ThinningBounds } from "../upkeep/thinSegment.js";
import type { LostRows } from "./lostRows.js";
import type { MinuteRows } from "./minuteRows.js";
import { type ReadableRows, readableRows } from "./readableRows.js";
import type { SavedTableFile } from "./tableFile.js";
import { TableSegments } from "./tableSegments.js";
import { TableSummary } from "./tableSummary.js";

/** Without room, rows whose log has failed are sealed so long after. */
const sealAgainMs = 50;

/** An open segment of so many columns that it takes more than this share of the store is sealed before it is full. */
const openShareMax = 1 / 16;

export interface Appended {
  readonly rowCount: number;
  /** The batch was there already; nothing was stored. */
  readonly duplicate: boolean;
}

interface QueuedJob extends AppendJob {
  /** The batch in the table's types, once there is room for it. */
  ready: RowBatch | null;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One table on one leaf: sealed segments, the open one and its row log. One writer takes batches in turn:
 * log them, sync, make them visible, acknowledge; so a log and the segment of its generation hold the same rows.
 */
export class Table {
  readonly columns = new TableColumns();
  /** What segments know without being scanned; follows the snapshot that a query takes. */
  readonly totals = new SegmentTotals();
  readonly #summary = new TableSummary();
  readonly #sealed: TableSegments;
  readonly #queue = new WriteQueue<QueuedJob>();
  readonly #unlogged = new UnloggedBatches();
  /** Ids of batches that are queued, or being logged before they are visible. */
  readonly #underWay = new Set<string>();
  #open: OpenSegment | null = null;
  #generation: number;
  #log: RowLog | null = null;
  #writing: Promise<void> | null = null;
  #isClosed = false;
  #hasUnknownBatches = false;
  /** The open segment is being sealed, or gets room. */
  #isChanging = false;
  readonly #byteBound = new ByteBound();
  #lastAppend: Promise<unknown> = Promise.resolve();
  readonly #context: TableContext;

  constructor(
    readonly name: string,
    readonly folder: string,
    context: TableContext,
    textAging: TextAging,
    file: SavedTableFile,
    firstGeneration: number,
  ) {
    this.#context = context;

    this.#generation = firstGeneration;
    this.#sealed = new TableSegments(folder, file, context, textAging);
  }

  /** Rows per minute of event time. */
  get minutes(): ReadonlyMap<number, number> {
    return this.minuteRows.minutes;
  }

  get minuteRows(): MinuteRows {
    return this.#summary.minuteRows;
  }

  get batches(): RecentBatches {
    return this.#summary.batches;
  }

  /** What the table has lost here, as far as the leaf knows. */
  get lost(): LostRows {
    return this.#sealed.lost;
  }

  /** What the rows would take as 8-byte integers and raw strings. */
  get rawSizes(): RawSizes {
    return this.#summary.rawSizes;
  }

  get rowCount(): number {
    return this.#sealed.rowCount + (this.#open?.rowCount ?? 0);
  }

  /** Of all segments in the leaf's memory, and of the dictionaries beside them. */
  get bytes(): number {
    return this.#takenBytes().reduce((sum, bytes) => sum + bytes);
  }

  /** Estimate of what the table remembers beside its values: batches that may come again, rows per minute. */
  get bookBytes(): number {
    return this.#summary.bytes;
  }

  /** Every segment as it is now. The caller pins those it reads before it lets go of the thread. */
  snapshot(): StoredSegment[] {
    const open = this.#open;
    return open === null || open.rowCount === 0
      ? [...this.#sealed.list]
      : [...this.#sealed.list, open.view()];
  }

  /** The same for a query, see {@link readableRows}. */
  readable(columns: ReadonlySet<string> | null): ReadableRows {
    return readableRows(this.snapshot(), this.#sealed, columns);
  }

  /**
   * Resolves when the rows are visible, and on the disk unless the job is not durable: then they are soon. Rejects once
   * the table is closed: it may be deleted, or its log be read by the next process.
   */
  append(job: AppendJob): Promise<Appended> {
    if (this.#isClosed) return Promise.reject(noLongerOpen(this.name));
    const appended = new Promise<Appended>((resolve, reject) => {
      const queued: QueuedJob = { ...job, ready: null, resolve, reject };
      if (job.isDurable !== false || !this.#takeAtOnce(queued)) {
        this.#queue.push(queued);
        this.#underWay.add(job.batchId);
      }
      // A writer without work would end before it is noted here.
      if (this.#hasWork) this.#writing ??= this.#write();
    });
    // One that is refused, or was there before, is answered ahead of those that are being written.
    const before = this.#lastAppend;
    this.#lastAppend = appended.catch(() => undefined).then(() => before);
    return appended;
  }

  /**
   * Makes a batch visible and acknowledges it, ahead of the log, which gets it next. False: it has to wait for its
   * turn, as the disk does not keep up, or a segment is to be sealed first.
   */
  #takeAtOnce(job: QueuedJob): boolean {
    const isFree = !this.#isClosed && !this.#isChanging && this.#unlogged.mayGrow;
    if (!isFree || this.#underWay.has(job.batchId)) return false;
    if (this.#isFullFor(job.batch) || this.#growsMuchFor(job)) return false;
    if (this.#answerWithoutStoring(job)) return true;
    if (!this.#makeReady(job)) return true;
    this.#makeVisible(job, job.ready!);
    this.#unlogged.add(job);
    job.resolve({ rowCount: job.batch.rowCount, duplicate: false });
    return true;
  }

  /** Resolves when every batch that was queued before is stored or refused. */
  settled(): Promise<unknown> {
    return this.#lastAppend;
  }

  /** Waits for everything queued and for the files of sealed segments. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#writing;
    await this.#sealed.close();
    await this.#log?.close();
    this.#log = null;
  }

  /** Takes in a segment from the disk, in the order of generations. */
  load(segment: SealedSegment, origin: SegmentOrigin): void {
    for (const [name, column] of segment.columns) this.columns.register(name, column);
    const contributions = this.#sealed.load(segment, origin);
    for (const receipt of origin.batches) this.batches.add(receipt);
    this.#summary.add(origin);
    this.#summary.subtract(contributions);
  }

  /** Writes the manifest of a segment that was read without one. */
  addManifest(segment: SealedSegment, origin: SegmentOrigin): Promise<void> {
    return this.#sealed.addManifest(segment, origin);
  }

  /**
   * Of a segment or log whose file stays as it is, unread: nothing is merged across it before the next start. `held`:
   * the batches in it, which come back; null: they are unknown.
   */
  noteUnread(held: readonly BatchReceipt[] | null): void {
    this.#sealed.stopMerging();
    if (held === null) this.#hasUnknownBatches = true;
    // Nobody is to store them anew.
    for (const receipt of held ?? []) this.batches.add(receipt);
  }

  /** Batches that are not found may be in files that were not read. */
  get hasUnknownBatches(): boolean {
    return this.#hasUnknownBatches;
  }

  /** What would go by these bounds; only what is whole on the disk. An open segment that is old as a whole is sealed for the next time. */
  planExpiry(bounds: RetentionBounds): Promise<LeafExpiry> {
    this.#byteBound.set(bounds.maxBytes);
    const open = this.#open;
    if (open !== null && open.rowCount > 0) {
      const isOld = bounds.beforeMs !== null && open.view().maxMs < bounds.beforeMs;
      if (isOld || open.bytes > this.#byteBound.openBytesMax) this.sealOpen();
    }
    const held = (): HeldBytes => this.#byteBound.look(...this.#takenBytes());
    return this.#sealed.planExpiry(held, bounds);
  }

  /** Rows that would go of one segment by a bound on bytes. */
  planCut(maxBytes: number): Promise<LeafExpiry> {
    return this.#sealed.planCut(() => this.#byteBound.held(...this.#takenBytes()), maxBytes);
  }

  #takenBytes(): readonly [sealed: number, open: number, dictionaries: number] {
    return [this.#sealed.bytes, this.#open?.bytes ?? 0, this.columns.dictionaryBytes];
  }

  planThinning(bounds: ThinningBounds): Promise<LeafExpiry> {
    return this.#sealed.planThinning(bounds);
  }

  /** Takes rows out of sealed segments, see {@link TableSegments.reduce}. */
  async reduceSegments(
    generations: readonly number[],
    reduction: Reduction,
    pause: () => Promise<void>,
  ): Promise<void> {
    await this.#sealed.reduce(generations, reduction, pause, ({ contributions, reduced }) => {
      this.#summary.subtract(contributions);
      if (reduced === null) return;
      this.columns.add(reduced.segment.columns);
      this.#summary.add(reduced.origin);
    });
    this.#forgetUnused();
  }

  /** Lets go of sealed segments: at once for queries to come, of their memory once it is no longer read, and of their files. */
  async dropSegments(generations: readonly number[]): Promise<void> {
    const { contributions, removeFiles } = this.#sealed.remove(generations);
    this.#summary.subtract(contributions);
    this.#forgetUnused();
    await removeFiles();
  }

  #forgetUnused(): void {
    // Rows that are being written have their place in the open segment, and its dictionaries, already.
    if (!this.#isChanging && (this.#open === null || this.#open.rowCount > 0))
      this.columns.keepDictionariesOf(this.snapshot());
    this.columns.narrow(this.snapshot());
  }

  /** Number of the open segment; null while it has no rows. */
  get openGeneration(): number | null {
    return this.#open === null || this.#open.rowCount === 0 ? null : this.#generation;
  }

  /** Rows that are not sealed yet. */
  get openRowCount(): number {
    return this.#open?.rowCount ?? 0;
  }

  /** Seals what is open, as it is, unless rows are being written or there is no room: then it is not the time for it. */
  sealOpen(): void {
    if (this.openGeneration === null || this.#writing !== null || this.#isClosed) return;
    if (sealingProblem(this.#open, this.#context.memory) !== null) return;
    this.#writing = this.#sealAlone();
  }

  /** Merges small sealed segments, see {@link TableSegments.merge}. */
  merge(nowMs: number, pause: () => Promise<void>): Promise<boolean> {
    return this.#sealed.merge(nowMs, pause);
  }

  /** Gives all memory back, of a table that takes no more rows. */
  releaseAll(): void {
    this.#sealed.clear();
    this.#dropOpen();
  }

  /** Seals between two groups of batches, as their writer would. */
  async #sealAlone(): Promise<void> {
    try {
      // Without room it is tried again: at the next round, or for the next batch.
      await this.#trySealing();
      while (this.#hasWork) await this.#writeGroup(await this.#takeGroup());
    } finally {
      this.#writing = null;
    }
  }

  get #hasWork(): boolean {
    return !this.#queue.isEmpty || !this.#unlogged.isEmpty;
  }

  /**
   * Makes the rows of a log visible again; the log is appended to from `endBytes` on when it is the last one. Rejects
   * where there is no room for them: then none of them is visible, and the log is as it was.
   */
  async replay(generation: number, jobs: readonly AppendJob[], endBytes: number): Promise<void> {
    const refusal = sealingProblem(this.#open, this.#context.memory);
    if (refusal !== null) throw refusal;
    if (this.#open !== null && this.#open.rowCount > 0) await this.#sealOpen();
    await this.#log?.close();
    this.#log = null;
    // All of one log were stored with the same decimals, more than the first of them have where it remembered rows that are gone.
    for (const { batch } of jobs) this.columns.take(batch);
    try {
      for (const job of jobs) {
        // Refused, because its sync failed, and then stored anew: once is enough.
        if (this.batches.find(job.batchId)?.[1] === job.contentHash) continue;
        this.#makeVisible(job, atOnce(this.#reserve(job.batch)));
      }
    } catch (error) {
      this.#forgetReplayed();
      throw error;
    }
    this.#generation = generation;
    this.#log = await RowLog.open(logPath(this.folder, generation), endBytes);
  }

  /**
   * After the last log: rows older than a segment that is already on the disk must not share a log with new ones.
   * Rejects where there is no room to seal them: then they are in their log only.
   */
  async finishRecovery(lastGeneration: number): Promise<void> {
    if (this.#log !== null && this.#generation === lastGeneration) return;
    const refusal = await this.#trySealing();
    if (refusal !== null) {
      this.#forgetReplayed();
      await this.#log?.close();
      this.#log = null;
    }
    this.#generation = lastGeneration + 1;
    if (refusal !== null) throw refusal;
  }

  #forgetReplayed(): void {
    this.#dropOpen();
    this.#summary.subtract([this.#summary.seal()]);
  }

  async #write(): Promise<void> {
    try {
      while (this.#hasWork) await this.#writeGroup(await this.#takeGroup());
    } finally {
      // In the same turn as the look at the queue: a job that comes in between would wait for ever.
      this.#writing = null;
    }
  }

  /** Logs what is visible already, and then these. */
  async #writeGroup(group: readonly QueuedJob[]): Promise<void> {
    const visible = this.#unlogged.startLogging();
    if (visible.length + group.length === 0) return;
    try {
      this.#log ??= await RowLog.create(logPath(this.folder, this.#generation));
      await this.#log.append([...visible, ...group].map(encodeLoggedBatch));
    } catch (error) {
      await this.#abandonLog(error);
      for (const job of group) this.#settle(job).reject(storageProblem(error));
      return;
    }
    this.#unlogged.noteLogged();
    for (const job of group) {
      this.#makeVisible(job, job.ready!);
      this.#settle(job).resolve({ rowCount: job.batch.rowCount, duplicate: false });
    }
  }

  #settle(job: QueuedJob): QueuedJob {
    this.#underWay.delete(job.batchId);
    return job;
  }

  /** The next jobs that fit into the open segment as it is stored now; duplicates and refusals are answered on the way. */
  async #takeGroup(): Promise<QueuedJob[]> {
    const group: QueuedJob[] = [];
    const taken = new Set<string>();
    for (let job = this.#queue.first; job !== undefined; job = this.#queue.first) {
      // A repetition of what is visible is answered once it is on the disk.
      if (taken.has(job.batchId) || this.#unlogged.has(job.batchId)) break;
      if (this.#answerWithoutStoring(job)) {
        this.#queue.shift();
        continue;
      }
      if (this.#isFullFor(job.batch)) {
        // Their log is that of the segment as it is.
        if (group.length > 0 || !this.#unlogged.isEmpty) break;
        if (this.openRowCount > 0) {
          const refusal = await this.#trySealing();
          // A small batch may have come to the front meanwhile.
          if (refusal !== null && this.#queue.first === job) {
            this.#queue.shift();
            this.#settle(job).reject(refusal);
          }
          continue;
        }
      }
      this.#queue.shift();
      const isReady = this.#growsMuchFor(job)
        ? await this.#makeReadyInTurns(job)
        : this.#makeReady(job);
      if (!isReady) continue;
      group.push(job);
      taken.add(job.batchId);
    }
    return group;
  }

  /** Whether what is open is to be sealed before the batch: it has no room for it, or stores its columns in another way. */
  #isFullFor(batch: RowBatch): boolean {
    const { totalBytes } = this.#context.memory.store;
    const bytesMax = Math.min(totalBytes * openShareMax, this.#byteBound.openBytesMax);
    const open = this.#open;
    // Of its rows every column of either would have room for each.
    const isLarge = (): boolean =>
      open?.isLarge(bytesMax) === true || (open?.bytesWith(batch) ?? 0) > bytesMax;
    const rowCount = open?.reservedRows ?? 0;
    if (rowCount + batch.rowCount > segmentRowsMax || (rowCount > 0 && isLarge())) return true;
    return batch.columns.some((column) => this.columns.changes(column));
  }

  #growsMuchFor({ batch }: QueuedJob): boolean {
    const { memory, kernel } = this.#context;
    return (this.#open ?? new OpenSegment(memory, kernel)).growsMuchFor(batch);
  }

  /** False: there is no room for it, and it was refused. */
  #makeReady(job: QueuedJob): boolean {
    try {
      job.ready = atOnce(this.#reserve(job.batch));
    } catch (error) {
      this.#refuse(job, error);
    }
    return job.ready !== null;
  }

  async #makeReadyInTurns(job: QueuedJob): Promise<boolean> {
    try {
      await this.#alone(this.#reserve(job.batch), (ready) => {
        job.ready = ready;
      });
    } catch (error) {
      this.#refuse(job, error);
    }
    return job.ready !== null;
  }

  #refuse(job: QueuedJob, error: unknown): void {
    this.#settle(job).reject(error);
    if (this.#open?.reservedRows === 0) this.#dropOpen();
  }

  /** Makes room for the batch in the open segment before it is logged: what is on the disk must become visible. */
  *#reserve(batch: RowBatch): Steps<RowBatch> {
    const layoutOf = (column: string) => this.columns.layoutOf(column);
    this.#open ??= new OpenSegment(this.#context.memory, this.#context.kernel);
    const ready = rescaleBatch(this.columns.take(batch), layoutOf);
    yield* this.#open.reserveSteps(ready, layoutOf);
    return ready;
  }

  #answerWithoutStoring(job: QueuedJob): boolean {
    const receipt = this.batches.find(job.batchId);
    if (receipt !== undefined) {
      const [, contentHash, rowCount] = receipt;
      const { resolve, reject } = this.#settle(job);
      if (contentHash === job.contentHash) resolve({ rowCount, duplicate: true });
      else reject(new HadalError("idempotency-conflict", { key: job.batchId }));
      return true;
    }
    const refusal = this.refusal(job.batch);
    if (refusal !== null) this.#settle(job).reject(refusal);
    return refusal !== null;
  }

  /** Why the table does not take the batch; null: it does. */
  refusal(batch: RowBatch): HadalError | null {
    return batchProblem(batch, this.columns, this.#context.memory, this.minutes.size);
  }

  #makeVisible(job: AppendJob, ready: RowBatch): void {
    assert(this.#open !== null, "room was reserved in the open segment");
    this.#open.append(ready);
    this.#summary.append(job);
  }

  /** Why it is not sealed now; null: it is. */
  async #trySealing(): Promise<HadalError | null> {
    const refusal = sealingProblem(this.#open, this.#context.memory);
    if (refusal !== null) return refusal;
    try {
      await this.#sealAndRotate();
      return null;
    } catch (error) {
      if (isRoomMissing(error)) return error;
      throw error;
    }
  }

  async #sealAndRotate(): Promise<void> {
    await this.#sealOpen();
    await this.#log?.close();
    this.#log = null;
    this.#generation++;
  }

  /** Gives back what was reserved for rows that are not to come. */
  #dropOpen(): void {
    this.#open?.retire();
    this.#open = null;
  }

  /**
   * Replaces the open segment by its sealed twin, which takes turns to be made: until then queries read the open one, and no
   * batch comes. The file follows in the background, and then the log goes. Rejects, and all is as it was, when others took the
   * room meanwhile.
   */
  async #sealOpen(): Promise<void> {
    const open = this.#open;
    if (open === null) return;
    const { memory, kernel } = this.#context;
    const outgrown = outgrownColumns(open);
    const lists = outgrownLists(open);
    const columns = [outgrown, new Set(lists.keys())] as const;
    const steps = sealSteps(open.view(), this.#generation, memory, kernel, ...columns);
    await this.#alone(steps, (segment) => {
      for (const name of outgrown) this.columns.storeAsText(name);
      for (const name of repetitiveColumns(open.view(), memory)) this.columns.storeAsCodes(name);
      this.columns.renewLists(lists);
      open.retire();
      this.#open = null;
      this.#sealed.add(segment, this.#summary.seal());
      if (outgrown.size > 0) this.columns.keepDictionariesOf(this.snapshot());
    });
  }

  /** Changes the open segment in turns, in which no batch becomes visible: what comes waits for the writer. `onDone` is called in the last of them. */
  async #alone<Result>(steps: Steps<Result>, onDone: (result: Result) => void): Promise<void> {
    this.#isChanging = true;
    try {
      onDone(await inTurns(steps, neverStops, nextStoreTurn));
    } finally {
      this.#isChanging = false;
    }
  }

  /** After a failed write or sync nothing in the file is to be trusted beyond what was acknowledged: go on in a new one. */
  async #abandonLog(error: unknown): Promise<void> {
    this.#context.warn(`row log of ${this.name}: ${String(error)}`);
    // Before any pause: what became visible from here on would be in no log, and in no segment.
    this.#unlogged.noteFailure();
    const log = this.#log;
    this.#log = null;
    const isEmpty = this.openRowCount === 0;
    // The log of rows that are sealed goes when they are on the disk.
    await (isEmpty ? log?.remove() : log?.close())?.catch(() => undefined);
    // Others may have taken the room that was kept for it: rows of which no log is written to wait until there is some.
    while (!isEmpty && (await this.#trySealing()) !== null && !this.#isClosed)
      await delay(sealAgainMs);
    this.#unlogged.forget();
    this.#dropOpen();
    this.#generation++;
  }
}

function noLongerOpen(table: string): HadalError {
  const detail = `The leaf is stopping, or deletes ${table}: these rows were not stored.`;
  return new HadalError("unavailable", { detail });
}
