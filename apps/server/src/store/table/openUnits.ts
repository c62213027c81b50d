import { HadalError } from "@hadal/sdk";
import { isVisible, type UnitSnapshot, type UnitStamp } from "../../base/row/unitSnapshot.js";
import type { BatchReceipt } from "../file/segmentHead.js";
import type { AppendJob } from "../log/loggedBatch.js";
import type { StoredSegment } from "../segment/segmentView.js";
import { storeReserveBytes, type TableContext } from "../segment/tableContext.js";
import type { LeafUnits } from "../unit/leafUnits.js";
import { UnitFloor } from "../unit/unitFloor.js";
import { MinuteRows } from "./minuteRows.js";
import { receiptOf } from "./openFacts.js";
import { keyOf, type OpenGeneration, type UnitRows } from "./openGeneration.js";
import type { TableSummary } from "./tableSummary.js";

/**
 * Rows of a committed unit keep their stamp for this long: queries that began before it was committed
 * leave them out.
 */
const stampedMs = 2_000;
/** A query reads a segment for each unit: beyond so many the oldest lose their stamps sooner. */
const stampedMax = 64;

export interface OpenUnitsOptions {
  readonly known: LeafUnits;
  readonly nowMs: () => number;
  readonly summary: TableSummary;
  readonly memory: TableContext["memory"];
  readonly isCopy: () => boolean;
  /** Whether rows that are not sealed take more than a bound on the table's bytes allows. */
  readonly isOverBound: () => boolean;
}

/** What a query sees of the rows of units. */
export interface SeenUnits {
  readonly segments: readonly StoredSegment[];
  /** Rows seen beyond those that the table counts; negative ones are counted and not seen. */
  readonly rows: MinuteRows | null;
}

/** Which rows of units a table has, and who sees them. */
export class OpenUnits {
  /** Batches of undecided units, by their ids. */
  readonly #undecided = new Map<string, UndecidedBatch>();
  readonly floor: UnitFloor;
  readonly #known: LeafUnits;
  readonly #nowMs: () => number;
  readonly #summary: TableSummary;
  readonly #memory: TableContext["memory"];
  readonly #isCopy: () => boolean;
  readonly #isOverBound: () => boolean;

  constructor({ known, nowMs, summary, memory, isCopy, isOverBound }: OpenUnitsOptions) {
    this.#known = known;
    this.#nowMs = nowMs;
    this.#summary = summary;
    this.#memory = memory;
    this.#isCopy = isCopy;
    this.#isOverBound = isOverBound;
    this.floor = new UnitFloor(known.atStart);
  }

