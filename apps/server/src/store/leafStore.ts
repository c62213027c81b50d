import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import { HadalError } from "@hadal/sdk";
import { stagedSuffix, syncFolder } from "../base/durableFile.js";
import { readRowLog } from "./rowLog.js";
import type { SealedSegment } from "./sealSegment.js";
import { decodeSegment } from "./segmentCodec.js";
import { OtherVersion, unwrapPayload } from "./segmentFile.js";
import { logPath, segmentPath } from "./segmentFiles.js";
import { Table } from "./table.js";
import type { TableContext } from "./tableContext.js";
import { readTableFile, writeTableFile } from "./tableFile.js";
import { TextAging } from "./textAging.js";

/** All tables of a leaf, in memory and under one folder. */
export class LeafStore {
  readonly #tables = new Map<string, Table>();
  readonly #creating = new Map<string, Promise<Table>>();
  /** Tables whose folder is on its way out: one of the same name waits. */
  readonly #dropping = new Map<string, Promise<void>>();

  private constructor(
    private readonly folder: string,
    private readonly context: TableContext,
    private readonly textAging: TextAging,
  ) {}

  /** Reads back every table under the folder: sealed segments, then what the logs hold beyond them. */
  static async open(
    folder: string,
    context: TableContext,
    textAging = new TextAging(context),
  ): Promise<LeafStore> {
    await mkdir(folder, { recursive: true });
    const store = new LeafStore(folder, context, textAging);
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      // A stray file is no reason not to start.
      if (!entry.isDirectory()) continue;
      const table = await recoverTable(join(folder, entry.name), context, textAging);
      if (table !== null) store.#tables.set(table.name, table);
    }
    return store;
  }

  get tables(): IterableIterator<Table> {
    return this.#tables.values();
  }

  find(name: string): Table | undefined {
    return this.#tables.get(name);
  }

  /** The table of that name once everything asked of it before is stored or refused, its making included. */
  async findSettled(name: string): Promise<Table | undefined> {
    const table =
      this.#tables.get(name) ?? (await this.#creating.get(name)?.catch(() => undefined));
    await table?.settled();
    return table;
  }

  /** The table of that name, made when it is not there: the first row makes the table (S8). */
  async findOrCreate(name: string): Promise<Table> {
    const known = this.#tables.get(name) ?? this.#creating.get(name);
    if (known !== undefined) return known;
    const creating = this.#create(name);
    this.#creating.set(name, creating);
    try {
      return await creating;
    } finally {
      this.#creating.delete(name);
    }
  }

  /** Lets go of sealed segments, or of the whole table (null), in memory and on the disk. */
  async drop(name: string, generations: readonly number[] | null): Promise<void> {
    const table = await this.findSettled(name);
    if (generations !== null) {
      await table?.dropSegments(generations);
      return;
    }
    await this.#dropping.get(name);
    if (table === undefined || this.#tables.get(name) !== table) return;
    this.#tables.delete(name);
    const dropping = this.#dropTable(table).finally(() => this.#dropping.delete(name));
    this.#dropping.set(name, dropping);
    await dropping;
  }

  /** Thins sealed segments of a table, see {@link Table.thinSegments}. */
  async thin(
    name: string,
    generations: readonly number[],
    keepOneIn: number,
    pause: () => Promise<void>,
  ): Promise<void> {
    await this.#tables.get(name)?.thinSegments(generations, keepOneIn, pause);
  }

  async #dropTable(table: Table): Promise<void> {
    await table.close();
    table.releaseAll();
    // Under another name the folder is no table any more, wherever its removal is cut off.
    const dropped = `${table.folder}${droppedSuffix}`;
    await rm(dropped, { recursive: true, force: true });
    await rename(table.folder, dropped);
    await syncFolder(this.folder);
    await rm(dropped, { recursive: true, force: true });
  }

  /** Compresses texts that were sealed so long ago, see {@link TextAging.age}. */
  ageTexts(nowMs: number, rawTextsMs: number, pause: () => Promise<unknown>): Promise<void> {
    return this.textAging.age(nowMs, rawTextsMs, pause);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#tables.values()].map((table) => table.close()));
    await this.textAging.close();
  }

  async #create(name: string): Promise<Table> {
    await this.#dropping.get(name);
    const folder = join(this.folder, folderName(name));
    await mkdir(folder, { recursive: true });
    const file = { name, generationMin: 1, expiring: [] };
    await writeTableFile(folder, file);
    const table = new Table(name, folder, this.context, this.textAging, file, 1);
    this.#tables.set(name, table);
    return table;
  }
}

/** Of a folder whose table was deleted. */
const droppedSuffix = ".dropped";

/** Names are any Unicode; folders are named by hash, so that no name can reach another path. */
function folderName(table: string): string {
  return createHash("sha256").update(table).digest("hex").slice(0, 32);
}

async function recoverTable(
  folder: string,
  context: TableContext,
  textAging: TextAging,
): Promise<Table | null> {
  if (folder.endsWith(droppedSuffix)) {
    await rm(folder, { recursive: true, force: true });
    return null;
  }
  const files = await readdir(folder);
  if (!files.includes("table.json")) return null;
  for (const name of files) if (name.endsWith(stagedSuffix)) await unlink(join(folder, name));
  const file = await readTableFile(folder);
  const segments = generationsOf(files, "segment-", ".hds");
  const logs = generationsOf(files, "log-", ".hdl");
  const last = Math.max(file.generationMin - 1, ...segments, ...logs);
  const table = new Table(file.name, folder, context, textAging, file, last + 1);
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
    const { payloads, endBytes, damagedBytes } = await readRowLog(path);
    if (damagedBytes > 0) {
      context.warn(`${path} is damaged: ${damagedBytes} bytes skipped, the file is kept aside`);
    }
    await table.replay(generation, payloads, endBytes);
  }
  await table.finishRecovery(last);
  return table;
}

async function loadSegment(
  table: Table,
  generation: number,
  context: TableContext,
): Promise<SealedSegment | null> {
  const path = segmentPath(table.folder, generation);
  const file = await readFile(path);
  try {
    const { segment, origin } = decodeSegment(
      unwrapPayload(file),
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

/** Whether nothing is wrong with the file: it does not fit this program, or its memory. */
function isSound(error: unknown): boolean {
  if (error instanceof HadalError) return error.code === "storage-full";
  return error instanceof OtherVersion;
}

function generationsOf(files: readonly string[], prefix: string, suffix: string): number[] {
  return files
    .filter((file) => file.startsWith(prefix) && file.endsWith(suffix))
    .map((file) => Number(file.slice(prefix.length, -suffix.length)))
    .filter(Number.isSafeInteger)
    .sort((a, b) => a - b);
}
