import {
  copyFile,
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
} from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { printChecked, readChecked } from "../base/checkedText.js";
import { syncFolder, writeFileDurably } from "../base/durableFile.js";

/** A journal is replayed at every start: 8 MiB take well under a second. */
const journalBytesMax = 8_388_608;

const snapshotFormat = "hadal-ledger-2";
/** Of the version before: one file without a checksum. */
const oldSnapshotFormat = "hadal-ledger-1";
const oldSnapshotName = "snapshot.json";
const damagedSuffix = ".damaged";

/**
 * Events are numbered, so that none counts twice that a snapshot already holds. `previous` is the number of the event
 * on the disk before it: where it is not there, events are lost. Lines of the version before have none.
 */
type EventLine = readonly [sequence: number, event: unknown, previous?: number];
/** First line of a journal: the number of the last event before it. */
type FirstLine = readonly [previous: number];

/** What a start finds: the newest snapshot that is whole, and the events after it. */
export interface JournalContent {
  readonly snapshot: unknown;
  readonly events: readonly unknown[];
  /** Torn or damaged lines, left out. */
  readonly linesDropped: number;
  /** Why state and events may not be all that was ever appended; null: they are. */
  readonly loss: string | null;
  /** What was damaged and set aside, whether anything is lost by it or not. */
  readonly damaged: string | null;
  /** There was nothing in it. */
  readonly isNew: boolean;
  /** A snapshot is to be made. */
  readonly isBehind: boolean;
}

/**
 * Events as lines of `crc32 [sequence, event, previous]`, and snapshots that stand for all journals before their own.
 * Two snapshots are kept, and the journals since the older: a damaged one is made again without loss.
 *
 *   folder/snapshot-<n>.json  "hadal-ledger-2" SHA-256, then { journal: n, sequence, state }: events up to the sequence
 *   folder/journal-<n>.log    the events since; its first ones may be in the snapshot already
 */
export class LedgerJournal {
  private waiting: {
    readonly sequence: number;
    readonly event: unknown;
    readonly done: (error: Error | null) => void;
  }[] = [];
  private writing: Promise<void> | null = null;
  private goodBytes = 0;
  /** Number of the last event that is on the disk. */
  private written: number;

  private constructor(
    private readonly folder: string,
    private number: number,
    private file: FileHandle,
    /** Of the last event appended. */
    private sequence: number,
    /** Journal of the newest snapshot that is whole; 0: there is none, and all journals are kept. */
    private base: number,
  ) {
    this.written = sequence;
  }

  /** Reads what is there and starts a new journal after it. What cannot be read is set aside. */
  static async open(folder: string): Promise<{ journal: LedgerJournal; content: JournalContent }> {
    await mkdir(folder, { recursive: true });
    const names = await readdir(folder);
    const numbers = numbersOf(names, "journal-", ".log");
    const { snapshot, damaged, isOld } = await readNewestSnapshot(folder, names);
    const replayed = await replay(folder, numbers, snapshot);
    const last = Math.max(
      snapshot.journal,
      0,
      ...numbers,
      ...numbersOf(names, "snapshot-", ".json"),
    );
    const number = last + 1;
    const { file, bytes } = await createJournal(folder, number, replayed.sequence);
    const journal = new LedgerJournal(folder, number, file, replayed.sequence, snapshot.journal);
    journal.goodBytes = bytes;
    const { events, linesDropped, gap } = replayed;
    const isNew = snapshot.state === null && events.length === 0;
    // Without a gap the journals since an older snapshot, or since the first event, make up for a damaged one.
    const loss = gap ?? (damaged !== null && replayed.isBlank ? damaged : null);
    // Journals of earlier starts must not pile up, and state without a checksum is to have one.
    const isBehind = events.length > 0 || loss !== null || damaged !== null || isOld;
    const { state } = snapshot;
    const content = { snapshot: state, events, linesDropped, loss, damaged, isNew, isBehind };
    return { journal, content };
  }

  /** Whether it is time for a snapshot. */
  get full(): boolean {
    return this.goodBytes > journalBytesMax;
  }

  /** Appends an event; resolves when it is on disk. Events are on disk in the order they were appended. */
  append(event: unknown): Promise<void> {
    const sequence = ++this.sequence;
    return new Promise((resolve, reject) => {
      const done = (error: Error | null): void => (error === null ? resolve() : reject(error));
      this.waiting.push({ sequence, event, done });
      this.writing ??= this.writeWaiting();
    });
  }

  /** Replaces all events so far by the state they led to. Events are to be in the state as soon as they are appended. */
  async snapshot(state: () => unknown): Promise<void> {
    while (this.writing !== null) await this.writing;
    const number = this.number + 1;
    const next = createJournal(this.folder, number, this.written);
    // Events appended from here on wait for the new journal.
    let text = "";
    this.writing = next.then(async ({ file, bytes }) => {
      const { sequence } = this;
      text = JSON.stringify({ journal: number, sequence, state: state() });
      await this.file.close();
      this.file = file;
      this.number = number;
      this.goodBytes = bytes;
    });
    try {
      await this.writing;
    } finally {
      this.writing = this.waiting.length > 0 ? this.writeWaiting() : null;
    }
    const path = snapshotPath(this.folder, number);
    await writeFileDurably(path, printChecked(snapshotFormat, text));
    await this.removeBefore(this.base);
    this.base = number;
  }

