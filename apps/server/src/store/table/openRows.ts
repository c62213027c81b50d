import { readFile, unlink } from "node:fs/promises";
import type { HadalError } from "@hadal/sdk";
import { assert } from "../../base/assert.js";
import type { LogPosition } from "../../base/copy/copySource.js";
import type { RowBatch } from "../../base/row/rowBatch.js";
import type { UnitSnapshot, UnitStamp } from "../../base/row/unitSnapshot.js";
import { atOnce, type Steps } from "../../base/schedule/steps.js";
import { rescaleBatch } from "../columns/rescaleBatch.js";
import { isRoomMissing, sealingProblem } from "../columns/storageProblems.js";
import type { TableColumns } from "../columns/tableColumns.js";
import { logPath } from "../file/segmentFiles.js";
import type { BatchReceipt } from "../file/segmentHead.js";
import { type AppendJob, decodeLoggedBatch } from "../log/loggedBatch.js";
import { RowLog } from "../log/rowLog.js";
import { readRecords } from "../log/rowRecords.js";
import { OpenSegment } from "../open/openSegment.js";
import { segmentRowsMax } from "../segment/segmentView.js";
import type { TableContext } from "../segment/tableContext.js";
import { GenerationSealer } from "./generationSealer.js";
import { OpenFacts } from "./openFacts.js";
import { keyOf, type OpenGeneration } from "./openGeneration.js";
import { logOf, OpenGenerations } from "./openGenerations.js";
import type { OpenUnits, SeenUnits } from "./openUnits.js";
import type { TableSegments } from "./tableSegments.js";
import type { TableSummary } from "./tableSummary.js";
import { UnwrittenLogs } from "./unwrittenLogs.js";

/** Above this share of the store, an open segment of many columns is sealed before it is full. */
const openShareMax = 1 / 16;

/** The parts of a table that its open rows change. */
export interface OpenRowsOptions {
  readonly folder: string;
  readonly context: TableContext;
  readonly columns: TableColumns;
  readonly summary: TableSummary;
  readonly sealed: TableSegments;
  readonly units: OpenUnits;
  readonly firstGeneration: number;
  /** Called when its log has grown, and when it has begun another one. */
  readonly onChange: () => void;
}

/**
 * The rows of a table that are not sealed yet: the open segment, and the row log of the same
 * generation. Sealing turns them into a segment with the number of the log. A full generation with
 * rows of undecided units waits beside the next one.
 */
export class OpenRows {
  readonly generations: OpenGenerations;
  readonly #unwritten: UnwrittenLogs;
  readonly #folder: string;
  readonly #context: TableContext;
  readonly #columns: TableColumns;
  readonly #summary: TableSummary;
  readonly #sealed: TableSegments;
  readonly #units: OpenUnits;
  readonly #sealer: GenerationSealer;
  readonly #onChange: () => void;

  constructor(options: OpenRowsOptions) {
    this.#folder = options.folder;
    this.#context = options.context;
    this.#columns = options.columns;
    this.#summary = options.summary;
    this.#sealed = options.sealed;
    this.#unwritten = new UnwrittenLogs(options.sealed);
    this.#units = options.units;
    this.generations = new OpenGenerations(options.firstGeneration);
    const onSealed = (generation: OpenGeneration): void => this.#noteSealed(generation);
    this.#sealer = new GenerationSealer({ ...options, onSealed });
    this.#onChange = options.onChange;
  }

  get position(): LogPosition {
    const { number, log } = this.#current;
    return { generation: number, endBytes: log?.endBytes ?? 0 };
  }

  /** Logs of sealed rows whose segments have no file yet. */
  closedLogs(): readonly LogPosition[] {
    return this.#unwritten.list();
  }

  /** Number of the open segment; null while it has no rows. */
  get generation(): number | null {
    return this.rowCount === 0 ? null : this.#current.number;
  }

  /** Rows of the present generation, those of undecided units included. */
  get rowCount(): number {
    return this.#current.rowCount;
  }

