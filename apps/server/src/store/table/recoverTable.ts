import { readdir, readFile, rename, rm, unlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { HadalError } from "@hadal/sdk";
import { removeStaged } from "../../base/file/durableFile.js";
import { systemErrorText } from "../../base/file/systemErrorText.js";
import {
  type BatchReceipt,
  type DecodedSegment,
  decodeOrigin,
  decodeSegment,
  type SegmentOrigin,
} from "../file/segmentCodec.js";
import { OtherVersion, unwrapPayload } from "../file/segmentFile.js";
import { generationsOf, logPath, segmentPath } from "../file/segmentFiles.js";
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
import type { TextAging } from "../upkeep/textAging.js";
import { Table } from "./table.js";
import type { SavedTableFile } from "./tableFile.js";
import { receiptOf } from "./tableSummary.js";

/** Reads a table's folder back: sealed segments, then what the logs hold beyond them. */
export async function recoverTable(
  folder: string,
  file: SavedTableFile,
  context: TableContext,
  textAging: TextAging,
): Promise<Table> {
  await removeStaged(folder);
  const files = await readdir(folder);
  const segments = generationsOf(files, "segment-", ".hds");
  const manifests = new Set(generationsOf(files, manifestPrefix, manifestSuffix));
  const logs = generationsOf(files, "log-", ".hdl");
  const { name, generationMin } = file.content;
  // A new segment must not take the number of a manifest or a damaged file: it would replace the record of what is lost.
  const damaged = damagedCopiesOf(files).map(({ generation }) => generation);
  const last = Math.max(generationMin - 1, ...segments, ...logs, ...manifests, ...damaged);
  const table = new Table(name, folder, context, textAging, file, last + 1);
  /** Generations whose rows are in a segment. */
  const loaded = new Set<number>();
  const replayed = new Set<number>();
  const minutesOfLoaded = new Map<number, SegmentOrigin["minutes"]>();
  for (const generation of segments) {
    const found = await loadSegment(table, generation, logs.includes(generation), context);
    if (found === null) {
      if (!manifests.has(generation))
        table.lost.addUnknown(`segment-${generation}.hds could not be read`);
      continue;
    }
    const { segment, origin } = found;
    if (!manifests.has(generation)) {
      await table.addManifest(segment, origin).catch((error: unknown) => {
        // The next start tries again; a full disk is no reason to be without the rows.
        context.warn(`${manifestPath(folder, generation)} was not written: ${String(error)}`);
      });
    }
    for (let one = segment.firstGeneration; one < generation; one++) {
      // Merged into this one, and not deleted before the process ended.
      if (loaded.has(one)) {
        await rm(manifestPath(folder, one), { force: true });
        await unlink(segmentPath(folder, one));
      }
      loaded.add(one);
    }
    loaded.add(generation);
    minutesOfLoaded.set(generation, origin.minutes);
  }
  for (const generation of logs) {
    const path = logPath(folder, generation);
    if (loaded.has(generation)) {
      await rm(path, { force: true });
      continue;
    }
    if (await replayLog(table, generation, context)) replayed.add(generation);
  }
  for (const generation of manifests) {
    if (!loaded.has(generation) && !replayed.has(generation))
      await noteLost(table, generation, minutesOfLoaded);
  }
  await noteSetAside(table, new Set([...manifests, ...segments]));
  await table.finishRecovery(last).catch((error: unknown) => {
    // Its batches are known.
    table.noteUnread([]);
    tellUnread(table, logPath(folder, Math.max(0, ...replayed)), context, error);
  });
  return table;
}

/** False: it stays as it is, and its rows are not there before the next start. */
async function replayLog(
  table: Table,
  generation: number,
  context: TableContext,
): Promise<boolean> {
  const path = logPath(table.folder, generation);
  let held: readonly BatchReceipt[] | null = null;
  try {
    const log = await readRowLog(path);
    const jobs = log.payloads.map(decodeLoggedBatch);
    held = jobs.map(receiptOf);
    const { damagedBytes, tornBytes } = log;
    if (damagedBytes > 0)
      context.warn(`${path} is damaged: ${printDamage(log)}; the file is kept aside`);
    if (tornBytes > 0)
      table.lost.noteTorn(
        `${basename(path)} was cut off: it ended ${tornBytes} bytes into a batch`,
      );
    await table.replay(generation, jobs, log.endBytes);
    return true;
  } catch (error) {
    table.noteUnread(held);
    tellUnread(table, path, context, error);
    return false;
  }
}

/** Of a log. */
function tellUnread(table: Table, path: string, { warn }: TableContext, error: unknown): void {
  table.lost.addUnknown(`${basename(path)} could not be read`);
  warn(`${path} is left unread until the next start: ${String(error)}`);
}

/** A manifest without its rows: the segment is damaged, gone, or left unread. What of it other segments hold is not lost. */
async function noteLost(
  table: Table,
  generation: number,
  minutesOfLoaded: ReadonlyMap<number, SegmentOrigin["minutes"]>,
): Promise<void> {
  const name = basename(segmentPath("", generation));
  let manifest: SegmentManifest;
  try {
    manifest = await readManifest(table.folder, generation);
  } catch (error) {
    table.lost.addUnknown(`${name} could not be read, nor its book: ${systemErrorText(error)}`);
    return;
  }
  const minutes = new Map(manifest.minutes.map((minute, i) => [minute, manifest.counts[i] ?? 0]));
  for (let one = manifest.firstGeneration; one < generation; one++) {
    for (const [minute, rows] of minutesOfLoaded.get(one) ?? [])
      minutes.set(minute, (minutes.get(minute) ?? 0) - rows);
  }
  table.lost.add(generation, minutes, `${name} could not be read`);
}

/** Files that this start or earlier ones set aside, but for segments whose rows are known, or that were reported already. */
async function noteSetAside(table: Table, known: ReadonlySet<number>): Promise<void> {
  const { folder, lost } = table;
  for (const { kind, generation, name } of damagedCopiesOf(await readdir(folder))) {
    if (kind === "log") {
      const what = await readFile(join(folder, name)).then(
        (bytes) => printDamage(readRecords(bytes)),
        (error: unknown) =>
          `and not even what is left of it can be read: ${systemErrorText(error)}`,
      );
      lost.addUnknown(`log-${generation}.hdl is damaged: ${what}`);
    } else if (!known.has(generation)) lost.addUnknown(`segment-${generation}.hds is damaged`);
  }
}

interface LoadedSegment {
  readonly segment: SealedSegment;
  readonly origin: SegmentOrigin;
}

/** `hasLog`: the rows are in a log too. */
async function loadSegment(
  table: Table,
  generation: number,
  hasLog: boolean,
  context: TableContext,
): Promise<LoadedSegment | null> {
  const path = segmentPath(table.folder, generation);
  let payload: Uint8Array | null = null;
  try {
    payload = unwrapPayload(await readFile(path));
    const decoded = decodeSegment(payload, context, table.columns);
    const { segment, origin } = decoded;
    const isInLog = hasLog && segment.firstGeneration === generation;
    if (segment.lostColumns.size > 0 && isInLog) {
      for (const address of segment.extents) context.memory.store.release(address);
      throw new Error("columns of it are damaged, and its log is there");
    }
    table.load(segment, origin);
    noteDamage(table, path, decoded, context);
    return { segment, origin };
  } catch (error) {
    // Start without these rows rather than not at all: completeness tells that they are missing.
    if (isSound(error)) {
      table.noteUnread(payload === null ? null : decodeOrigin(payload).batches);
      context.warn(`${path} is left unread until the next start: ${String(error)}`);
      return null;
    }
    await rename(path, await damagedCopyPath(path));
    context.warn(`${path} is set aside: ${String(error)}`);
    return null;
  }
}

/** Of a segment that is read but for some parts. Its file stays: the rest of it is nowhere else. */
function noteDamage(
  { lost }: Table,
  path: string,
  { segment, lostHistograms }: DecodedSegment,
  { warn }: TableContext,
): void {
  const { generation, lostColumns, rowCount } = segment;
  const reason = `${basename(path)} is damaged`;
  for (const column of lostColumns)
    warn(`${path} is damaged: the values of ${column} of its ${rowCount} rows cannot be read`);
  for (const column of lostHistograms)
    warn(`${path} is damaged: no value is lost, but ${column} is slower to ask for percentiles`);
  if (lostColumns.size === 0) return;
  const columns = [...lostColumns].map((column) => ({ column, rowCount, reason }));
  lost.addColumns(generation, columns);
}

/** Whether nothing is known to be wrong with the file: it does not fit this program, or its memory, or was not read. */
function isSound(error: unknown): boolean {
  if (error instanceof HadalError) return error.code === "storage-full";
  return error instanceof OtherVersion || (error as NodeJS.ErrnoException).syscall !== undefined;
}
