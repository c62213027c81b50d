import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { readChecked } from "../../base/bytes/checkedText.js";
import { systemErrorText } from "../../base/file/systemErrorText.js";

export const snapshotFormat = "hadal-ledger-2";
/** Of the version before: one file without a checksum. */
const oldSnapshotFormat = "hadal-ledger-1";
export const oldSnapshotName = "snapshot.json";

/**
 * Events are numbered, so that none that is in a snapshot counts twice. `previous` is the number of
 * the event before it on the disk: where that is missing, events are lost. Lines of the version
 * before have none. `synced` is that of the last event on the disk before the lines that are written
 * together; left out where it is `previous`.
 */
export type EventLine = readonly [
  sequence: number,
  event: unknown,
  previous?: number,
  synced?: number,
];
/** First line of a journal: the number of the last event before it. */
export type FirstLine = readonly [previous: number];

/** The content at a start: the newest whole snapshot, and the events after it. */
export interface JournalContent {
  readonly snapshot: unknown;
  readonly events: readonly unknown[];
  /** Torn or damaged lines, left out. */
  readonly linesDropped: number;
  /** Why state and events may not be all that was ever appended; null: they are. */
  readonly loss: string | null;
  /** Files that were damaged and are renamed, whether or not anything is lost. */
  readonly damaged: string | null;
  /** The folder was empty. */
  readonly isNew: boolean;
  /** A new snapshot is needed. */
  readonly isBehind: boolean;
}

export interface ReadLedger {
  readonly content: JournalContent;
  /** Damaged files: replaced by others, unreadable, or journals whose whole lines count. */
  readonly damagedFiles: readonly { readonly path: string; readonly isReplaced: boolean }[];
  /** The highest number of a file. */
  readonly last: number;
  /** Of the last event. */
  readonly sequence: number;
  /** Journal of the newest snapshot that is whole; 0: there is none. */
  readonly base: number;
}

/** Reads the files, and changes nothing. */
export async function readLedger(folder: string): Promise<ReadLedger> {
  const names = await readdir(folder);
  const numbers = numbersOf(names, "journal-", ".log");
  const { snapshot, damaged, isOld, damagedPaths } = await readNewestSnapshot(folder, names);
  const replayed = await replay(folder, numbers, snapshot);
  const last = Math.max(snapshot.journal, 0, ...numbers, ...numbersOf(names, "snapshot-", ".json"));
  const { events, linesDropped, gap, sequence } = replayed;
  const isNew = snapshot.state === null && events.length === 0;
  // Without a gap the journals since an older snapshot, or since the first event, make up for a
  // damaged one.
  const loss = gap ?? (damaged !== null && replayed.isBlank ? damaged : null);
  // Journals of earlier starts must not pile up, and state without a checksum is to have one.
  const isBehind = events.length > 0 || loss !== null || damaged !== null || isOld;
  const { state } = snapshot;
  return {
    content: { snapshot: state, events, linesDropped, loss, damaged, isNew, isBehind },
    damagedFiles: [
      ...damagedPaths.map((path) => ({ path, isReplaced: true })),
      ...replayed.unreadPaths.map((path) => ({ path, isReplaced: true })),
      ...replayed.damagedPaths.map((path) => ({ path, isReplaced: false })),
    ],
    ...{ last, sequence, base: snapshot.journal },
  };
}

interface Snapshot {
  readonly journal: number;
  readonly sequence: number;
  readonly state: unknown;
}

const noSnapshot: Snapshot = { journal: 0, sequence: 0, state: null };

/** The newest that is whole, and the damaged ones that are newer. */
async function readNewestSnapshot(
  folder: string,
  names: readonly string[],
): Promise<{
  readonly snapshot: Snapshot;
  readonly damaged: string | null;
  readonly isOld: boolean;
  readonly damagedPaths: readonly string[];
}> {
  const numbered = numbersOf(names, "snapshot-", ".json").reverse();
  const candidates = numbered.map((number) => `snapshot-${number}.json`);
  if (names.includes(oldSnapshotName)) candidates.push(oldSnapshotName);
  let damaged: string | null = null;
  const damagedPaths: string[] = [];
  for (const name of candidates) {
    const path = join(folder, name);
    try {
      const bytes = await readFile(path);
      const isOld = name === oldSnapshotName;
      const snapshot = isOld ? parseOldSnapshot(bytes) : parseSnapshot(bytes);
      return { snapshot, damaged, isOld, damagedPaths };
    } catch (error) {
      if (isPassing(error)) throw error;
      damaged ??= `${name} is damaged (${systemErrorText(error)})`;
      damagedPaths.push(path);
    }
  }
  return { snapshot: noSnapshot, damaged, isOld: false, damagedPaths };
}

/** Codes of files that no later start will read either. */
const unreadableCodes: ReadonlySet<string> = new Set(["EIO", "ELOOP", "EISDIR"]);

/**
 * A problem of permissions or open files, not of the file: a start without the file would forget
 * its content.
 */
function isPassing(error: unknown): boolean {
  const { syscall, code = "" } = error as NodeJS.ErrnoException;
  return syscall !== undefined && !unreadableCodes.has(code);
}

function parseSnapshot(bytes: Buffer): Snapshot {
  return JSON.parse(readChecked(snapshotFormat, bytes)) as Snapshot;
}

