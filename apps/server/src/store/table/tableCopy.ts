import { unlink } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import type { LogPosition, SegmentForm, TableShape } from "../../base/copy/copySource.js";
import type { TableColumns } from "../columns/tableColumns.js";
import { logPath } from "../file/segmentFiles.js";
import { type AppendJob, decodeLoggedBatch } from "../log/loggedBatch.js";
import { readRecords } from "../log/rowRecords.js";
import type { SealedSegment } from "../segment/sealedSegment.js";
import type { ReducedSegment } from "../upkeep/reduceSegment.js";
import type { OpenRows } from "./openRows.js";
import type { SavedTableFile } from "./tableFile.js";
import type { TableSegments } from "./tableSegments.js";
import type { TableSummary } from "./tableSummary.js";

export interface TableCopyParts {
  readonly folder: string;
  readonly file: SavedTableFile;
  readonly columns: TableColumns;
  readonly open: OpenRows;
  readonly sealed: TableSegments;
  readonly summary: TableSummary;
  /** Forgets what only rows that are gone had in the columns. */
  readonly forgetUnused: () => void;
  readonly hasUnknownBatches: () => boolean;
  readonly warn: (text: string) => void;
}

/**
 * A table as the source of copies, and as a copy. A copy has the generations of its source: it takes
 * the records of the log as they are, seals where the source has sealed, and takes other segments as
 * files. No batch may be appended to it meanwhile.
 */
export class TableCopy {
  readonly #parts: TableCopyParts;
  /** There was no room for the rows of the open log: only the disk has them. */
  #isOpenHidden = false;

  constructor(parts: TableCopyParts) {
    this.#parts = parts;
  }

  get shape(): TableShape {
    const { file, open, sealed, hasUnknownBatches } = this.#parts;
    const { name, id, generationMin, expiring, isLeaving } = file.content;
    return {
      ...{ name, id, file: { generationMin, expiring, isLeaving } },
      segments: sealed.onDisk.map(formOf),
      // Rows of a log that has failed come as a file, too.
      unwritten: [
        ...sealed.unwritten,
        ...open.generations.waitingLogs
          .filter(({ endBytes }) => endBytes === 0)
          .map(({ generation }) => generation),
      ],
      closedLogs: open.closedLogs(),
      waiting: open.generations.waitingLogs.filter(({ endBytes }) => endBytes > 0),
      open: open.position,
      isSound: sealed.lost.isEmpty && !hasUnknownBatches(),
    };
  }

  /** All sealed segments, also those without a file. */
  get sealed(): readonly SegmentForm[] {
    return this.#parts.sealed.list.map(formOf);
  }

  get position(): LogPosition {
    return this.#parts.open.position;
  }

  /** Whether rows of the open log are on the disk and not visible. */
  get isOpenHidden(): boolean {
    return this.#isOpenHidden;
  }

  /** Whether it has rows of another table of the same name. */
  isOfOther({ id }: Pick<TableShape, "id">): boolean {
    const { sealed, file, open } = this.#parts;
    const hasRows =
      sealed.list.length > 0 ||
      open.position.endBytes > 0 ||
      open.generations.waitingLogs.length > 0;
    return hasRows && file.content.id !== id;
  }