  async close(): Promise<void> {
    while (this.writing !== null) await this.writing;
    await this.file.close();
  }

  private async removeBefore(number: number): Promise<void> {
    const names = await readdir(this.folder);
    const old = [
      ...numbersOf(names, "journal-", ".log")
        .filter((n) => n < number)
        .map((n) => journalPath(this.folder, n)),
      ...numbersOf(names, "snapshot-", ".json")
        .filter((n) => n < number)
        .map((n) => snapshotPath(this.folder, n)),
    ];
    // The older of two snapshots may be the file of the version before.
    const isOldNeeded = number > 0 && !names.includes(`snapshot-${number}.json`);
    if (number > 0 && !isOldNeeded) old.push(join(this.folder, oldSnapshotName));
    for (const path of old) await rm(path, { force: true });
  }

  /** One write and one sync for all events that came in meanwhile. */
  private async writeWaiting(): Promise<void> {
    while (this.waiting.length > 0) {
      const group = this.waiting;
      this.waiting = [];
      let previous = this.written;
      let text = "";
      for (const { sequence, event } of group) {
        text += printLine([sequence, event, previous] satisfies EventLine);
        previous = sequence;
      }
      const bytes = Buffer.from(text);
      let failure: Error | null = null;
      try {
        for (let written = 0; written < bytes.length; ) {
          const [left, at] = [bytes.length - written, this.goodBytes + written];
          written += (await this.file.write(bytes, written, left, at)).bytesWritten;
        }
        await this.file.datasync();
        this.goodBytes += bytes.length;
        this.written = previous;
      } catch (error) {
        failure = error as Error;
        // The next group is written over what may be half a line.
        await this.file.truncate(this.goodBytes).catch(() => undefined);
      }
      for (const { done } of group) done(failure);
    }
    this.writing = null;
  }
}

interface Snapshot {
  readonly journal: number;
  readonly sequence: number;
  readonly state: unknown;
}

const noSnapshot: Snapshot = { journal: 0, sequence: 0, state: null };

/** The newest that is whole; others before it are set aside. */
async function readNewestSnapshot(
  folder: string,
  names: readonly string[],
): Promise<{ snapshot: Snapshot; damaged: string | null; isOld: boolean }> {
  const numbered = numbersOf(names, "snapshot-", ".json").reverse();
  const candidates = numbered.map((number) => `snapshot-${number}.json`);
  if (names.includes(oldSnapshotName)) candidates.push(oldSnapshotName);
  let damaged: string | null = null;
  for (const name of candidates) {
    const path = join(folder, name);
    const bytes = await readFile(path);
    try {
      const isOld = name === oldSnapshotName;
      const snapshot = isOld ? parseOldSnapshot(bytes) : parseSnapshot(bytes);
      return { snapshot, damaged, isOld };
    } catch (error) {
      damaged ??= `${name} is damaged (${error instanceof Error ? error.message : error})`;
      await rename(path, `${path}${damagedSuffix}`);
    }
  }
  return { snapshot: noSnapshot, damaged, isOld: false };
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
  /** What is missing between the lines; null: nothing. */
  readonly gap: string | null;
  /** No line was read at all. */
  readonly isBlank: boolean;
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
  for (const number of numbers.filter((one) => one >= snapshot.journal)) {
    const path = journalPath(folder, number);
    const found = readLines(await readFile(path, "utf8"));
    linesDropped += found.damaged + found.torn;
    if (found.damaged > 0) {
      gap ??= `journal-${number}.log has ${found.damaged} damaged lines`;
      await copyFile(path, `${path}${damagedSuffix}`);
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
  return { events, sequence, linesDropped, gap, isBlank };
}

function readLines(text: string): {
  lines: (EventLine | FirstLine)[];
  damaged: number;
  torn: number;
} {
  const parts = text.split("\n");
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

async function createJournal(
  folder: string,
  number: number,
  previous: number,
): Promise<{ file: FileHandle; bytes: number }> {
  const file = await open(journalPath(folder, number), "w");
  const line = Buffer.from(printLine([previous] satisfies FirstLine));
  try {
    await file.writeFile(line);
    await file.datasync();
    await syncFolder(folder);
  } catch (error) {
    await file.close();
    throw error;
  }
  return { file, bytes: line.length };
}

function numbersOf(names: readonly string[], prefix: string, suffix: string): number[] {
  return names
    .filter((name) => name.startsWith(prefix) && name.endsWith(suffix))
    .map((name) => Number(name.slice(prefix.length, -suffix.length)))
    .filter(Number.isSafeInteger)
    .sort((a, b) => a - b);
}

const journalPath = (folder: string, number: number): string =>
  join(folder, `journal-${number}.log`);
const snapshotPath = (folder: string, number: number): string =>
  join(folder, `snapshot-${number}.json`);

function printLine(line: EventLine | FirstLine): string {
  const text = JSON.stringify(line);
  return `${checksum(text)} ${text}\n`;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}