  get isChanging(): boolean {
    return this.#sealer.isChanging;
  }

  /** What a query sees beside them; null: its snapshot is too old. */
  unitsSeenBy(snapshot: UnitSnapshot): SeenUnits | null {
    return this.#units.seenBy(snapshot, this.generations.all);
  }

  /** Of which gateways there are, or were, rows of units. */
  get unitGateways(): ReadonlySet<string> {
    return this.#units.gatewaysOf(this.generations.all);
  }

  /**
   * Whether codes are reserved for rows that no view shows yet: the dictionaries must keep them.
   */
  get hasReservedCodes(): boolean {
    return this.isChanging || this.#current.segments.some(({ rowCount }) => rowCount === 0);
  }

  /** Why the rows cannot be sealed now; null: they can, or they wait for units. */
  sealingProblem(): HadalError | null {
    if (!this.isSettled) return null;
    return sealingProblem(this.#current, this.#context.memory);
  }

  /** Whether no row of the present generation waits for its unit. */
  get isSettled(): boolean {
    return this.#current.isSettled(this.#units.settledBefore);
  }

  /**
   * Whether the rows must be sealed before the batch: it has no room, or stores its columns in
   * another way.
   */
  isFullFor(batch: RowBatch, tableBytesMax: number): boolean {
    const { totalBytes } = this.#context.memory.store;
    const bytesMax = Math.min(totalBytes * openShareMax, tableBytesMax);
    const { segments, reservedRows, bytes } = this.#current;
    const [first] = segments;
    // Every column of the segment and the batch takes room for each row of both.
    const isLarge = (): boolean =>
      segments.some((one) => one.isLarge(bytesMax)) ||
      bytes > bytesMax ||
      (first?.bytesWith(batch) ?? 0) > bytesMax;
    if (reservedRows + batch.rowCount > segmentRowsMax || (reservedRows > 0 && isLarge()))
      return true;
    return batch.columns.some((column) => this.#columns.changes(column));
  }

  growsMuchFor({ batch, unit }: Pick<AppendJob, "batch" | "unit">): boolean {
    const { memory, kernel } = this.#context;
    const { segment } = unit === undefined ? this.#current : (this.#current.unitOf(unit) ?? none);
    return (segment ?? new OpenSegment(memory, kernel)).growsMuchFor(batch);
  }

  /**
   * Reserves memory for a batch, and returns it in the table's types: after it is logged it can
   * become visible.
   */
  reserve(job: Pick<AppendJob, "batch" | "unit">): RowBatch {
    return atOnce(this.#reserveSteps(job));
  }

  /** The same in turns; `onDone` is called in the last of them. */
  reserveInTurns(
    job: Pick<AppendJob, "batch" | "unit">,
    onDone: (ready: RowBatch) => void,
  ): Promise<void> {
    return this.#sealer.changeInTurns(this.#reserveSteps(job), onDone);
  }

  *#reserveSteps({ batch, unit }: Pick<AppendJob, "batch" | "unit">): Steps<RowBatch> {
    const layoutOf = (column: string) => this.#columns.layoutOf(column);
    const segment = this.#segmentFor(unit);
    const ready = rescaleBatch(this.#columns.take(batch), layoutOf);
    yield* segment.reserveSteps(ready, layoutOf);
    return ready;
  }

  #segmentFor(unit: UnitStamp | undefined): OpenSegment {
    const { memory, kernel } = this.#context;
    const current = this.#current;
    if (unit !== undefined) {
      const rows = current.unitOf(unit);
      return (rows ?? current.addUnit(unit, new OpenSegment(memory, kernel))).segment;
    }
    current.segment ??= new OpenSegment(memory, kernel);
    return current.segment;
  }

  /** False: its unit was given up meanwhile. */
  makeVisible(job: AppendJob, ready: RowBatch): boolean {
    const current = this.#current;
    if (job.unit !== undefined) {
      const rows = current.unitOf(job.unit);
      if (rows === undefined) {
        current.givenUp.add(keyOf(job.unit));
        return false;
      }
      if (this.#units.isAborted(rows)) {
        this.#units.giveUp(current, rows);
        return false;
      }
      rows.segment.append(ready);
      this.#units.noteRows(job, rows);
      return true;
    }
    assert(current.segment !== null, "room was reserved in the open segment");
    current.segment.append(ready);
    this.#summary.append(job, current.facts);
    return true;
  }

  /** Appends records to the log and syncs it; the first ones create its file. */
  async log(records: readonly Uint8Array[]): Promise<void> {
    await (await this.#openLog()).append(records);
    this.#onChange();
  }

  /** The same for records of another leaf's log, as they are there. */
  async logRecords(records: Uint8Array): Promise<void> {
    await (await this.#openLog()).appendRecords(records);
    this.#onChange();
  }

  async #openLog(): Promise<RowLog> {
    const current = this.#current;
    current.log ??= await RowLog.create(logPath(this.#folder, current.number));
    return current.log;
  }

  /** The records of the log, from the disk. */
  async readLog(): Promise<readonly AppendJob[]> {
    const { log } = this.#current;
    if (log === null) return [];
    return readRecords(await readFile(log.path)).payloads.map(decodeLoggedBatch);
  }

  /** Whether the batch stores its columns in another way than the rows before it. */
  changesColumns(batch: RowBatch): boolean {
    return this.rowCount > 0 && batch.columns.some((column) => this.#columns.changes(column));
  }

  /** Forgets all rows of the present generation, which can come again; the log stays. */
  forgetRows(): void {
    this.#forget(this.#current);
  }

  /** Leaves the log to the caller, and goes on at another generation. There must be no rows. */
  moveTo(generation: number): RowLog | null {
    assert(this.rowCount === 0, "rows belong to the generation of their log");
    const { log } = this.#current;
    this.drop();
    this.generations.goTo(generation);
    return log;
  }

  /**
   * Leaves the log after a failed write: nothing is appended to it any more. Without visible rows
   * its file is deleted.
   */
  async leaveFailedLog(): Promise<void> {
    const { log } = this.#current;
    this.#current.log = null;
    const isEmpty = this.rowCount === 0;
    await (isEmpty ? log?.remove() : log?.close())?.catch(() => undefined);
  }

  /** Gives up reserved memory, and begins the next generation. */
  startNext(): void {
    this.drop();
    this.generations.goTo(this.#current.number + 1);
  }

  async closeLog(): Promise<void> {
    const { log } = this.#current;
    this.#current.log = null;
    await log?.close();
  }

  /**
   * Seals the rows and begins the next generation; with rows of undecided units they wait beside
   * it. Returns why not where there is no room.
   */
  async trySealing(): Promise<HadalError | null> {
    const current = this.#current;
    if (!this.isSettled) {
      await this.park();
      return null;
    }
    const refusal = this.sealingProblem();
    if (refusal !== null) return refusal;
    try {
      const isSealed = await this.#sealer.seal(current);
      // Where rows were sealed, it is so already.
      if (this.#current === current) this.startNext();
      await this.#endLog(current, isSealed);
      this.#onChange();
      return null;
    } catch (error) {
      if (isRoomMissing(error)) return error;
      throw error;
    }
  }

  /** Lets the present generation wait for its units, and begins the next one. */
  async park(): Promise<void> {
    this.#sealer.endForms(this.#current);
    const parked = this.generations.park();
    const { log } = parked;
    parked.closedAtBytes = log?.endBytes ?? 0;
    parked.log = null;
    await log?.close();
    this.#onChange();
  }

  /** Whether there may be something to do for {@link settle}. */
  get hasToSettle(): boolean {
    return this.generations.hasUnits || this.#isGivenUp;
  }

  /**
   * Takes rows of decided units among those that every query sees, and seals the generations that
   * waited for them. No batch is being stored meanwhile.
   */
  async settle(): Promise<void> {
    if (this.#isGivenUp) await this.#endGivenUp();
    if (!this.generations.hasUnits) return;
    this.noteDecided();
    this.joinUnits();
    for (const generation of this.generations.waiting) {
      if (!generation.isSettled(this.#units.settledBefore)) continue;
      if (!(await this.sealWaiting(generation.number))) return;
    }
  }

  /** Whether all rows of the present log were given up. */
  get #isGivenUp(): boolean {
    const { log, reservedRows, givenUp } = this.#current;
    return givenUp.size > 0 && log !== null && reservedRows === 0;
  }

  async #endGivenUp(): Promise<void> {
    const current = this.#current;
    this.startNext();
    await this.#endLog(current, false);
    this.#onChange();
  }

  /** Adds rows of committed units to those that every query sees. */
  joinUnits(): void {
    try {
      for (const generation of this.generations.all) this.#units.join(generation);
    } catch (error) {
      // Without room they stay by themselves.
      if (!isRoomMissing(error)) throw error;
    }
  }

  /** False: there is no room now. */
  async sealWaiting(number: number): Promise<boolean> {
    const generation = this.generations.waiting.find((one) => one.number === number);
    if (generation === undefined) return true;
    if (sealingProblem(generation, this.#context.memory) !== null) return false;
    try {
      const isSealed = await this.#sealer.seal(generation);
      this.generations.leave(generation);
      await this.#endLog(generation, isSealed);
      this.#onChange();
      return true;
    } catch (error) {
      if (isRoomMissing(error)) return false;
      throw error;
    }
  }

  /** Forgets the rows of generations that wait; returns which these were. */
  forgetWaiting(isGone: (log: LogPosition) => boolean): readonly number[] {
    const gone = this.generations.waiting.filter((generation) => isGone(logOf(generation)));
    for (const generation of gone) {
      this.#forget(generation);
      this.generations.leave(generation);
    }
    return gone.map(({ number }) => number);
  }

  /** Units have been decided. */
  noteDecided(): void {
    if (!this.generations.hasUnits) return;
    for (const generation of this.generations.all) this.#units.noteDecided(generation);
  }

  /** Whether a log has rows of the unit that were given up. */
  hasGivenUp(unit: Pick<UnitStamp, "gateway" | "number">): boolean {
    const key = keyOf(unit);
    const isInOpen = this.generations.all.some(({ givenUp }) => givenUp.has(key));
    return isInOpen || this.#unwritten.hasGivenUp(key);
  }

  /** Without sealed rows its log is deleted, where all of them were given up. */
  async #endLog(generation: OpenGeneration, isSealed: boolean): Promise<void> {
    const { number, log, closedAtBytes, givenUp } = generation;
    generation.log = null;
    await log?.close();
    const hasFile = log !== null || closedAtBytes > 0;
    if (!isSealed && givenUp.size > 0 && hasFile) await unlink(logPath(this.#folder, number));
  }

  /** Gives back the memory of the open rows of the present generation. */
  drop(): void {
    const current = this.#current;
    current.segment?.retire();
    current.segment = null;
    this.#units.forgetAll(current);
  }

  /** The same for those of all. */
  dropAll(): void {
    this.drop();
    for (const generation of this.generations.waiting) {
      for (const segment of generation.segments) segment.retire();
      this.generations.leave(generation);
    }
  }

  /** Gives back segments that have memory reserved for no row. */
  dropIfUnreserved(): void {
    const current = this.#current;
    if (current.segment?.reservedRows === 0) {
      current.segment.retire();
      current.segment = null;
    }
    for (const rows of [...current.units.values()])
      if (rows.segment.reservedRows === 0) this.#units.forget(current, rows);
  }

  /**
   * Makes the rows of a log visible again; the last log is appended to from `endBytes` on. Rejects
   * where there is no room for them: then none of them is visible, and the log is as it was.
   */
  async replay(generation: number, jobs: readonly AppendJob[], endBytes: number): Promise<void> {
    await this.#endReplayed(generation);
    try {
      this.show(jobs);
    } catch (error) {
      this.#forgetReplayed();
      throw error;
    }
    this.#current.log = await RowLog.open(logPath(this.#folder, generation), endBytes);
  }

  /** What was replayed before belongs to an earlier generation. */
  async #endReplayed(next: number): Promise<void> {
    const current = this.#current;
    if (this.isSettled) {
      const refusal = this.sealingProblem();
      if (refusal !== null) throw refusal;
      await this.#sealer.seal(current);
      await current.log?.close();
    } else await this.park();
    this.generations.goTo(next);
  }

  /** Makes logged batches visible. Throws where there is no room: some of them may be visible then. */
  show(jobs: readonly AppendJob[]): void {
    // Batches of one log were stored with the same decimals; the first may have fewer than rows
    // that are gone.
    for (const { batch } of jobs) this.#columns.take(batch);
    for (const job of jobs) {
      // A batch whose sync failed was refused, and may be in the log again.
      if (this.#units.findStored(job)?.[1] === job.contentHash) continue;
      this.forgetUnitOf(job.batchId);
      const shown = this.#units.shownOf(job);
      if (shown === null && job.unit !== undefined) this.#current.givenUp.add(keyOf(job.unit));
      if (shown !== null) this.makeVisible(shown, this.reserve(shown));
    }
  }

  /** What is stored of the batch, as it came. */
  findStored(job: Pick<AppendJob, "batchId" | "unit">): BatchReceipt | undefined {
    return this.#units.findStored(job);
  }

  /** Why no batch of its unit is taken any more; null: some are. */
  unitProblem(job: Pick<AppendJob, "unit">): HadalError | null {
    return this.#units.problemOf(job);
  }

  /** Forgets the rows of an undecided unit that has this batch: it comes again in another one. */
  forgetUnitOf(batchId: string): void {
    const rows = this.#units.undecided(batchId);
    if (rows === undefined) return;
    for (const generation of this.generations.all)
      if (generation.unitOf(rows.stamp) === rows) this.#units.giveUp(generation, rows);
  }

  /**
   * Ends the replay of logs: rows older than a segment on the disk must not share a log with new
   * ones. Rejects where there is no room to seal them: then only their log has them.
   */
  async finishRecovery(lastGeneration: number): Promise<void> {
    const { log, number } = this.#current;
    if (log !== null && number === lastGeneration) return;
    const refusal = this.#current.rowCount === 0 && log === null ? null : await this.trySealing();
    if (refusal !== null) {
      this.#forgetReplayed();
      await this.closeLog();
    }
    this.drop();
    this.generations.goTo(lastGeneration + 1);
    if (refusal !== null) throw refusal;
  }

  /** Their batches stay known. */
  #forgetReplayed(): void {
    const { facts, units } = this.#current;
    const receipts = [facts, ...Array.from(units.values(), (rows) => rows.facts)].flatMap(
      ({ batches }) => batches,
    );
    this.#forget(this.#current);
    for (const receipt of receipts) this.#summary.batches.add(receipt);
  }

  #forget(generation: OpenGeneration): void {
    this.#units.forgetAll(generation);
    generation.segment?.retire();
    generation.segment = null;
    this.#summary.forget(generation.facts);
    generation.facts = new OpenFacts();
  }

  #noteSealed(generation: OpenGeneration): void {
    // In the same turn: a copy would take the rows for gone.
    this.#unwritten.note(generation);
    this.generations.leave(generation);
    if (generation === this.#current) this.startNext();
    if (generation.laterForms === null || generation.laterForms.asText.size === 0) return;
    this.#columns.keepDictionariesOf([...this.#sealed.list, ...this.generations.views()]);
  }

  get #current(): OpenGeneration {
    return this.generations.current;
  }
}

const none = { segment: null };
