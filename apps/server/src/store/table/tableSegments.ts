import { readFile } from "node:fs/promises";
import { HadalError } from "@hadal/sdk";
import type { Reduction } from "../../base/row/reduction.js";
import { inTurns, neverStops, type Steps } from "../../base/schedule/steps.js";
import { encodeSegment } from "../file/encodeSegment.js";
import { type LeafExpiry, nothingExpires, SealedSegments } from "../file/sealedSegments.js";
import { decodeOrigin, type SegmentOrigin } from "../file/segmentCodec.js";
import type { SegmentContribution } from "../file/segmentContributions.js";
import { unwrapPayload, wrapPayload } from "../file/segmentFile.js";
import { SegmentFiles, segmentPath } from "../file/segmentFiles.js";
import { chooseCut, type HeldBytes } from "../segment/byteBound.js";
import type { SealedSegment } from "../segment/sealedSegment.js";
import type { TableContext } from "../segment/tableContext.js";
import { chooseExpired, type RetentionBounds } from "../upkeep/chooseExpired.js";
import { chooseMerge } from "../upkeep/chooseMerge.js";
import { mergeOrigins } from "../upkeep/mergeOrigins.js";
import { mergeSegments } from "../upkeep/mergeSegments.js";
import { nextStoreTurn } from "../upkeep/nextStoreTurn.js";
import {
  chooseRows,
  keptMinutes,
  type ReducedSegment,
  type RowChoice,
  reduceSegment,
} from "../upkeep/reduceSegment.js";
import type { SegmentHolder, TextAging } from "../upkeep/textAging.js";
import { chooseThinned, type ThinningBounds } from "../upkeep/thinSegment.js";
import { LostRows } from "./lostRows.js";
import type { SavedTableFile } from "./tableFile.js";

/** The sealed segments of a table, in memory and on the disk: how they come, merge and go. */
export class TableSegments implements SegmentHolder {
  readonly #sealed: SealedSegments;
  readonly #files: SegmentFiles;
  /** Segments that are gone, and whose files are not yet: first generation by last. */
  readonly #leaving = new Map<number, number>();
  /** The merge under way; never rejects. Who picks segments waits until there is none. */
  #merging: Promise<void> | null = null;
  /** Generations that could not be merged: not tried again before the next start. */
  readonly #unmergeable = new Set<number>();
  /** What could not be read at the start. */
  readonly lost = new LostRows();
  #isClosed = false;
  #mayMerge = true;
  readonly #folder: string;
  readonly #tableFile: SavedTableFile;
  readonly #context: TableContext;
  readonly #textAging: TextAging;

