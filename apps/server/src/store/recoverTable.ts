import { readdir, readFile, rename, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import { HadalError } from "@hadal/sdk";
import { stagedSuffix } from "../base/durableFile.js";
import { type ReadLog, readRowLog } from "./rowLog.js";
import type { SealedSegment } from "./sealSegment.js";
import { decodeSegment } from "./segmentCodec.js";
import { OtherVersion, unwrapPayload } from "./segmentFile.js";
import { logPath, segmentPath } from "./segmentFiles.js";
import { Table } from "./table.js";
import type { TableContext } from "./tableContext.js";
import type { SavedTableFile } from "./tableFile.js";
import type { TextAging } from "./textAging.js";

/** Reads a table's folder back: sealed segments, then what the logs hold beyond them. */
export async function recoverTable(
  folder: string,
  file: SavedTableFile,
  context: TableContext,
  textAging: TextAging,
): Promise<Table> {
  const files = await readdir(folder);
  const staged = files.filter((one) => one.endsWith(stagedSuffix));
  for (const one of staged) await unlink(join(folder, one));
  const segments = generationsOf(files, "segment-", ".hds");
  const logs = generationsOf(files, "log-", ".hdl");
  const { name, generationMin } = file.content;
  const last = Math.max(generationMin - 1, ...segments, ...logs);
  const table = new Table(name, folder, context, textAging, file, last + 1);
  /** Generations whose rows are in a segment. */
  const loaded = new Set<number>();
  for (const generation of segments) {
    const segment = await loadSegment(table, generation, context);
    if (segment === null) continue;
    for (let one = segment.firstGeneration; one < generation; one++) {
      // Merged into this one, and not deleted before the process ended.
      if (loaded.has(one)) await unlink(segmentPath(folder, one));
      loaded.add(one);
    }
    loaded.add(generation);
  }
  for (const generation of logs) {
    const path = logPath(folder, generation);
    if (loaded.has(generation)) {
      await rm(path, { force: true });
      continue;
    }
    const log = await readLog(table, path, context);
    if (log !== null) await table.replay(generation, log.payloads, log.endBytes);
  }
  await table.finishRecovery(last);
  return table;
}

async function readLog(
  table: Table,
  path: string,
  { warn }: TableContext,
): Promise<ReadLog | null> {
  try {
    const log = await readRowLog(path);
    const { damagedBytes } = log;
    if (damagedBytes > 0)
      warn(`${path} is damaged: ${damagedBytes} bytes skipped, the file is kept aside`);
    return log;
  } catch (error) {
    table.noteUnread();
    warn(`${path} is left unread until the next start: ${String(error)}`);
    return null;
  }
}

async function loadSegment(
  table: Table,
  generation: number,
  context: TableContext,
): Promise<SealedSegment | null> {
  const path = segmentPath(table.folder, generation);
  try {
    const { segment, origin } = decodeSegment(
      unwrapPayload(await readFile(path)),
      context,
      (column, type, isOwn) =>
        isOwn && type !== "string"
          ? table.columns.ownLists(column, type)
          : table.columns.dictionaryOf(column, type),
    );
    table.load(segment, origin);
    return segment;
  } catch (error) {
    // Start without these rows rather than not at all: completeness tells that they are missing.
    if (isSound(error)) {
      table.noteUnread();
      context.warn(`${path} is left unread until the next start: ${String(error)}`);
      return null;
    }
    await rename(path, `${path}.damaged`);
    context.warn(`${path} is set aside: ${String(error)}`);
    return null;
  }
}

/** Whether nothing is known to be wrong with the file: it does not fit this program, or its memory, or was not read. */
function isSound(error: unknown): boolean {
  if (error instanceof HadalError) return error.code === "storage-full";
  return error instanceof OtherVersion || (error as NodeJS.ErrnoException).syscall !== undefined;
}

function generationsOf(files: readonly string[], prefix: string, suffix: string): number[] {
  return files
    .filter((file) => file.startsWith(prefix) && file.endsWith(suffix))
    .map((file) => Number(file.slice(prefix.length, -suffix.length)))
    .filter(Number.isSafeInteger)
    .sort((a, b) => a - b);
}
