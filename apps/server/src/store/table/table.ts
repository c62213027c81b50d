import { HadalError } from "@hadal/sdk";
import type { Reduction } from "../../base/row/reduction.js";
import type { RowBatch } from "../../base/row/rowBatch.js";
import type { UnitSnapshot, UnitStamp } from "../../base/row/unitSnapshot.js";
import { batchProblem } from "../columns/storageProblems.js";
import { TableColumns } from "../columns/tableColumns.js";
import { bodyOf, type RecentBatches } from "../file/recentBatches.js";
import type { LeafExpiry } from "../file/sealedSegments.js";
import type { BatchReceipt, SegmentOrigin } from "../file/segmentHead.js";
import type { AppendJob } from "../log/loggedBatch.js";
import { ByteBound, type HeldBytes } from "../segment/byteBound.js";
import type { RawSizes } from "../segment/rawSizes.js";
import type { SealedSegment } from "../segment/sealedSegment.js";
import { SegmentTotals } from "../segment/segmentTotals.js";
import type { StoredSegment } from "../segment/segmentView.js";
import type { RetentionBounds } from "../upkeep/chooseExpired.js";
import type { ThinningBounds } from "../upkeep/thinSegment.js";
import type { LostRows } from "./lostRows.js";
import type { MinuteRows } from "./minuteRows.js";
import { OpenRows } from "./openRows.js";
import { OpenUnits, type UndecidedBatch } from "./openUnits.js";
import { type ReadableRows, readableRows } from "./readableRows.js";
import { TableCopy } from "./tableCopy.js";
import type { TableHome } from "./tableHome.js";
import { TableSegments } from "./tableSegments.js";
import { TableSummary } from "./tableSummary.js";
import { type Appended, TableWriter } from "./tableWriter.js";

/**
 * One table on one leaf: its sealed segments, its open rows, the writer of both, and what it knows
 * without a scan.
 */
export class Table {
  readonly name: string;
  readonly folder: string;
  readonly columns = new TableColumns();
  /** What a copy of it on another machine needs, and how this one is such a copy. */
  readonly copy: TableCopy;
  /** Aggregates of the segments; they follow the snapshot that a query takes. */
  readonly totals = new SegmentTotals();
  readonly #summary = new TableSummary();
  readonly #sealed: TableSegments;
  readonly #open: OpenRows;
  readonly #writer: TableWriter;
  readonly #byteBound = new ByteBound();
  #hasUnknownBatches = false;
  /** Some segment or log stays unread until the next start. */
  #hasUnread = false;
  readonly #home: TableHome;
  readonly #units: OpenUnits;