  /**
   * Notes what the source is about to remove. What it noted before stays noted until the copy has the
   * source's segments: it may have removed it.
   */
  async startFile({ id, file }: Pick<TableShape, "id" | "file">): Promise<void> {
    const expiring = new Set([...this.#parts.file.content.expiring, ...file.expiring]);
    await this.saveFile({ id, file: { ...file, expiring: [...expiring] } });
  }

  /** The copy has the source's segments. */
  async saveFile({ id, file }: Pick<TableShape, "id" | "file">): Promise<void> {
    const { generationMin, expiring, isLeaving = false } = file;
    const wanted = { ...this.#parts.file.content, id, generationMin, expiring, isLeaving };
    if (!isDeepStrictEqual(wanted, this.#parts.file.content)) await this.#parts.file.save(wanted);
  }

  /**
   * Takes the file of a sealed segment. Open rows that it has, or that are older or newer than rows
   * that the table did not have, are forgotten: {@link showOpen} shows those of the log again.
   */
  async takeSegment(file: Uint8Array): Promise<void> {
    const { columns, sealed } = this.#parts;
    let left: readonly number[] = [];
    await sealed.take(file, columns, (taken) => {
      left = this.#load(taken);
    });
    for (const generation of left) await this.#removeLog(generation);
  }

  /** Returns the generations whose logs have no needed rows any more. */
  #load({ segment, origin }: ReducedSegment): readonly number[] {
    const { columns, open, sealed, summary, forgetUnused } = this.#parts;
    const { firstGeneration, generation } = segment;
    const before = open.position.generation;
    const isNewest = sealed.list.every((one) => one.generation < firstGeneration);
    const isOpenTaken = before >= firstGeneration && before <= generation;
    // New rows may have other decimals than the open ones were stored with.
    if (isOpenTaken || !isCovered(segment, sealed.list)) this.#hideOpen();
    const waited = open.forgetWaiting(
      (log) => log.generation >= firstGeneration && log.generation <= generation,
    );
    if (isOpenTaken) {
      void open.moveTo(generation + 1)?.close();
      this.#isOpenHidden = false;
    }
    if (isNewest) for (const [name, column] of segment.columns) columns.register(name, column);
    else columns.add(segment.columns);
    const contributions = sealed.load(segment, origin);
    for (const receipt of origin.batches) summary.batches.add(receipt);
    summary.add(origin);
    summary.subtract(contributions);
    forgetUnused();
    return isOpenTaken ? [...waited, before] : waited;
  }

  #hideOpen(): void {
    const { open } = this.#parts;
    if (open.rowCount === 0) return;
    open.forgetRows();
    this.#isOpenHidden = true;
  }

  /** Shows the rows of the open log that are hidden; false: there is no room for them now. */
  async showOpen(): Promise<boolean> {
    if (!this.#isOpenHidden) return true;
    const { open } = this.#parts;
    this.#isOpenHidden = !this.#show(await open.readLog());
    return !this.#isOpenHidden;
  }

  /** Appends whole records of the source's log of this generation; resolves once they are on the disk. */
  async takeRecords(generation: number, records: Uint8Array): Promise<void> {
    const { open } = this.#parts;
    await this.#beAt(generation);
    const jobs = readRecords(Buffer.from(records)).payloads.map(decodeLoggedBatch);
    await open.logRecords(records);
    if (this.#isOpenHidden) return;
    const isOther = jobs.some(({ batch }) => open.changesColumns(batch));
    if (!isOther) {
      this.#isOpenHidden = !this.#show(jobs);
      open.joinUnits();
      return;
    }
    // The source has room in its columns for these from earlier rows that are gone.
    this.#hideOpen();
    await this.showOpen();
  }

  /** Seals the rows of a whole log. Rejects where there is no room: then its segment must be taken. */
  async sealOpen(): Promise<void> {
    const { open } = this.#parts;
    if (!(await this.showOpen())) throw new Error("there is no room for the rows of its log");
    if (open.rowCount === 0) return this.#beAt(open.position.generation + 1);
    const refusal = await open.trySealing();
    if (refusal !== null) throw refusal;
  }

  /** Logs of rows that wait to be sealed. */
  get waiting(): readonly LogPosition[] {
    return this.#parts.open.generations.waitingLogs;
  }

  /** Lets the rows of a whole log wait, as the source does. False: there is no room for them. */
  async waitOpen(): Promise<boolean> {
    const { open } = this.#parts;
    if (!(await this.showOpen())) return false;
    if (open.position.endBytes > 0) await open.park();
    return true;
  }

  /** Seals rows that waited. False: it is not possible now. */
  sealWaiting(generation: number): Promise<boolean> {
    return this.#parts.open.sealWaiting(generation);
  }

  /** Forgets rows that waited, with their logs, where the source has them no longer. */
  async dropWaiting(isGone: (log: LogPosition) => boolean): Promise<void> {
    for (const generation of this.#parts.open.forgetWaiting(isGone))
      await this.#removeLog(generation);
  }

  /** Goes on at a later generation of the source. */
  startAt(generation: number): Promise<void> {
    return this.#beAt(generation);
  }

  /** Removes sealed segments that the source has no longer. */
  async dropSegments(generations: readonly number[]): Promise<void> {
    const { sealed, summary, forgetUnused } = this.#parts;
    const { contributions, removeFiles } = sealed.remove(generations);
    summary.subtract(contributions);
    forgetUnused();
    await removeFiles();
  }

  /** Forgets the open rows with their log: the source has other ones under this number, or none. */
  async dropOpen(): Promise<void> {
    const { open } = this.#parts;
    const { generation } = open.position;
    open.forgetRows();
    this.#isOpenHidden = false;
    await open.moveTo(generation)?.close();
    await this.#removeLog(generation);
  }

  async #beAt(generation: number): Promise<void> {
    const { open } = this.#parts;
    if (open.position.generation === generation) return;
    if (open.rowCount > 0 || this.#isOpenHidden)
      throw new Error(`log ${generation} began before log ${open.position.generation} was sealed`);
    const before = open.position.generation;
    const log = open.moveTo(generation);
    if (log === null) return;
    await log.close();
    await this.#removeLog(before);
  }

  #removeLog(generation: number): Promise<void> {
    return unlink(logPath(this.#parts.folder, generation)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
    });
  }

  /** False: there was no room, and none of the open rows is visible. */
  #show(jobs: readonly AppendJob[]): boolean {
    const { open, warn } = this.#parts;
    try {
      open.show(jobs);
      return true;
    } catch (error) {
      open.forgetRows();
      warn(`rows of log ${open.position.generation} are on the disk only: ${String(error)}`);
      return false;
    }
  }
}

interface Span {
  readonly generation: number;
  readonly firstGeneration: number;
}

const formOf = (segment: SealedSegment): SegmentForm => [
  segment.generation,
  segment.firstGeneration,
  segment.rowCount,
  segment.thinned,
];

/** Whether sealed segments have all generations of the span. */
function isCovered({ firstGeneration, generation }: Span, held: readonly Span[]): boolean {
  const inside = held.filter(
    (one) => one.firstGeneration >= firstGeneration && one.generation <= generation,
  );
  const generations = inside.reduce(
    (sum, one) => sum + one.generation - one.firstGeneration + 1,
    0,
  );
  return generations === generation - firstGeneration + 1;
}
