import { readFile } from "node:fs/promises";
import { HadalError } from "@hadal/sdk";
import type { Reduction } from "../../base/row/reduction.js";
import { inTurns, neverStops } from "../../base/schedule/steps.js";
import type { TableColumns } from "../columns/tableColumns.js";
import { decodeSegment } from "../file/decodeSegment.js";
import { encodeSegment } from "../file/encodeSegment.js";
import { type LeafExpiry, SealedSegments } from "../file/sealedSegments.js";
import type { SegmentContribution } from "../file/segmentContributions.js";
import { unwrapPayload, wrapPayload } from "../file/segmentFile.js";
import { SegmentFiles, segmentPath } from "../file/segmentFiles.js";
import { decodeOrigin, type SegmentOrigin } from "../file/segmentHead.js";
import type { SealedSegment } from "../segment/sealedSegment.js";
import type { TableContext } from "../segment/tableContext.js";
import { findMerge } from "../upkeep/findMerge.js";
import { mergeOrigins } from "../upkeep/mergeOrigins.js";
import { mergeSegments } from "../upkeep/mergeSegments.js";
import { nextStoreTurn } from "../upkeep/nextStoreTurn.js";
import {
  chooseRows,
  type ReducedSegment,
  type RowChoice,
  reduceSegment,
} from "../upkeep/reduceSegment.js";
import type { SegmentHolder, TextAging } from "../upkeep/textAging.js";
import { LostRows } from "./lostRows.js";
import { RemovalPlans } from "./removalPlans.js";
import type { SavedTableFile } from "./tableFile.js";
import type { TableHome } from "./tableHome.js";

/** The sealed segments of a table, in memory and on the disk: how they come, merge and go. */
export class TableSegments implements SegmentHolder {
  readonly #sealed: SealedSegments;
  readonly #files: SegmentFiles;
  /** Removed segments whose files still exist: first generation by last. */
  readonly #leaving = new Map<number, number>();
  /**
   * The running merge or reduction; never rejects. Segments are picked only while there is none.
   */
  #merging: Promise<void> | null = null;
  /** Generations that could not be merged: not tried again before the next start. */
  readonly #unmergeable = new Set<number>();
  /** Of segments whose file is not written yet. */
  readonly #unwrittenOrigins = new Map<number, SegmentOrigin>();
  /** What could not be read at the start. */
  readonly lost = new LostRows();
  /** Generations between those of segments that are not sealed yet: nothing is merged across them. */
  waiting: () => readonly { readonly generation: number }[] = () => [];
  /** Which segments go next; these are not merged until then. */
  readonly plans: RemovalPlans;
  #isClosed = false;
  #mayMerge = true;
  readonly #folder: string;
  readonly #tableFile: SavedTableFile;
  readonly #context: TableContext;
  readonly #textAging: TextAging;
  readonly #onChange: () => void;