  constructor(home: TableHome, firstGeneration: number) {
    const { folder, file, context, onChange, isCopy } = home;
    this.name = file.content.name;
    this.folder = folder;
    this.#home = home;
    this.#sealed = new TableSegments(home);
    const summary = this.#summary;
    const { memory } = context;
    this.#units = new OpenUnits({
      ...{ known: home.units, nowMs: home.nowMs, summary, memory, isCopy },
      isOverBound: () => this.#open.generations.bytes > this.#byteBound.openBytesMax,
    });
    this.#open = new OpenRows({
      ...{ folder, context, firstGeneration, units: this.#units },
      ...{ columns: this.columns, summary, sealed: this.#sealed, onChange },
    });
    this.#sealed.waiting = () => this.#open.generations.waitingLogs;
    this.copy = new TableCopy({
      ...{ folder, file, warn: context.warn, columns: this.columns },
      ...{ open: this.#open, sealed: this.#sealed, summary: this.#summary },
      forgetUnused: () => this.#forgetUnused(),
      hasUnknownBatches: () => this.#hasUnknownBatches,
    });
    this.#writer = new TableWriter({
      table: this.name,
      rows: this.#open,
      warn: context.warn,
      refusal: (batch) => this.refusal(batch),
      openBytesMax: () => this.#byteBound.openBytesMax,
    });
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

  /** Losses that the leaf has found. */
  get lost(): LostRows {
    return this.#sealed.lost;
  }

  /** Size of the rows as 8-byte integers and raw strings. */
  get rawSizes(): RawSizes {
    return this.#summary.rawSizes;
  }

  get rowCount(): number {
    return this.#sealed.rowCount + this.#open.generations.shownRowCount;
  }

  /** Bytes of all segments in the leaf's memory, and of their dictionaries. */
  get bytes(): number {
    return this.#takenBytes().reduce((sum, bytes) => sum + bytes);
  }

  /** Estimated bytes of batch receipts and of rows per minute. */
  get bookBytes(): number {
    return this.#summary.bytes;
  }

  /** Sealed segments with a whole file. */
  get segmentsOnDisk(): readonly SealedSegment[] {
    return this.#sealed.onDisk;
  }

  /** The sealed segments, as they are now. */
  get sealed(): readonly SealedSegment[] {
    return this.#sealed.list;
  }

  /**
   * All segments at this moment, also those that no query sees. The caller pins those it reads before
   * it gives up the thread.
   */
  snapshot(): StoredSegment[] {
    return [...this.#sealed.list, ...this.#open.generations.views()];
  }

  /** Those that queries see, by what the leaf knows. */
  shown(): readonly StoredSegment[] {
    return this.#seen(this.#home.units.snapshotFor()).segments;
  }

  /** The same for a query, see {@link readableRows}. Throws where the snapshot is too old. */
  readable(columns: ReadonlySet<string> | null, snapshot?: UnitSnapshot): ReadableRows {
    const { file, isCopy, units } = this.#home;
    const { expiring, isLeaving } = file.content;
    const isOfCopy = isCopy();
    if (isOfCopy && isLeaving)
      return { segments: [], unreadable: null, leaving: this.minuteRows, ofUnits: null };
    const { segments, rows } = this.#seen(snapshot ?? units.snapshotFor());
    const leaving = isOfCopy ? expiring : [];
    return { ...readableRows(segments, this.#sealed, columns, leaving), ofUnits: rows };
  }

  #seen(snapshot: UnitSnapshot): {
    readonly segments: StoredSegment[];
    readonly rows: MinuteRows | null;
  } {
    const shown = [...this.#sealed.list, ...this.#open.generations.shownViews()];
    const ofUnits = this.#open.unitsSeenBy(snapshot);
    // The root asks again with a newer one.
    if (ofUnits === null) throw new HadalError("snapshot-too-old", { leaf: "", table: this.name });
    const { segments, rows } = ofUnits;
    return { segments: segments.length === 0 ? shown : [...shown, ...segments], rows };
  }

  /** Of which gateways the table has, or had, rows of units. */
  get unitGateways(): ReadonlySet<string> {
    return this.#open.unitGateways;
  }

  /** Batches of units that are not decided, as far as the leaf knows. */
  get undecided(): readonly UndecidedBatch[] {
    return this.#units.allUndecided;
  }

  /** Whether a log may have rows of this unit, which is aborted. */
  hasGivenUp(unit: Pick<UnitStamp, "gateway" | "number">): boolean {
    // What was not read may have them.
    return this.#hasUnread || this.copy.isOpenHidden || this.#open.hasGivenUp(unit);
  }

  /** Takes in which units have been decided. */
  noteDecided(): void {
    this.#open.noteDecided();
    void this.settleUnits();
  }

  /** See {@link OpenRows.settle}. A copy seals what its source has sealed. */
  async settleUnits(): Promise<void> {
    if (!this.#home.isCopy()) await this.#writer.settleUnits();
  }

  /** The batch where it is stored; with its unit while that is undecided. */
  findBatch(batchId: string): HeldBatch | undefined {
    const receipt = this.batches.find(batchId);
    if (receipt !== undefined) return { receipt };
    const undecided = this.#units.findUndecided(batchId);
    return undecided && heldOf(undecided);
  }

  /** The batches of a body. */
  batchesOfBody(bodyId: string): readonly HeldBatch[] {
    const whole = this.batches.ofBody(bodyId);
    const undecided = this.undecided.filter(({ receipt: [batchId] }) => bodyOf(batchId) === bodyId);
    return [...whole.map((receipt) => ({ receipt })), ...undecided.map(heldOf)];
  }

  /** The order to delete it may come: from here on its copies do not answer for it. */
  planDrop(): Promise<void> {
    return this.#home.file.save({ isLeaving: true });
  }

  /** See {@link TableWriter.append}. */
  append(job: AppendJob): Promise<Appended> {
    return this.#writer.append(job);
  }

  /** Why the table does not take the batch; null: it does. */
  refusal(batch: RowBatch): HadalError | null {
    return batchProblem(batch, this.columns, this.#home.context.memory, this.minutes.size);
  }

  /** Resolves when every batch that was queued before is on the disk, or refused. */
  settled(): Promise<void> {
    return this.#writer.settled();
  }

  /** Waits for everything queued and for the files of sealed segments. */
  async close(): Promise<void> {
    await this.#writer.close();
    await this.#sealed.close();
    await this.#open.closeLog();
  }

  /** Adds a segment from the disk, in the order of generations. */
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

  /** See {@link OpenRows.replay}. */
  replay(generation: number, jobs: readonly AppendJob[], endBytes: number): Promise<void> {
    return this.#open.replay(generation, jobs, endBytes);
  }

  /** See {@link OpenRows.finishRecovery}. */
  finishRecovery(lastGeneration: number): Promise<void> {
    return this.#open.finishRecovery(lastGeneration);
  }

  /**
   * Notes a segment or log that stays unread until the next start: nothing is merged across it.
   * `held`: its batches; null: they are unknown.
   */
  noteUnread(held: readonly BatchReceipt[] | null): void {
    this.#sealed.stopMerging();
    this.#hasUnread = true;
    if (held === null) this.#hasUnknownBatches = true;
    // The next start brings them back: they must not be stored again.
    for (const receipt of held ?? []) this.batches.add(receipt);
  }

  /** A batch that is not found may be in a file that was not read. */
  get hasUnknownBatches(): boolean {
    return this.#hasUnknownBatches;
  }

  /**
   * Segments beyond these bounds whose files are complete. An open segment beyond them is sealed
   * for the next time.
   */
  planExpiry(bounds: RetentionBounds): Promise<LeafExpiry> {
    this.#byteBound.set(bounds.maxBytes);
    const { maxMs } = this.#open.generations;
    if (maxMs !== null) {
      const isOld = bounds.beforeMs !== null && maxMs < bounds.beforeMs;
      if (isOld || this.#open.generations.bytes > this.#byteBound.openBytesMax) this.sealOpen();
    }
    const held = (): HeldBytes => this.#byteBound.look(...this.#takenBytes());
    return this.#sealed.plans.expiry(held, bounds);
  }

  /** Rows of one segment beyond a bound on bytes. */
  planCut(maxBytes: number): Promise<LeafExpiry> {
    return this.#sealed.plans.cut(() => this.#byteBound.held(...this.#takenBytes()), maxBytes);
  }

  #takenBytes(): readonly [sealed: number, open: number, dictionaries: number] {
    return [this.#sealed.bytes, this.#open.generations.bytes, this.columns.dictionaryBytes];
  }

  planThinning(bounds: ThinningBounds): Promise<LeafExpiry> {
    return this.#sealed.plans.thinning(bounds);
  }

  /** Removes rows from sealed segments, see {@link TableSegments.reduce}. */
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

  /**
   * Removes sealed segments: at once for new queries, from memory after their last reader, and from
   * the disk.
   */
  async dropSegments(generations: readonly number[]): Promise<void> {
    const { contributions, removeFiles } = this.#sealed.remove(generations);
    this.#summary.subtract(contributions);
    this.#forgetUnused();
    await removeFiles();
  }

  #forgetUnused(): void {
    if (!this.#open.hasReservedCodes) this.columns.keepDictionariesOf(this.snapshot());
    this.columns.narrow(this.snapshot());
  }

  /** Number of the open segment; null while it has no rows. */
  get openGeneration(): number | null {
    return this.#open.generation;
  }

  /** Rows that are not sealed yet. */
  get openRowCount(): number {
    return this.#open.rowCount;
  }

  /** See {@link TableWriter.sealOpen}. */
  sealOpen(): void {
    this.#writer.sealOpen();
  }

  /** Merges small sealed segments, see {@link TableSegments.merge}. */
  merge(nowMs: number, pause: () => Promise<void>): Promise<boolean> {
    return this.#sealed.merge(nowMs, pause);
  }

  /** Rows of sealed segments whose file could not be written so far. */
  get rowsUnwritten(): number {
    return this.#sealed.rowsUnwritten;
  }

  /** Tries once more to write their files. */
  writeAgain(): Promise<void> {
    return this.#sealed.writeAgain();
  }

  /** Gives all memory back; the table is closed. */
  releaseAll(): void {
    this.#sealed.clear();
    this.#open.dropAll();
  }
}

const heldOf = ({ receipt, rows }: UndecidedBatch): HeldBatch => ({ receipt, unit: rows.stamp });

/** A stored batch. `unit`: the undecided one that it is a part of. */
export interface HeldBatch {
  readonly receipt: BatchReceipt;
  readonly unit?: UnitStamp;
}
