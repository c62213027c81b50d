import { readFile } from "node:fs/promises";
import type { HadalError } from "@hadal/sdk";
import { assert } from "../../base/assert.js";
import type { LogPosition } from "../../base/copy/copySource.js";
import type { RowBatch } from "../../base/row/rowBatch.js";
import { atOnce, inTurns, neverStops, type Steps } from "../../base/schedule/steps.js";
import { rescaleBatch } from "../columns/rescaleBatch.js";
import { isRoomMissing, sealingProblem } from "../columns/storageProblems.js";
import type { TableColumns } from "../columns/tableColumns.js";
import { outgrownColumns, outgrownLists, repetitiveColumns } from "../columns/textOrCodes.js";
import { logPath } from "../file/segmentFiles.js";
import { type AppendJob, decodeLoggedBatch } from "../log/loggedBatch.js";
import { RowLog } from "../log/rowLog.js";
import { readRecords } from "../log/rowRecords.js";
import { OpenSegment } from "../open/openSegment.js";
import { sealSteps } from "../seal/sealSegment.js";
import { type StoredSegment, segmentRowsMax } from "../segment/segmentView.js";
import type { TableContext } from "../segment/tableContext.js";
import { nextStoreTurn } from "../upkeep/nextStoreTurn.js";
import type { TableSegments } from "./tableSegments.js";
import type { TableSummary } from "./tableSummary.js";

/** Above this share of the store, an open segment of many columns is sealed before it is full. */
const openShareMax = 1 / 16;

/** The parts of a table that its open rows change. */
export interface OpenRowsOptions {
  readonly folder: string;
  readonly context: TableContext;
  readonly columns: TableColumns;
  readonly summary: TableSummary;
  readonly sealed: TableSegments;
  readonly firstGeneration: number;
  /** Called when its log has grown, and when it has begun another one. */
  readonly onChange: () => void;
}

/**
 * The rows of a table that are not sealed yet: the open segment, and the row log of the same
 * generation. Sealing turns them into a segment with the number of the log.
 */
export class OpenRows {
  #segment: OpenSegment | null = null;
  #generation: number;
  #log: RowLog | null = null;
  /** Whole logs of sealed rows, by generation, with their bytes; see {@link closedLogs}. */
  readonly #closedLogs = new Map<number, number>();
  /** The open segment is being sealed, or memory is being reserved in turns. */
  #isChanging = false;
  readonly #folder: string;
  readonly #context: TableContext;
  readonly #columns: TableColumns;
  readonly #summary: TableSummary;
  readonly #sealed: TableSegments;
  readonly #onChange: () => void;

  constructor(options: OpenRowsOptions) {
    this.#folder = options.folder;
    this.#context = options.context;
    this.#columns = options.columns;
    this.#summary = options.summary;
    this.#sealed = options.sealed;
    this.#generation = options.firstGeneration;
    this.#onChange = options.onChange;
  }