  constructor({ folder, file, context, textAging, onChange }: TableHome) {
    this.#folder = folder;
    this.#tableFile = file;
    this.#context = context;
    this.#textAging = textAging;
    this.#onChange = onChange;
    this.#sealed = new SealedSegments(context.memory);
    this.#files = new SegmentFiles(folder, context.warn);
    this.plans = new RemovalPlans({
      ...{ sealed: this.#sealed, tableFile: file, context },
      atRest: () => this.#atRest(),
    });
  }

  get list(): readonly SealedSegment[] {
    return this.#sealed.list;
  }

  get rowCount(): number {
    return this.#sealed.rowCount;
  }

  get bytes(): number {
    return this.#sealed.bytes;
  }

  /** Whole on the disk, in the order of generations. */
  get onDisk(): readonly SealedSegment[] {
    return this.#sealed.onDisk;
  }

  /** Generations of the segments that have no whole file yet. */
  get unwritten(): readonly number[] {
    const written = new Set(this.#sealed.onDisk);
    return this.list.filter((segment) => !written.has(segment)).map(({ generation }) => generation);
  }

  /** Rows per minute of event time of some segments. */
  minutesOf(segments: readonly SealedSegment[]): LeafExpiry["rows"] {
    return this.#sealed.minutesOf(segments);
  }

  /**
   * Adds a segment that was just sealed. Its file is written in the background, and then the log is
   * deleted.
   */
  add(segment: SealedSegment, origin: SegmentOrigin): void {
    this.#sealed.add(segment, origin);
    this.#write(segment, origin);
    this.#textAging.add(this, segment);
  }

  #write(segment: SealedSegment, origin: SegmentOrigin): void {
    const { generation } = segment;
    this.#unwrittenOrigins.set(generation, origin);
    const bytes = this.#encode(segment, origin);
    this.#files.write(segment, bytes, origin, () => {
      this.#unwrittenOrigins.delete(generation);
      this.#sealed.noteOnDisk(generation);
      this.#onChange();
    });
  }

  /** Segments whose file could not be written. */
  get #failed(): readonly SealedSegment[] {
    return this.list.filter(({ generation }) => this.#files.hasFailed(generation));
  }

  /** Rows of segments whose file could not be written: they may be in memory alone. */
  get rowsUnwritten(): number {
    return this.#failed.reduce((sum, { rowCount }) => sum + rowCount, 0);
  }

  /** Tries once more to write files that could not be written. */
  async writeAgain(): Promise<void> {
    if (this.#failed.length === 0) return;
    await this.#atRest();
    if (this.#isClosed) return;
    const { expiring } = this.#tableFile.content;
    for (const segment of this.#failed) {
      const origin = this.#unwrittenOrigins.get(segment.generation);
      if (origin !== undefined && !expiring.includes(segment.generation))
        this.#write(segment, origin);
    }
    // As while merging: none of them is removed meanwhile.
    const end = (): void => {
      this.#merging = null;
    };
    this.#merging = this.#files.settled().then(end, end);
    await this.#merging;
  }

  /** The content of the segment's file; `pause` is awaited between steps. */
  async #encode(
    segment: SealedSegment,
    origin: SegmentOrigin,
    pause: () => Promise<void> = nextStoreTurn,
  ): Promise<Uint8Array> {
    // Its memory stays, also when retention or a merge removes the segment meanwhile.
    segment.pins.pin();
    try {
      const steps = encodeSegment(segment, this.#context, origin);
      return wrapPayload(await inTurns(steps, neverStops, pause));
    } finally {
      segment.pins.unpin();
    }
  }

  /**
   * Adds a segment from the disk, in the order of generations. Returns the contributions of
   * segments that it replaces: its sources.
   */
  load(segment: SealedSegment, origin: SegmentOrigin): readonly SegmentContribution[] {
    const covered = this.#sealed.covered(segment);
    const contributions = this.#sealed.remove(covered);
    for (const { generation } of covered) this.lost.forgetColumns(generation);
    this.#sealed.add(segment, origin);
    this.#sealed.noteOnDisk(segment.generation);
    return contributions;
  }

  /** Writes the manifest of a segment that was read without one. */
  addManifest(segment: SealedSegment, origin: SegmentOrigin): Promise<void> {
    return this.#files.addManifest(segment, origin);
  }

  /**
   * Takes a segment from the file of another leaf, in place of those whose rows it has: first on the
   * disk and then in memory. `load` adds it, in the turn from which on queries see it. Rejects, and
   * changes nothing, where a part of the file is damaged.
   */
  async take(
    file: Uint8Array,
    columns: TableColumns,
    load: (taken: ReducedSegment) => void,
  ): Promise<void> {
    await this.#atRest();
    const { memory, warn } = this.#context;
    const { segment, origin, lostHistograms } = decodeSegment(
      unwrapPayload(file),
      this.#context,
      columns,
    );
    try {
      if (segment.lostColumns.size + lostHistograms.length > 0)
        throw new Error(`segment ${segment.generation} came damaged`);
      await this.#files.replaceLast(segment, file, origin);
    } catch (error) {
      for (const address of segment.extents) memory.store.release(address);
      throw error;
    }
    const sources = this.#sealed.covered(segment).map(({ generation }) => generation);
    load({ segment, origin });
    this.#textAging.add(this, segment);
    await this.#files.removeVoid(segment, sources).catch((error: unknown) => {
      warn(`files of merged segments in ${this.#folder} are left: ${String(error)}`);
    });
    this.#onChange();
  }

  /** Replaces a segment by a new form of the same rows; false when it was removed. */
  replaceSegment(old: SealedSegment, by: SealedSegment): boolean {
    return this.#sealed.replace(old, by);
  }

  /**
   * Resolves when no file is being written and nothing is being merged: the caller then picks
   * segments that no merge has picked.
   */
  async #atRest(): Promise<void> {
    await this.#files.settled();
    while (this.#merging !== null) await this.#merging;
  }

  /**
   * Removes rows from segments as planned; segments that are reduced already stay. `onChange` is
   * called in the turn from which on queries see the new ones. Rejects when there is no room now.
   */
  async reduce(
    generations: readonly number[],
    reduction: Reduction,
    pause: () => Promise<void>,
    onChange: (change: SegmentChange) => void,
  ): Promise<void> {
    while (this.#merging !== null) await this.#merging;
    const reducing = this.#reduceAll(generations, reduction, pause, onChange);
    const end = (): void => {
      this.#merging = null;
    };
    this.#merging = reducing.then(end, end);
    await reducing;
  }

  async #reduceAll(
    generations: readonly number[],
    reduction: Reduction,
    pause: () => Promise<void>,
    onChange: (change: SegmentChange) => void,
  ): Promise<void> {
    for (const generation of generations) {
      const segment = this.list.find((one) => one.generation === generation);
      if (segment === undefined) continue;
      const choice = await this.#chooseRows(segment, reduction, pause);
      if (choice === null) continue;
      if (choice.rows.length === 0) {
        onChange({ contributions: this.remove([generation]).contributions, reduced: null });
      } else await this.#reduce(segment, choice, pause, onChange);
    }
    await this.#removeFiles();
    const { expiring } = this.#tableFile.content;
    await this.#tableFile.save({ expiring: expiring.filter((one) => !generations.includes(one)) });
    this.#onChange();
  }

  async #chooseRows(
    segment: SealedSegment,
    reduction: Reduction,
    pause: () => Promise<void>,
  ): Promise<RowChoice | null> {
    segment.pins.pin();
    try {
      return await inTurns(chooseRows(segment, reduction, this.#context), neverStops, pause);
    } finally {
      segment.pins.unpin();
    }
  }

  async #reduce(
    segment: SealedSegment,
    choice: RowChoice,
    pause: () => Promise<void>,
    onChange: (change: SegmentChange) => void,
  ): Promise<void> {
    segment.pins.pin();
    try {
      const file = await readFile(segmentPath(this.#folder, segment.generation));
      const origin = decodeOrigin(unwrapPayload(file));
      const isStopped = (): boolean => this.#isClosed;
      const source = { segment, batches: origin.batches };
      const reduced = await reduceSegment(source, choice, this.#context, { pause, isStopped });
      if (reduced === null) {
        const detail = `rows of segment ${segment.generation} go later: there is no room to rewrite it`;
        throw new HadalError("storage-full", { leaf: "", detail });
      }
      await this.#putInPlace([segment], reduced, {
        pause,
        onPlaced: (contributions) => onChange({ contributions, reduced }),
      });
    } finally {
      segment.pins.unpin();
    }
  }

  /**
   * Removes segments: at once for new queries, from memory after their last reader. Returns their
   * contributions. Segments whose files could not be deleted before are tried again.
   */
  remove(generations: readonly number[]): Removal {
    const wanted = new Set(generations);
    const segments = this.list.filter(({ generation }) => wanted.has(generation));
    for (const { firstGeneration, generation } of segments) {
      this.#leaving.set(generation, firstGeneration);
      this.lost.forgetColumns(generation);
    }
    const contributions = this.#sealed.remove(segments);
    this.#onChange();
    return { contributions, removeFiles: () => this.#removeFiles() };
  }

  /**
   * Merges a run of small segments into one; running queries go on reading the old ones. `pause` is
   * awaited between steps. False when there is nothing to merge now.
   */
  async merge(nowMs: number, pause: () => Promise<void>): Promise<boolean> {
    await this.#files.settled();
    while (this.#merging !== null) await this.#merging;
    if (this.#isClosed || !this.#mayMerge) return false;
    const onDisk = new Set(this.#sealed.onDisk);
    const isFree = (segment: SealedSegment): boolean => {
      const { generation } = segment;
      const { expiring } = this.#tableFile.content;
      const isWanted = !expiring.includes(generation) && !this.#unmergeable.has(generation);
      // In a merged segment, lost values would look like missing ones.
      return onDisk.has(segment) && isWanted && segment.lostColumns.size === 0;
    };
    const waiting = this.waiting().map(({ generation }) => generation);
    const between = new Set([...this.lost.generations, ...waiting]);
    const steps = findMerge(this.list, between, nowMs, isFree);
    const run = await inTurns(steps, neverStops);
    // Another operation may have taken segments of the run meanwhile.
    while (this.#merging !== null) await this.#merging;
    if (run === null || this.#isClosed || !this.#mayMerge) return false;
    if (!run.every((segment) => this.list.includes(segment) && isFree(segment))) return true;
    const merging = this.#merge(run, pause);
    const end = (): void => {
      this.#merging = null;
    };
    this.#merging = merging.then(end, end);
    try {
      return await merging;
    } catch (error) {
      for (const { generation } of run) this.#unmergeable.add(generation);
      this.#context.warn(`segments in ${this.#folder} stay unmerged: ${String(error)}`);
      return true;
    }
  }

  /**
   * Called for an unread segment: a merged segment would make all generations void that it spans.
   */
  stopMerging(): void {
    this.#mayMerge = false;
  }

  /** Waits for the files of sealed segments. Nothing is merged from here on. */
  async close(): Promise<void> {
    this.#isClosed = true;
    while (this.#merging !== null) await this.#merging;
    await this.#files.settled();
  }

  /** Gives all memory back. */
  clear(): void {
    this.#sealed.clear();
  }

  async #merge(run: readonly SealedSegment[], pause: () => Promise<void>): Promise<boolean> {
    for (const { pins } of run) pins.pin();
    try {
      const paths = run.map(({ generation }) => segmentPath(this.#folder, generation));
      const origin = await mergeOrigins(paths);
      const isStopped = (): boolean => this.#isClosed;
      const merged = await mergeSegments(run, this.#context, { pause, isStopped });
      if (merged === null) return false;
      await this.#putInPlace(run, { segment: merged, origin }, { pause });
      return true;
    } finally {
      for (const { pins } of run) pins.unpin();
    }
  }

  /** Replaces a run of segments by one, first on the disk and then in memory. */
  async #putInPlace(
    run: readonly SealedSegment[],
    { segment: merged, origin }: ReducedSegment,
    { pause, onPlaced }: Placing,
  ): Promise<void> {
    const { memory, warn } = this.#context;
    try {
      const bytes = await this.#encode(merged, origin, pause);
      await this.#files.replaceLast(merged, bytes, origin);
    } catch (error) {
      for (const address of merged.extents) memory.store.release(address);
      throw error;
    }
    const contributions = this.#sealed.merge(merged, origin);
    onPlaced?.(contributions);
    this.#onChange();
    this.#textAging.add(this, merged);
    const sources = run.map(({ generation }) => generation);
    await this.#files.removeVoid(merged, sources).catch((error: unknown) => {
      // They are void: the next start ignores them, and they are deleted with the merged one.
      warn(`files of merged segments in ${this.#folder} are left: ${String(error)}`);
    });
  }

  async #removeFiles(): Promise<void> {
    const leaving = [...this.#leaving];
    if (leaving.length === 0) return;
    const last = Math.max(...leaving.map(([generation]) => generation));
    const generationMin = Math.max(this.#tableFile.content.generationMin, last + 1);
    // They stay listed as expiring until their files are deleted: after a restart with these files
    // the order comes again.
    await this.#tableFile.save({ generationMin });
    await this.#files.remove(leaving);
    for (const [generation] of leaving) this.#leaving.delete(generation);
  }
}

/** A segment's contributions to the table's totals, and its new form; null: no row is left. */
export interface SegmentChange {
  readonly contributions: readonly SegmentContribution[];
  readonly reduced: ReducedSegment | null;
}

export interface Removal {
  readonly contributions: readonly SegmentContribution[];
  /** Deletes their files; called again where it failed. */
  removeFiles(): Promise<void>;
}

interface Placing {
  /** Awaited between the steps of encoding. */
  readonly pause: () => Promise<void>;
  /** Called in the turn from which on queries see the new segment. */
  readonly onPlaced?: (contributions: readonly SegmentContribution[]) => void;
}