function parseOldSnapshot(bytes: Buffer): Snapshot {
  const { format, ...snapshot } = JSON.parse(bytes.toString("utf8")) as Snapshot & {
    readonly format: string;
  };
  if (format !== oldSnapshotFormat) throw new Error(`its format is not ${oldSnapshotFormat}`);
  return snapshot;
}

interface Replayed {
  readonly events: readonly unknown[];
  readonly sequence: number;
  readonly linesDropped: number;
  /** The missing events; null: none. */
  readonly gap: string | null;
  /** No line was read at all. */
  readonly isBlank: boolean;
  readonly damagedPaths: readonly string[];
  /** Files that the disk cannot read. */
  readonly unreadPaths: readonly string[];
}

/** The events of all journals after a snapshot, and whether any are missing among them. */
async function replay(
  folder: string,
  numbers: readonly number[],
  snapshot: Snapshot,
): Promise<Replayed> {
  const events: unknown[] = [];
  let { sequence } = snapshot;
  let linesDropped = 0;
  let gap: string | null = null;
  let isBlank = true;
  const damagedPaths: string[] = [];
  const unreadPaths: string[] = [];
  for (const number of numbers.filter((one) => one >= snapshot.journal)) {
    const path = journalPath(folder, number);
    let bytes: Buffer;
    try {
      bytes = await readFile(path);
    } catch (error) {
      if (isPassing(error)) throw error;
      gap ??= `journal-${number}.log cannot be read (${systemErrorText(error)})`;
      unreadPaths.push(path);
      continue;
    }
    const found = readLines(bytes);
    linesDropped += found.damaged + found.torn;
    if (found.damaged > 0) {
      gap ??= `journal-${number}.log has ${found.damaged} damaged lines`;
      damagedPaths.push(path);
    }
    for (const line of found.lines) {
      isBlank = false;
      // Lines of the version before are numbered one by one.
      const previous = line.length === 1 ? line[0] : (line[2] ?? line[0] - 1);
      if (previous > sequence)
        gap ??= `events ${sequence + 1} to ${previous} are missing before journal-${number}.log`;
      if (line.length === 1) continue;
      if (line[0] > snapshot.sequence) events.push(line[1]);
      sequence = Math.max(sequence, line[0]);
    }
  }
  return { events, sequence, linesDropped, gap, isBlank, damagedPaths, unreadPaths };
}

interface ReadLines {
  readonly lines: readonly (EventLine | FirstLine)[];
  /** Lines that were whole once. */
  readonly damaged: number;
  /** Lines that a loss of power left in part, and those that were to be synced together with them. */
  readonly torn: number;
}

function readLines(bytes: Buffer): ReadLines {
  const hole = findUnwritten(bytes);
  if (hole !== null) {
    const before = parseLines(bytes.subarray(0, hole.from));
    const behind = parseLines(bytes.subarray(hole.to));
    const [last = 0] = before.lines.at(-1) ?? [];
    // Who writes waits for the sync, so that all behind was written with what is missing.
    if (behind.lines.every((line) => syncedBefore(line) <= last))
      return { ...before, torn: 1 + behind.lines.length };
  }
  return parseLines(bytes);
}

function parseLines(bytes: Buffer): ReadLines {
  const parts = bytes.toString("utf8").split("\n");
  // Every whole line ends with a newline: what follows the last one is torn.
  const torn = parts.pop() === "" ? 0 : 1;
  const lines: (EventLine | FirstLine)[] = [];
  let damaged = 0;
  for (const part of parts) {
    const body = part.slice(9);
    if (part.length > 9 && part.slice(0, 8) === checksum(body))
      lines.push(JSON.parse(body) as EventLine | FirstLine);
    else damaged++;
  }
  return { lines, damaged, torn };
}

/** The last event that was on the disk when the line was written, as far as the line says. */
function syncedBefore(line: EventLine | FirstLine): number {
  return line.length === 1 ? line[0] : (line[3] ?? line[2] ?? line[0] - 1);
}

/** What a disk writes at once: a loss of power leaves all of it, or nothing. */
const sectorBytes = 512;
/** A flipped bit makes one zero. */
const unwrittenBytesMin = 16;

/**
 * Zeros up to the end of a sector, with bytes behind: the disk had these, and the length of the file,
 * before the bytes in between. No line has zeros.
 */
function findUnwritten(bytes: Buffer): { readonly from: number; readonly to: number } | null {
  for (let from = bytes.indexOf(0); from >= 0; ) {
    let to = from;
    while (bytes[to] === 0) to++;
    const isUnwritten = to - from >= unwrittenBytesMin && to % sectorBytes === 0;
    if (isUnwritten && to < bytes.length) return { from, to };
    from = bytes.indexOf(0, to);
  }
  return null;
}

export function numbersOf(names: readonly string[], prefix: string, suffix: string): number[] {
  return names
    .filter((name) => name.startsWith(prefix) && name.endsWith(suffix))
    .map((name) => Number(name.slice(prefix.length, -suffix.length)))
    .filter(Number.isSafeInteger)
    .sort((a, b) => a - b);
}

export const journalPath = (folder: string, number: number): string =>
  join(folder, `journal-${number}.log`);
export const snapshotPath = (folder: string, number: number): string =>
  join(folder, `snapshot-${number}.json`);

export function printLine(line: EventLine | FirstLine): string {
  const text = JSON.stringify(line);
  return `${checksum(text)} ${text}\n`;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}
