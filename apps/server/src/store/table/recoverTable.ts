import { readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { HadalError } from "@hadal/sdk";
import { removeStaged } from "../../base/file/durableFile.js";
import { OtherVersion } from "../../base/file/otherVersion.js";
import { systemErrorText } from "../../base/file/systemErrorText.js";
import { type DecodedSegment, decodeSegment } from "../file/decodeSegment.js";
import { unwrapPayload } from "../file/segmentFile.js";
import { generationsOf, logPath, segmentPath } from "../file/segmentFiles.js";
import { type BatchReceipt, decodeOrigin, type SegmentOrigin } from "../file/segmentHead.js";
import {
  manifestPath,
  manifestPrefix,
  manifestSuffix,
  readManifest,
  type SegmentManifest,
} from "../file/segmentManifest.js";
import { damagedCopiesOf, damagedCopyPath } from "../log/damagedCopies.js";
import { decodeLoggedBatch } from "../log/loggedBatch.js";
import { readRowLog } from "../log/rowLog.js";
import { printDamage, readRecords } from "../log/rowRecords.js";
import type { SealedSegment } from "../segment/sealedSegment.js";
import type { TableContext } from "../segment/tableContext.js";
import type { WarmTable } from "../warm/warmTable.js";
import { receiptOf } from "./openFacts.js";
import { Table } from "./table.js";
import type { TableHome } from "./tableHome.js";

/** Reads a table's folder: sealed segments, then the rows of the logs that no segment has. */
export async function recoverTable(home: TableHome): Promise<Table> {
  await removeStaged(home.folder);
  const recovery = new TableRecovery(home, await readdir(home.folder));
  await recovery.run();
  return recovery.table;
}

class TableRecovery {
  readonly table: Table;
  readonly #folder: string;
  readonly #context: TableContext;
  /** Numbers of the files in the folder. */
  readonly #segments: readonly number[];
  readonly #logs: readonly number[];
  readonly #manifests: ReadonlySet<number>;
  readonly #last: number;
  readonly #warm: WarmTable | null;
  /** Generations whose rows are in a segment that was read. */
  readonly #loaded = new Set<number>();
  readonly #replayed = new Set<number>();
  readonly #minutesOfLoaded = new Map<number, SegmentOrigin["minutes"]>();

  constructor(home: TableHome, files: readonly string[]) {
    this.#folder = home.folder;
    this.#context = home.context;
    this.#segments = generationsOf(files, "segment-", ".hds");
    this.#logs = generationsOf(files, "log-", ".hdl");
    this.#manifests = new Set(generationsOf(files, manifestPrefix, manifestSuffix));
    const { generationMin } = home.file.content;
    // A new segment must not replace a manifest or a damaged file: they record what is lost.
    const damaged = damagedCopiesOf(files).map(({ generation }) => generation);
    const numbers = [...this.#segments, ...this.#logs, ...this.#manifests, ...damaged];
    this.#last = Math.max(generationMin - 1, ...numbers);
    this.table = new Table(home, this.#last + 1);
    this.#warm = home.openWarm?.(this.table.columns) ?? null;
  }

  async run(): Promise<void> {
    for (const generation of this.#segments) await this.#readSegment(generation);
    for (const generation of this.#logs) await this.#readLog(generation);
    for (const generation of this.#manifests) {
      if (!this.#loaded.has(generation) && !this.#replayed.has(generation))
        await this.#noteLost(generation);
    }
    await this.#noteDamagedCopies();
    await this.table.finishRecovery(this.#last).catch((error: unknown) => {
      // Its batches are known.
      this.table.noteUnread([]);
      const lastReplayed = Math.max(0, ...this.#replayed);
      this.#noteUnreadLog(logPath(this.#folder, lastReplayed), error);
    });
  }

  async #readSegment(generation: number): Promise<void> {
    const loaded = await this.#loadSegment(generation);
    const hasManifest = this.#manifests.has(generation);
    if (loaded === null) {
      if (!hasManifest) this.table.lost.addUnknown(`segment-${generation}.hds could not be read`);
      return;
    }
    const { segment, origin } = loaded;
    if (!hasManifest) await this.#addManifest(segment, origin);
    for (let one = segment.firstGeneration; one < generation; one++) {
      await this.#removeMerged(one);
      this.#loaded.add(one);
    }
    this.#loaded.add(generation);
    this.#minutesOfLoaded.set(generation, origin.minutes);
  }

  /** Null: the segment could not be read. */
  async #loadSegment(generation: number): Promise<DecodedSegment | null> {
    const warm = (await this.#warm?.load(generation)) ?? null;
    if (warm !== null) {
      this.table.load(warm.segment, warm.origin);
      return warm;
    }
    const path = segmentPath(this.#folder, generation);
    let payload: Uint8Array | null = null;
    try {
      payload = unwrapPayload(await readFile(path));
      const decoded = decodeSegment(payload, this.#context, this.table.columns);
      this.#checkAgainstLog(decoded.segment);
      this.table.load(decoded.segment, decoded.origin);
      this.#noteDamage(path, decoded);
      return decoded;
    } catch (error) {
      // The table starts without these rows, and completeness reports them as missing.
      await this.#noteUnreadSegment(path, payload, error);
      return null;
    }
  }

  /**
   * Throws for a segment with damaged columns whose log is still there: the log has all of its
   * rows.
   */
  #checkAgainstLog({ generation, firstGeneration, lostColumns, extents }: SealedSegment): void {
    const isInLog = this.#logs.includes(generation) && firstGeneration === generation;
    if (lostColumns.size === 0 || !isInLog) return;
    for (const address of extents) this.#context.memory.store.release(address);
    throw new Error("columns of it are damaged, and its log is there");
  }

  /** A sound file stays in its place for the next start; a damaged one gets another name. */
  async #noteUnreadSegment(
    path: string,
    payload: Uint8Array | null,
    error: unknown,
  ): Promise<void> {
    const { warn } = this.#context;
    if (isSound(error)) {
      this.table.noteUnread(payload === null ? null : decodeOrigin(payload).batches);
      warn(`${path} is left unread until the next start: ${String(error)}`);
      return;
    }
    const copy = await damagedCopyPath(path);
    await rename(path, copy);
    warn(`${path} is damaged, and renamed to ${basename(copy)}: ${String(error)}`);
  }

  async #addManifest(segment: SealedSegment, origin: SegmentOrigin): Promise<void> {
    await this.table.addManifest(segment, origin).catch((error: unknown) => {
      // The next start tries again; the rows are readable on a full disk, too.
      const path = manifestPath(this.#folder, segment.generation);
      this.#context.warn(`${path} was not written: ${String(error)}`);
    });
  }

  /** Deletes a segment that was merged into a later one before the process ended. */
  async #removeMerged(generation: number): Promise<void> {
    if (!this.#loaded.has(generation)) return;
    await rm(manifestPath(this.#folder, generation), { force: true });
    // Not there where the segment that it was merged into was merged again.
    await rm(segmentPath(this.#folder, generation), { force: true });
  }

  /**
   * A segment with damaged columns or histograms keeps its file, which has the only copy of the
   * rest.
   */
  #noteDamage(path: string, { segment, lostHistograms }: DecodedSegment): void {
    const { warn } = this.#context;
    const { generation, lostColumns, rowCount } = segment;
    const reason = `${basename(path)} is damaged`;
    for (const column of lostColumns)
      warn(`${path} is damaged: the values of ${column} of its ${rowCount} rows cannot be read`);
    for (const column of lostHistograms)
      warn(`${path} is damaged: no value is lost, but ${column} is slower to ask for percentiles`);
    if (lostColumns.size === 0) return;
    const columns = [...lostColumns].map((column) => ({ column, rowCount, reason }));
    this.table.lost.addColumns(generation, columns);
  }

  async #readLog(generation: number): Promise<void> {
    const path = logPath(this.#folder, generation);
    if (this.#loaded.has(generation)) await rm(path, { force: true });
    else if (await this.#replayLog(generation, path)) this.#replayed.add(generation);
  }

  /** False: the log stays unread until the next start. */
  async #replayLog(generation: number, path: string): Promise<boolean> {
    let held: readonly BatchReceipt[] | null = null;
    try {
      const log = await readRowLog(path);
      const jobs = log.payloads.map(decodeLoggedBatch);
      held = jobs.map(receiptOf);
      const { damagedBytes, tornBytes } = log;
      if (damagedBytes > 0)
        this.#context.warn(`${path} is damaged: ${printDamage(log)}; a copy of it is kept`);
      if (tornBytes > 0)
        this.table.lost.noteTorn(
          `${basename(path)} was cut off: it ended ${tornBytes} bytes into a batch`,
        );
      await this.table.replay(generation, jobs, log.endBytes);
      return true;
    } catch (error) {
      this.table.noteUnread(held);
      this.#noteUnreadLog(path, error);
      return false;
    }
  }

  #noteUnreadLog(path: string, error: unknown): void {
    this.table.lost.addUnknown(`${basename(path)} could not be read`);
    this.#context.warn(`${path} is left unread until the next start: ${String(error)}`);
  }

  /**
   * A manifest without its segment: its rows are lost, except those that other segments contain.
   */
  async #noteLost(generation: number): Promise<void> {
    const { lost } = this.table;
    const name = basename(segmentPath("", generation));
    let manifest: SegmentManifest;
    try {
      manifest = await readManifest(this.#folder, generation);
    } catch (error) {
      lost.addUnknown(`${name} could not be read, nor its manifest: ${systemErrorText(error)}`);
      return;
    }
    const minutes = new Map(manifest.minutes.map((minute, i) => [minute, manifest.counts[i] ?? 0]));
    for (let one = manifest.firstGeneration; one < generation; one++) {
      for (const [minute, rows] of this.#minutesOfLoaded.get(one) ?? [])
        minutes.set(minute, (minutes.get(minute) ?? 0) - rows);
    }
    lost.add(generation, minutes, `${name} could not be read`);
  }

  /**
   * Reports damaged copies of this and earlier starts, except of segments that a manifest or a read
   * file accounts for.
   */
  async #noteDamagedCopies(): Promise<void> {
    const { lost } = this.table;
    for (const { kind, generation, name } of damagedCopiesOf(await readdir(this.#folder))) {
      if (kind === "log") {
        const what = await readFile(join(this.#folder, name)).then(
          (bytes) => printDamage(readRecords(bytes)),
          (error: unknown) =>
            `and not even what is left of it can be read: ${systemErrorText(error)}`,
        );
        lost.addUnknown(`log-${generation}.hdl is damaged: ${what}`);
      } else if (!this.#manifests.has(generation) && !this.#segments.includes(generation)) {
        lost.addUnknown(`segment-${generation}.hds is damaged`);
      }
    }
  }
}

/**
 * Whether the file itself is not damaged: another version wrote it, memory is short, or reading
 * failed.
 */
function isSound(error: unknown): boolean {
  if (error instanceof HadalError) return error.code === "storage-full";
  return error instanceof OtherVersion || (error as NodeJS.ErrnoException).syscall !== undefined;
}