  constructor(
    folder: string,
    tableFile: SavedTableFile,
    context: TableContext,
    textAging: TextAging,
  ) {
    this.#folder = folder;
    this.#tableFile = tableFile;
    this.#context = context;
    this.#textAging = textAging;
    this.#sealed = new SealedSegments(context.memory);
    this.#files = new SegmentFiles(folder, context.warn);
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

  /** Rows per minute of event time of some segments. */
  minutesOf(segments: readonly SealedSegment[]): LeafExpiry["rows"] {
    return this.#sealed.minutesOf(segments);
  }

  /** Takes in what was just sealed; the file follows in the background, and then the log goes. */
  add(segment: SealedSegment, origin: SegmentOrigin): void {
    const { generation } = segment;
    this.#sealed.add(segment, origin);
    const bytes = this.#encode(segment, origin);
    this.#files.write(segment, bytes, origin, () => this.#sealed.noteOnDisk(generation));
    this.#textAging.add(this, segment);
  }

  /** The content of its file, a turn at a time; `pause` is awaited between them. */
  async #encode(
    segment: SealedSegment,
    origin: SegmentOrigin,
    pause: () => Promise<void> = nextStoreTurn,
  ): Promise<Uint8Array> {
    // Its memory stays, also when retention or a merge takes it meanwhile.
    segment.pins.pin();
    try {
      const steps = encodeSegment(segment, this.#context, origin);
      return wrapPayload(await inTurns(steps, neverStops, pause));
    } finally {
      segment.pins.unpin();
    }
  }

  /** Takes in a segment from the disk, in the order of generations. Returns what goes for it: others that it was merged from. */
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

  /** Takes the new form of a segment with the same rows; false when the old one is gone. */
  replaceSegment(old: SealedSegment, by: SealedSegment): boolean {
    return this.#sealed.replace(old, by);
  }

  /** What would go by these bounds; only what is whole on the disk. From here on it is not merged, also after a restart. */
  async planExpiry(held: () => HeldBytes, bounds: RetentionBounds): Promise<LeafExpiry> {
    await this.#atRest();
    const expired = chooseExpired(this.#sealed.onDisk, held(), bounds);
    const generations = expired.map(({ generation }) => generation);
    const expiry = { generations, rows: this.#sealed.minutesOf(expired) };
    await this.#noteExpiring(generations);
    return expiry;
  }

  /** Which segments would be thinned, and the rows that would go of them. As with expiry, they stay as they are until then. */
  async planThinning(bounds: ThinningBounds): Promise<LeafExpiry> {
    await this.#atRest();
    return this.#planReduction(chooseThinned(this.#sealed.onDisk, bounds), bounds);
  }

  /** Of which segment only the newest rows stay by a bound on bytes, how many, and which go. As with expiry, all stay until then. */
  async planCut(held: () => HeldBytes, maxBytes: number): Promise<LeafExpiry> {
    await this.#atRest();
    const { edge } = chooseCut(this.#sealed.onDisk, held(), maxBytes);
    if (edge === null) return nothingExpires;
    const { segment, keepNewest } = edge;
    return { ...(await this.#planReduction([segment], { keepNewest })), keepNewest };
  }

  /** No file is on its way and nothing is being merged, in the turn in which it resolves: who looks then picks what no merge has picked. */
  async #atRest(): Promise<void> {
    await this.#files.settled();
    while (this.#merging !== null) await this.#merging;
  }

  async #planReduction(
    chosen: readonly SealedSegment[],
    reduction: Reduction,
  ): Promise<LeafExpiry> {
    const generations = chosen.map(({ generation }) => generation);
    const going = new Map<number, number>();
    const { minutes, counts } = this.#sealed.minutesOf(chosen);
    for (const [i, minute] of minutes.entries()) going.set(minute, counts[i]!);
    for (const segment of chosen) {
      const choice = chooseRows(segment, reduction);
      if (choice === null) continue;
      for (const [minute, rows] of keptMinutes(segment, choice, this.#context))
        going.set(minute, going.get(minute)! - rows);
    }
    const left = [...going].filter(([, rows]) => rows > 0).sort(([a], [b]) => a - b);
    const rows = {
      minutes: left.map(([minute]) => minute),
      counts: left.map(([, count]) => count),
    };
    await this.#noteExpiring(generations);
    return { generations, rows };
  }

  /**
   * Takes rows out of segments as planned; those that are so already stay as they are. `onChange` is called in the turn in
   * which queries to come see the new ones. Rejects when there is no room for it at the moment.
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
      const choice = chooseRows(segment, reduction);
      if (choice === null) continue;
      if (choice.rows.length === 0) {
        onChange({ contributions: this.remove([generation]).contributions, reduced: null });
      } else await this.#reduce(segment, choice, pause, onChange);
    }
    await this.#removeFiles();
    const { expiring } = this.#tableFile.content;
    await this.#tableFile.save({ expiring: expiring.filter((one) => !generations.includes(one)) });
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
      const reduced = await reduceSegment(segment, origin, choice, this.#context, pause, isStopped);
      if (reduced === null) {
        const detail = `rows of segment ${segment.generation} go later: there is no room to write it anew`;
        throw new HadalError("storage-full", { leaf: "", detail });
      }
      await this.#putInPlace([segment], reduced.segment, reduced.origin, pause, (contributions) =>
        onChange({ contributions, reduced }),
      );
    } finally {
      segment.pins.unpin();
    }
  }

  async #noteExpiring(generations: readonly number[]): Promise<void> {
    const { expiring } = this.#tableFile.content;
    // Noted before, though perhaps in memory only.
    if (generations.every((one) => expiring.includes(one))) return this.#tableFile.save();
    const held = new Set(this.list.map(({ generation }) => generation));
    const both = new Set([...expiring.filter((one) => held.has(one)), ...generations]);
    await this.#tableFile.save({ expiring: [...both] });
  }

  /**
   * Lets go of segments: at once for queries to come, of their memory once it is no longer read. Returns what they had added
   * to the table's totals. Those that went before, but for their files, are taken up again.
   */
  remove(generations: readonly number[]): Removal {
    const wanted = new Set(generations);
    const segments = this.list.filter(({ generation }) => wanted.has(generation));
    for (const { firstGeneration, generation } of segments) {
      this.#leaving.set(generation, firstGeneration);
      this.lost.forgetColumns(generation);
    }
    const contributions = this.#sealed.remove(segments);
    return { contributions, removeFiles: () => this.#removeFiles() };
  }

  /**
   * Merges a run of small segments into one, if there is such a run; queries that read them go on doing so.
   * `pause` is awaited between steps. False when there is nothing to merge at the moment.
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
      // Merged, what is lost of its columns would seem to be missing values.
      return onDisk.has(segment) && isWanted && segment.lostColumns.size === 0;
    };
    const stretches = stretchesBetween(this.list, this.lost.generations);
    const run = await inTurns(firstRun(stretches, nowMs, isFree), neverStops);
    // Others may have taken some of it while it was looked for.
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

  /** A merged segment makes all generations void that it spans: there is one on the disk that was not read. */
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
      await this.#putInPlace(run, merged, origin, pause);
      return true;
    } finally {
      for (const { pins } of run) pins.unpin();
    }
  }

  async #putInPlace(
    run: readonly SealedSegment[],
    merged: SealedSegment,
    origin: SegmentOrigin,
    pause: () => Promise<void>,
    onPlaced: (contributions: readonly SegmentContribution[]) => void = () => undefined,
  ): Promise<void> {
    const { memory, warn } = this.#context;
    try {
      const bytes = await this.#encode(merged, origin, pause);
      await this.#files.replaceLast(merged, bytes, origin);
    } catch (error) {
      for (const address of merged.extents) memory.store.release(address);
      throw error;
    }
    onPlaced(this.#sealed.merge(merged, origin));
    this.#textAging.add(this, merged);
    const sources = run.map(({ generation }) => generation);
    await this.#files.removeVoid(merged, sources).catch((error: unknown) => {
      // They are void all the same: the next start passes them over, and they go with the merged one.
      warn(`files of merged segments in ${this.#folder} are left: ${String(error)}`);
    });
  }

  async #removeFiles(): Promise<void> {
    const leaving = [...this.#leaving];
    if (leaving.length === 0) return;
    const last = Math.max(...leaving.map(([generation]) => generation));
    const generationMin = Math.max(this.#tableFile.content.generationMin, last + 1);
    // They stay among the expiring until their files are gone: if these come back, so does the order to drop them.
    await this.#tableFile.save({ generationMin });
    await this.#files.remove(leaving);
    for (const [generation] of leaving) this.#leaving.delete(generation);
  }
}

/** What a segment had added to the table's totals, and what its new form adds; null: no row of it is left. */
export interface SegmentChange {
  readonly contributions: readonly SegmentContribution[];
  readonly reduced: ReducedSegment | null;
}

export interface Removal {
  readonly contributions: readonly SegmentContribution[];
  /** Deletes their files; called again where it failed. */
  removeFiles(): Promise<void>;
}

function* firstRun(
  stretches: readonly (readonly SealedSegment[])[],
  nowMs: number,
  isFree: (segment: SealedSegment) => boolean,
): Steps<readonly SealedSegment[] | null> {
  for (const stretch of stretches) {
    const run = yield* chooseMerge(stretch, nowMs, isFree);
    if (run !== null) return run;
  }
  return null;
}

/** Segments in the order of generations, cut where one between them is lost. */
function stretchesBetween(
  segments: readonly SealedSegment[],
  lost: ReadonlySet<number>,
): readonly (readonly SealedSegment[])[] {
  if (lost.size === 0) return [segments];
  const cuts = [...lost].sort((a, b) => a - b);
  const stretches = cuts.map((): SealedSegment[] => []);
  const last: SealedSegment[] = [];
  for (const segment of segments) {
    const index = cuts.findIndex((generation) => segment.generation < generation);
    (stretches[index] ?? last).push(segment);
  }
  return [...stretches, last];
}
