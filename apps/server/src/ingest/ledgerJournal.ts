import { type FileHandle, mkdir, open, readdir, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { syncFolder, writeFileDurably } from "../base/durableFile.js";

/** A journal is replayed at every start: 8 MiB take well under a second. */
const journalBytesMax = 8_388_608;

const snapshotFormat = "hadal-ledger-1";

/** Events are numbered, so that none counts twice that a snapshot already holds. */
type NumberedEvent = readonly [sequence: number, event: unknown];

/** What a start finds: the newest snapshot and the events after it. */
export interface JournalContent {
  readonly snapshot: unknown;
  readonly events: readonly unknown[];
  /** Torn or damaged lines, left out. */
  readonly linesDropped: number;
}

/**
 * Events as lines of `crc32 [sequence, event]`, and a snapshot that stands for all journals before its own.
 *
 *   folder/snapshot.json      { format, journal: n, sequence, state }   all events up to the sequence
 *   folder/journal-<n>.log    the events since; its first ones may be in the snapshot already
 */
export class LedgerJournal {
  private waiting: { readonly line: string; readonly done: (error: Error | null) => void }[] = [];
  private writing: Promise<void> | null = null;
  private goodBytes = 0;

  private constructor(
    private readonly folder: string,
    private number: number,
    private file: FileHandle,
    /** Of the last event appended. */
    private sequence: number,
  ) {}

  /** Reads what is there and starts a new journal after it. */
  static async open(folder: string): Promise<{ journal: LedgerJournal; content: JournalContent }> {
    await mkdir(folder, { recursive: true });
    const snapshot = await readSnapshot(folder);
    const numbers = (await journalNumbers(folder)).filter((n) => n >= snapshot.journal);
    const events: unknown[] = [];
    let { sequence } = snapshot;
    let linesDropped = 0;
    for (const number of numbers) {
      const found = readLines(await readFile(journalPath(folder, number), "utf8"));
      for (const [own, event] of found.events) {
        if (own > snapshot.sequence) events.push(event);
        sequence = Math.max(sequence, own);
      }
      linesDropped += found.linesDropped;
    }
    const number = Math.max(snapshot.journal, 0, ...numbers) + 1;
    const file = await createJournal(folder, number);
    const journal = new LedgerJournal(folder, number, file, sequence);
    return { journal, content: { snapshot: snapshot.state, events, linesDropped } };
  }

  /** Whether it is time for a snapshot. */
  get full(): boolean {
    return this.goodBytes > journalBytesMax;
  }

  /** Appends an event; resolves when it is on disk. Events are on disk in the order they were appended. */
  append(event: unknown): Promise<void> {
    const text = JSON.stringify([++this.sequence, event] satisfies NumberedEvent);
    return new Promise((resolve, reject) => {
      this.waiting.push({
        line: `${checksum(text)} ${text}\n`,
        done: (error) => (error === null ? resolve() : reject(error)),
      });
      this.writing ??= this.writeWaiting();
    });
  }

  /** Replaces all events so far by the state they led to. Events are to be in the state as soon as they are appended. */
  async snapshot(state: () => unknown): Promise<void> {
    while (this.writing !== null) await this.writing;
    const number = this.number + 1;
    const next = createJournal(this.folder, number);
    // Events appended from here on wait for the new journal.
    let text = "";
    this.writing = next.then(async (file) => {
      const { sequence } = this;
      text = JSON.stringify({ format: snapshotFormat, journal: number, sequence, state: state() });
      await this.file.close();
      this.file = file;
      this.number = number;
      this.goodBytes = 0;
    });
    try {
      await this.writing;
    } finally {
      this.writing = this.waiting.length > 0 ? this.writeWaiting() : null;
    }
    await writeFileDurably(join(this.folder, "snapshot.json"), Buffer.from(text));
    for (const old of await journalNumbers(this.folder)) {
      if (old < number) await unlink(journalPath(this.folder, old));
    }
  }

  async close(): Promise<void> {
    while (this.writing !== null) await this.writing;
    await this.file.close();
  }

  /** One write and one sync for all events that came in meanwhile. */
  private async writeWaiting(): Promise<void> {
    while (this.waiting.length > 0) {
      const group = this.waiting;
      this.waiting = [];
      const bytes = Buffer.from(group.map(({ line }) => line).join(""));
      let failure: Error | null = null;
      try {
        for (let written = 0; written < bytes.length; ) {
          const [left, at] = [bytes.length - written, this.goodBytes + written];
          written += (await this.file.write(bytes, written, left, at)).bytesWritten;
        }
        await this.file.datasync();
        this.goodBytes += bytes.length;
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

function readLines(text: string): { events: NumberedEvent[]; linesDropped: number } {
  const lines = text.split("\n");
  // Every whole line ends with a newline: what follows the last one is torn.
  let linesDropped = lines.pop() === "" ? 0 : 1;
  const events: NumberedEvent[] = [];
  for (const line of lines) {
    const body = line.slice(9);
    if (line.length > 9 && line.slice(0, 8) === checksum(body))
      events.push(JSON.parse(body) as NumberedEvent);
    else linesDropped++;
  }
  return { events, linesDropped };
}

interface Snapshot {
  readonly journal: number;
  readonly sequence: number;
  readonly state: unknown;
}

async function readSnapshot(folder: string): Promise<Snapshot> {
  let text: string;
  try {
    text = await readFile(join(folder, "snapshot.json"), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      return { journal: 0, sequence: 0, state: null };
    throw error;
  }
  try {
    const snapshot = JSON.parse(text) as Snapshot & { readonly format: string };
    if (snapshot.format === snapshotFormat) return snapshot;
    throw new Error(`its format is ${snapshot.format}, not ${snapshotFormat}`);
  } catch (error) {
    // Without it completeness would be counted wrong, in silence: better not to start.
    const path = join(folder, "snapshot.json");
    throw new Error(`the snapshot of the row-count ledger, ${path}, cannot be read: ${error}`);
  }
}

async function createJournal(folder: string, number: number): Promise<FileHandle> {
  const file = await open(journalPath(folder, number), "w");
  await syncFolder(folder);
  return file;
}

async function journalNumbers(folder: string): Promise<number[]> {
  return (await readdir(folder))
    .map((name) => Number(/^journal-(\d+)\.log$/.exec(name)?.[1] ?? Number.NaN))
    .filter(Number.isSafeInteger)
    .sort((a, b) => a - b);
}

function journalPath(folder: string, number: number): string {
  return join(folder, `journal-${number}.log`);
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}