  /** Units that were committed up to then may lose their stamps. */
  get settledBefore(): number {
    const { store, open } = this.#memory;
    const isShort = store.freeBytes < 2 * (storeReserveBytes + open.bytes);
    // A copy seals what its source has sealed.
    if (isShort || this.#isCopy() || this.#isOverBound()) return Number.POSITIVE_INFINITY;
    return this.#nowMs() - stampedMs;
  }

  /** The rows of the batch; undefined: no undecided unit has it. */
  undecided(batchId: string): UnitRows | undefined {
    return this.#undecided.get(batchId)?.rows;
  }

  /** The batch, if it is a part of an undecided unit. */
  findUndecided(batchId: string): UndecidedBatch | undefined {
    return this.#undecided.get(batchId);
  }

  get allUndecided(): readonly UndecidedBatch[] {
    return [...this.#undecided.values()];
  }

  /** What is stored of the same batch: as a whole, or as a part of the same unit. */
  findStored({ batchId, unit }: Pick<AppendJob, "batchId" | "unit">): BatchReceipt | undefined {
    const whole = this.#summary.batches.find(batchId);
    if (whole !== undefined || this.#undecided.size === 0) return whole;
    const part = this.#undecided.get(batchId);
    const isSame =
      part?.rows.stamp.number === unit?.number && part?.rows.stamp.gateway === unit?.gateway;
    return isSame ? part?.receipt : undefined;
  }

  /** Why no batch of the unit is taken any more; null: it is undecided. */
  problemOf({ unit }: Pick<AppendJob, "unit">): HadalError | null {
    if (unit === undefined || this.#known.stateOf(unit) === "undecided") return null;
    const detail = `Unit ${unit.number} is decided: these rows came too late, and were not stored.`;
    return new HadalError("unavailable", { detail });
  }

  /** How a batch of a log is shown: as a whole once its unit is committed; null: not at all. */
  shownOf(job: AppendJob): AppendJob | null {
    if (job.unit === undefined) return job;
    const state = this.#known.stateOf(job.unit);
    if (state === "undecided") {
      this.#known.noteReplayed(job.unit);
      return job;
    }
    if (state === "aborted") return null;
    this.floor.add(job.unit);
    const { unit: _, ...whole } = job;
    return whole;
  }

  /** Counts a batch whose rows were appended to those of its unit. */
  noteRows(job: AppendJob, rows: UnitRows): void {
    if (rows.committedMs !== null) {
      this.#summary.append(job, rows.facts);
      return;
    }
    rows.facts.add(job);
    this.#undecided.set(job.batchId, { receipt: receiptOf(job), rows });
  }

  isAborted({ stamp }: UnitRows): boolean {
    return this.#known.stateOf(stamp) === "aborted";
  }

  /** Takes in what has been decided. */
  noteDecided(generation: OpenGeneration): void {
    for (const rows of [...generation.units.values()]) {
      if (rows.committedMs !== null) continue;
      const state = this.#known.stateOf(rows.stamp);
      if (state === "committed") this.#commit(rows);
      // Memory that is being reserved is given back once the batch comes.
      const isReserved = rows.segment.reservedRows > rows.segment.rowCount;
      if (state === "aborted" && !isReserved) this.giveUp(generation, rows);
    }
  }

  #commit(rows: UnitRows): void {
    rows.committedMs = this.#nowMs();
    this.#summary.show(rows.facts);
    for (const [batchId] of rows.facts.batches) this.#undecided.delete(batchId);
  }

  /** Adds rows of committed units to those that every query sees. Throws where there is no room. */
  join(generation: OpenGeneration): void {
    const committed = [...generation.units.values()].filter((rows) => rows.committedMs !== null);
    const { settledBefore } = this;
    for (const [i, rows] of committed.entries()) {
      const isOverMax = committed.length - i > stampedMax;
      if (isOverMax || rows.committedMs! <= settledBefore) this.#join(generation, rows);
    }
  }

  /** The same for all of them. */
  joinAll(generation: OpenGeneration): void {
    for (const rows of [...generation.units.values()])
      if (rows.committedMs !== null) this.#join(generation, rows);
  }

  #join(generation: OpenGeneration, rows: UnitRows): void {
    if (generation.segment === null) generation.segment = rows.segment;
    else {
      generation.segment.appendAll(rows.segment);
      rows.segment.retire();
    }
    generation.facts.addAll(rows.facts);
    generation.removeUnit(rows);
    this.floor.add(rows.stamp);
  }

  /** The rows do not come again. */
  giveUp(generation: OpenGeneration, rows: UnitRows): void {
    this.forget(generation, rows);
    generation.givenUp.add(keyOf(rows.stamp));
  }

  forget(generation: OpenGeneration, rows: UnitRows): void {
    generation.removeUnit(rows);
    rows.segment.retire();
    if (rows.committedMs !== null) this.#summary.forget(rows.facts);
    else for (const [batchId] of rows.facts.batches) this.#undecided.delete(batchId);
  }

  forgetAll(generation: OpenGeneration): void {
    for (const rows of [...generation.units.values()]) this.forget(generation, rows);
  }

  /** Null: the snapshot lacks rows that cannot be left out any more. */
  seenBy(snapshot: UnitSnapshot, generations: readonly OpenGeneration[]): SeenUnits | null {
    if (!this.floor.isCoveredBy(snapshot, this.#known.decisions)) return null;
    const segments: StoredSegment[] = [];
    let counted: MinuteRows | null = null;
    for (const { units } of generations) {
      for (const { stamp, segment, facts, committedMs } of units.values()) {
        if (segment.rowCount === 0) continue;
        const isSeen = isVisible(stamp, snapshot) && !this.#isHidden(stamp);
        if (isSeen) segments.push(segment.view());
        if (isSeen === (committedMs !== null)) continue;
        counted ??= new MinuteRows();
        for (const [minute, rows] of facts.minutes) counted.add(minute, isSeen ? rows : -rows);
      }
    }
    return { segments, rows: counted };
  }

  /** Whatever a query says of it. */
  #isHidden(stamp: UnitStamp): boolean {
    return this.#known.stateOf(stamp) === "aborted" || this.#known.isUnsure(stamp);
  }

  /** Of which gateways it has, or had, rows of units. */
  gatewaysOf(generations: readonly OpenGeneration[]): ReadonlySet<string> {
    const gateways = new Set(this.floor.gateways);
    for (const { units } of generations)
      for (const { stamp } of units.values()) gateways.add(stamp.gateway);
    return gateways;
  }
}

export interface UndecidedBatch {
  readonly receipt: BatchReceipt;
  readonly rows: UnitRows;
}