  get position(): LogPosition {
    return { generation: this.#generation, endBytes: this.#log?.endBytes ?? 0 };
  }

  /** Logs of sealed rows whose segments have no file yet. */
  closedLogs(): readonly LogPosition[] {
    const unwritten = new Set(this.#sealed.unwritten);
    for (const generation of this.#closedLogs.keys())
      if (!unwritten.has(generation)) this.#closedLogs.delete(generation);
    return [...this.#closedLogs].map(([generation, endBytes]) => ({ generation, endBytes }));
  }

  /** Number of the open segment; null while it has no rows. */
  get generation(): number | null {
    return this.rowCount === 0 ? null : this.#generation;
  }

  get rowCount(): number {
    return this.#segment?.rowCount ?? 0;
  }

  get bytes(): number {
    return this.#segment?.bytes ?? 0;
  }

  get isChanging(): boolean {
    return this.#isChanging;
  }

  /** Null while there are no rows. */
  view(): StoredSegment | null {
    return this.#segment === null || this.#segment.rowCount === 0 ? null : this.#segment.view();
  }

  /**
   * Whether codes are reserved for rows that no view shows yet: the dictionaries must keep them.
   */
  get hasReservedCodes(): boolean {
    return this.#isChanging || (this.#segment !== null && this.#segment.rowCount === 0);
  }

  /** Why the rows cannot be sealed now; null: they can. */
  sealingProblem(): HadalError | null {
    return sealingProblem(this.#segment, this.#context.memory);
  }

  /**
   * Whether the rows must be sealed before the batch: it has no room, or stores its columns in
   * another way.
   */
  isFullFor(batch: RowBatch, tableBytesMax: number): boolean {
    const { totalBytes } = this.#context.memory.store;
    const bytesMax = Math.min(totalBytes * openShareMax, tableBytesMax);
    const open = this.#segment;
    // Every column of the segment and the batch takes room for each row of both.
    const isLarge = (): boolean =>
      open?.isLarge(bytesMax) === true || (open?.bytesWith(batch) ?? 0) > bytesMax;
    const rowCount = open?.reservedRows ?? 0;
    if (rowCount + batch.rowCount > segmentRowsMax || (rowCount > 0 && isLarge())) return true;
    return batch.columns.some((column) => this.#columns.changes(column));
  }

  growsMuchFor(batch: RowBatch): boolean {
    const { memory, kernel } = this.#context;
    return (this.#segment ?? new OpenSegment(memory, kernel)).growsMuchFor(batch);
  }

  /**
   * Reserves memory for a batch, and returns it in the table's types: after it is logged it can
   * become visible.
   */
  reserve(batch: RowBatch): RowBatch {
    return atOnce(this.#reserveSteps(batch));
  }

  /** The same in turns; `onDone` is called in the last of them. */
  reserveInTurns(batch: RowBatch, onDone: (ready: RowBatch) => void): Promise<void> {
    return this.#changeInTurns(this.#reserveSteps(batch), onDone);
  }

  *#reserveSteps(batch: RowBatch): Steps<RowBatch> {
    const layoutOf = (column: string) => this.#columns.layoutOf(column);
    this.#segment ??= new OpenSegment(this.#context.memory, this.#context.kernel);
    const ready = rescaleBatch(this.#columns.take(batch), layoutOf);
    yield* this.#segment.reserveSteps(ready, layoutOf);
    return ready;
  }

  makeVisible(job: AppendJob, ready: RowBatch): void {
    assert(this.#segment !== null, "room was reserved in the open segment");
    this.#segment.append(ready);
    this.#summary.append(job);
  }

  /** Appends records to the log and syncs it; the first ones create its file. */
  async log(records: readonly Uint8Array[]): Promise<void> {
    this.#log ??= await RowLog.create(logPath(this.#folder, this.#generation));
    await this.#log.append(records);
    this.#onChange();
  }

  /** The same for records of another leaf's log, as they are there. */
  async logRecords(records: Uint8Array): Promise<void> {
    this.#log ??= await RowLog.create(logPath(this.#folder, this.#generation));
    await this.#log.appendRecords(records);
    this.#onChange();
  }

  /** The records of the log, from the disk. */
  async readLog(): Promise<readonly AppendJob[]> {
    if (this.#log === null) return [];
    return readRecords(await readFile(this.#log.path)).payloads.map(decodeLoggedBatch);
  }

  /** Whether the batch stores its columns in another way than the rows before it. */
  changesColumns(batch: RowBatch): boolean {
    return this.rowCount > 0 && batch.columns.some((column) => this.#columns.changes(column));
  }

  /** Forgets all open rows, which can come again; the log stays. */
  forgetRows(): void {
    this.drop();
    const origin = this.#summary.seal();
    this.#summary.subtract([origin]);
    this.#summary.batches.forget(origin.batches);
  }

  /** Leaves the log to the caller, and goes on at another generation. There must be no rows. */
  moveTo(generation: number): RowLog | null {
    assert(this.rowCount === 0, "rows belong to the generation of their log");
    const log = this.#log;
    this.#log = null;
    this.drop();
    this.#generation = generation;
    return log;
  }

  /**
   * Leaves the log after a failed write: nothing is appended to it any more. Without visible rows
   * its file is deleted.
   */
  async leaveFailedLog(): Promise<void> {
    const log = this.#log;
    this.#log = null;
    const isEmpty = this.rowCount === 0;
    await (isEmpty ? log?.remove() : log?.close())?.catch(() => undefined);
  }

  /** Gives up reserved memory, and begins the next generation. */
  startNext(): void {
    this.drop();
    this.#generation++;
  }

  async closeLog(): Promise<void> {
    await this.#log?.close();
    this.#log = null;
  }

  /** Seals the rows and begins the next generation. Returns why not where there is no room. */
  async trySealing(): Promise<HadalError | null> {
    const refusal = this.sealingProblem();
    if (refusal !== null) return refusal;
    try {
      await this.#seal();
      if (this.#log !== null) this.#closedLogs.set(this.#generation, this.#log.endBytes);
      await this.closeLog();
      this.#generation++;
      this.#onChange();
      return null;
    } catch (error) {
      if (isRoomMissing(error)) return error;
      throw error;
    }
  }

  /** Gives back the memory of the open segment with its rows. */
  drop(): void {
    this.#segment?.retire();
    this.#segment = null;
  }

  /** Gives back a segment that has memory reserved for no row. */
  dropIfUnreserved(): void {
    if (this.#segment?.reservedRows === 0) this.drop();
  }

  /**
   * Makes the rows of a log visible again; the last log is appended to from `endBytes` on. Rejects
   * where there is no room for them: then none of them is visible, and the log is as it was.
   */
  async replay(generation: number, jobs: readonly AppendJob[], endBytes: number): Promise<void> {
    const refusal = this.sealingProblem();
    if (refusal !== null) throw refusal;
    if (this.rowCount > 0) await this.#seal();
    await this.closeLog();
    try {
      this.show(jobs);
    } catch (error) {
      this.#forgetReplayed();
      throw error;
    }
    this.#generation = generation;
    this.#log = await RowLog.open(logPath(this.#folder, generation), endBytes);
  }

  /** Makes logged batches visible. Throws where there is no room: some of them may be visible then. */
  show(jobs: readonly AppendJob[]): void {
    // Batches of one log were stored with the same decimals; the first may have fewer than rows
    // that are gone.
    for (const { batch } of jobs) this.#columns.take(batch);
    for (const job of jobs) {
      // A batch whose sync failed was refused, and may be in the log again.
      if (this.#summary.batches.find(job.batchId)?.[1] === job.contentHash) continue;
      this.makeVisible(job, this.reserve(job.batch));
    }
  }

  /**
   * Ends the replay of logs: rows older than a segment on the disk must not share a log with new
   * ones. Rejects where there is no room to seal them: then only their log has them.
   */
  async finishRecovery(lastGeneration: number): Promise<void> {
    if (this.#log !== null && this.#generation === lastGeneration) return;
    const refusal = await this.trySealing();
    if (refusal !== null) {
      this.#forgetReplayed();
      await this.closeLog();
    }
    this.#generation = lastGeneration + 1;
    if (refusal !== null) throw refusal;
  }

  #forgetReplayed(): void {
    this.drop();
    this.#summary.subtract([this.#summary.seal()]);
  }

  /**
   * Replaces the open segment by a sealed one, in turns: until the last one queries read the open
   * segment, and no batch becomes visible. The file is written in the background. Rejects, and
   * changes nothing, when memory ran out meanwhile.
   */
  async #seal(): Promise<void> {
    const open = this.#segment;
    if (open === null) return;
    const asText = outgrownColumns(open);
    const lists = outgrownLists(open);
    const options = { asText, ownLists: new Set(lists.keys()) };
    const steps = sealSteps(open.view(), this.#generation, this.#context, options);
    await this.#changeInTurns(steps, (segment) => {
      const { memory } = this.#context;
      for (const name of asText) this.#columns.storeAsText(name);
      for (const name of repetitiveColumns(open.view(), memory)) this.#columns.storeAsCodes(name);
      this.#columns.renewLists(lists);
      open.retire();
      this.#segment = null;
      this.#sealed.add(segment, this.#summary.seal());
      if (asText.size > 0) this.#columns.keepDictionariesOf(this.#sealed.list);
    });
  }

  /**
   * No batch becomes visible between these turns: it waits for the writer. `onDone` is called in
   * the last turn.
   */
  async #changeInTurns<Result>(
    steps: Steps<Result>,
    onDone: (result: Result) => void,
  ): Promise<void> {
    this.#isChanging = true;
    try {
      onDone(await inTurns(steps, neverStops, nextStoreTurn));
    } finally {
      this.#isChanging = false;
    }
  }
}
