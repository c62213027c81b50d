import { copyFile, type FileHandle, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { printChecked } from "../../base/bytes/checkedText.js";
import { makeFolder, syncFolder, writeFileDurably } from "../../base/file/durableFile.js";
import {
  type EventLine,
  type FirstLine,
  type JournalContent,
  journalPath,
  numbersOf,
  oldSnapshotName,
  printLine,
  readLedger,
  snapshotFormat,
  snapshotPath,
} from "./ledgerFiles.js";

/** A journal is replayed at every start: 8 MiB take well under a second. */
const journalBytesMax = 8_388_608;
const damagedSuffix = ".damaged";

interface JournalStart {
  readonly folder: string;
  readonly number: number;
  readonly file: FileHandle;
  /** Number of the last event that was read. */
  readonly sequence: number;
  readonly base: number;
}

interface Waiting {
  readonly sequence: number;
  readonly event: unknown;
  readonly done: (error: Error | null) => void;
  readonly kind: "event" | "note";
}

/**
 * Events as lines of `crc32 [sequence, event, previous, synced]`, and snapshots that stand for all journals
 * before their own. Two snapshots are kept, and the journals since the older: a damaged one is made
 * again without loss.
 *
 *   folder/snapshot-<n>.json  "hadal-ledger-2" SHA-256, then { journal: n, sequence, state }: events up to the sequence
 *   folder/journal-<n>.log    the events since; its first ones may be in the snapshot already
 */
export class LedgerJournal {
  readonly #folder: string;
  #number: number;
  #file: FileHandle;
  /** Of the last event appended. */
  #sequence: number;
  /** Journal of the newest snapshot that is whole; 0: there is none, and all journals are kept. */
  #base: number;
  #waiting: Waiting[] = [];
  /** Notes that could not be written: they come before all that is appended later. */
  #left: Waiting[] = [];
  #writing: Promise<void> | null = null;
  #goodBytes = 0;
  /** Number of the last event that is on the disk. */
  #written: number;

  private constructor({ folder, number, file, sequence, base }: JournalStart) {
    this.#folder = folder;
    this.#number = number;
    this.#file = file;
    this.#sequence = sequence;
    this.#base = base;
    this.#written = sequence;
  }

  /**
   * Reads the files of the folder and starts a new journal after them. Damaged files are renamed.
   */
  static async open(folder: string): Promise<{ journal: LedgerJournal; content: JournalContent }> {
    await makeFolder(folder);
    const { content, damagedFiles, last, sequence, base } = await readLedger(folder);
    for (const { path, isReplaced } of damagedFiles) {
      if (isReplaced) await rename(path, `${path}${damagedSuffix}`);
      else await copyFile(path, `${path}${damagedSuffix}`);
    }
    const number = last + 1;
    const { file, bytes } = await createJournal(folder, number, sequence);
    const journal = new LedgerJournal({ folder, number, file, sequence, base });
    journal.#goodBytes = bytes;
    return { journal, content };
  }

  /** Whether it is time for a snapshot. */
  get full(): boolean {
    return this.#goodBytes > journalBytesMax;
  }

  /**
   * Appends an event; resolves when it is on disk. Events are on disk in the order they were
   * appended.
   */
  append(event: unknown): Promise<void> {
    return this.#append(event, "event");
  }

  /**
   * The same for what has happened, whatever the disk does. It may reject; but no later event is on
   * disk without it.
   */
  note(event: unknown): Promise<void> {
    return this.#append(event, "note");
  }

  /** Replaces all events so far by the resulting state, which must contain every appended event. */
  async snapshot(state: () => unknown): Promise<void> {
    while (this.#writing !== null) await this.#writing;
    const number = this.#number + 1;
    const next = createJournal(this.#folder, number, this.#written);
    // Events appended from here on wait for the new journal.
    let text = "";
    this.#writing = next.then(async ({ file, bytes }) => {
      const sequence = this.#sequence;
      text = JSON.stringify({ journal: number, sequence, state: state() });
      await this.#file.close();
      this.#file = file;
      this.#number = number;
      this.#goodBytes = bytes;
    });
    try {
      await this.#writing;
    } finally {
      this.#writing = this.#waiting.length > 0 ? this.#writeWaiting() : null;
    }
    const path = snapshotPath(this.#folder, number);
    await writeFileDurably(path, printChecked(snapshotFormat, text));
    await this.#removeBefore(this.#base);
    this.#base = number;
  }

  async close(): Promise<void> {
    while (this.#writing !== null) await this.#writing;
    await this.#file.close();
  }

  #append(event: unknown, kind: Waiting["kind"]): Promise<void> {
    const sequence = ++this.#sequence;
    return new Promise((resolve, reject) => {
      const done = (error: Error | null): void => (error === null ? resolve() : reject(error));
      this.#waiting.push({ sequence, event, done, kind });
      this.#writing ??= this.#writeWaiting();
    });
  }

  async #removeBefore(number: number): Promise<void> {
    const names = await readdir(this.#folder);
    const old = [
      ...numbersOf(names, "journal-", ".log")
        .filter((n) => n < number)
        .map((n) => journalPath(this.#folder, n)),
      ...numbersOf(names, "snapshot-", ".json")
        .filter((n) => n < number)
        .map((n) => snapshotPath(this.#folder, n)),
    ];
    // The older of two snapshots may be the file of the version before.
    const isOldNeeded = number > 0 && !names.includes(`snapshot-${number}.json`);
    if (number > 0 && !isOldNeeded) old.push(join(this.#folder, oldSnapshotName));
    for (const path of old) await rm(path, { force: true });
  }

  /** Writes and syncs all waiting events together. */
  async #writeWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = [...this.#left, ...this.#waiting];
      this.#left = [];
      this.#waiting = [];
      const synced = this.#written;
      let previous = synced;
      let text = "";
      for (const { sequence, event } of group) {
        const line = [sequence, event, previous] as const satisfies EventLine;
        text += printLine(previous === synced ? line : [...line, synced]);
        previous = sequence;
      }
      const bytes = Buffer.from(text);
      let failure: Error | null = null;
      try {
        for (let written = 0; written < bytes.length; ) {
          const [left, at] = [bytes.length - written, this.#goodBytes + written];
          written += (await this.#file.write(bytes, written, left, at)).bytesWritten;
        }
        await this.#file.datasync();
        this.#goodBytes += bytes.length;
        this.#written = previous;
      } catch (error) {
        failure = error as Error;
        this.#left = group.filter(({ kind }) => kind === "note");
        // The next group is written over what may be half a line.
        await this.#file.truncate(this.#goodBytes).catch(() => undefined);
      }
      for (const { done } of group) done(failure);
    }
    this.#writing = null;
  }
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
