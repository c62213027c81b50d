import { setTimeout as delay } from "node:timers/promises";
import { HadalError, type IngestReply, type RowProblem } from "@hadal/sdk";
import { bodyBytesTarget, recordBytesMax } from "../ingest/bodyCutter.js";
import { type FoundFile, findFiles } from "./findFiles.js";
import { FollowedFile } from "./followedFile.js";
import type { FilePosition, FollowState, Sending } from "./followState.js";

export interface FollowerOptions {
  /** Files, patterns and folders. */
  readonly patterns: readonly string[];
  /** Files that are there at the very first start are read from here. */
  readonly from: "start" | "end";
  /** Ends when everything is sent. */
  readonly isOnce: boolean;
  /** How many of the bytes are whole records, whatever follows. */
  readonly wholeBytes: (bytes: Buffer) => number;
  /** Sends one body; rejects with a HadalError. */
  readonly send: (body: Buffer, key: string, signal: AbortSignal) => Promise<IngestReply>;
  readonly onReply: (path: string, outcome: SendOutcome) => void;
  readonly note: (text: string) => void;
  readonly signal: AbortSignal;
}

export interface SendOutcome {
  readonly accepted: number;
  readonly rejected: number;
  readonly problems: readonly RowProblem[];
}

/** Between two looks at the files. */
const pollMs = 250;
/** Between two searches for new files, and new names. */
const findMs = 1_000;
/** After this the last event has no more lines. */
const quietMs = 1_000;
/** A file that is renamed or removed is read until it has been quiet for so long. */
const rotatedMs = 60_000;
/** A body that is not answered by then is sent again, with the same key. */
const attemptMs = 60_000;
const backoffMsMax = 15_000;

/** Sends what is added to files, one body after the other: a server that takes less slows the reading. */
export class Follower {
  readonly #state: FollowState;
  readonly #options: FollowerOptions;
  readonly #files = new Map<string, FollowedFile>();
  readonly #unreadable = new Set<string>();
  #found: ReadonlyMap<string, FoundFile> = new Map();

  constructor(state: FollowState, options: FollowerOptions) {
    this.#state = state;
    this.#options = options;
  }

  /** Resolves when it is stopped, or everything is sent where that is asked for. */
  async run(): Promise<void> {
    const { signal, isOnce } = this.#options;
    try {
      for (const position of this.#state.files.values())
        this.#files.set(position.identity, new FollowedFile(position));
      const left = await this.#state.unanswered();
      if (left !== null) await this.#deliver(left.body, left.sending);
      let isFirst = this.#state.files.size === 0;
      let foundMs = Number.NEGATIVE_INFINITY;
      while (!signal.aborted) {
        if (performance.now() - foundMs >= findMs) {
          await this.#find(isFirst);
          isFirst = false;
          foundMs = performance.now();
        }
        if (await this.#advanceAll()) continue;
        if (isOnce) break;
        await delay(pollMs, undefined, { signal });
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      for (const file of this.#files.values()) await file.close();
    }
  }

  async #find(isFirst: boolean): Promise<void> {
    const found = await findFiles(this.#options.patterns);
    this.#found = new Map(found.map((file) => [file.identity, file]));
    for (const { identity, path, bytes } of found) {
      if (this.#files.has(identity)) continue;
      const offset = isFirst && this.#options.from === "end" ? bytes : 0;
      const position: FilePosition = {
        ...{ path, identity, offset },
        ...{ generation: 0, headBytes: 0, headHash: "" },
      };
      this.#state.files.set(identity, position);
      this.#files.set(identity, new FollowedFile(position));
    }
    if (isFirst) await this.#state.save();
  }

  /** Whether anything was sent. */
  async #advanceAll(): Promise<boolean> {
    let isAny = false;
    for (const file of [...this.#files.values()]) {
      if (this.#options.signal.aborted) break;
      if (await this.#advance(file)) isAny = true;
    }
    return isAny;
  }

  async #advance(file: FollowedFile): Promise<boolean> {
    const { position } = file;
    const found = this.#found.get(position.identity) ?? null;
    const nowMs = performance.now();
    const bytes = await file.look(found, nowMs);
    if (bytes === null && found !== null) {
      if (file.mayNotRead) this.#noteUnreadable(found.path);
      return false;
    }
    const isRotated = found === null && file.quietMs(nowMs) >= rotatedMs;
    if (bytes === null || (isRotated && bytes === position.offset)) {
      if (bytes === null)
        this.#options.note(`${position.path} is gone; it was sent up to byte ${position.offset}`);
      await this.#forget(file);
      return false;
    }
    if (bytes === position.offset) {
      if (file.quietMs(nowMs) >= rotatedMs) await file.close();
      return false;
    }
    const isLast = this.#options.isOnce || isRotated;
    const isQuiet = isLast || file.quietMs(nowMs) >= quietMs;
    const body = await this.#takeBody(file, bytes - position.offset, { isLast, isQuiet });
    if (body === null) return false;
    await this.#deliver(body, await this.#state.begin(position, body));
    return true;
  }

  /** What can be sent of the bytes behind the position; null: nothing yet. */
  async #takeBody(
    file: FollowedFile,
    unreadBytes: number,
    { isLast, isQuiet }: { readonly isLast: boolean; readonly isQuiet: boolean },
  ): Promise<Buffer | null> {
    for (const bytesMax of [bodyBytesTarget, recordBytesMax]) {
      const bytes = await file.read(Math.min(unreadBytes, bytesMax));
      if (bytes === null || bytes.length === 0) return null;
      const isAll = bytes.length === unreadBytes;
      if (isAll && isLast) return bytes;
      const whole = isAll && isQuiet ? bytes.lastIndexOf(10) + 1 : this.#options.wholeBytes(bytes);
      if (whole > 0) return bytes.subarray(0, whole);
      if (isAll) return null;
      // No record is as long: the server refuses it by its length.
      if (bytesMax === recordBytesMax) return bytes;
    }
    return null;
  }

  /** Once: it may become readable. */
  #noteUnreadable(path: string): void {
    if (!this.#unreadable.has(path)) this.#options.note(`${path}: access is denied`);
    this.#unreadable.add(path);
  }

  async #forget(file: FollowedFile): Promise<void> {
    await file.close();
    this.#files.delete(file.position.identity);
    this.#state.files.delete(file.position.identity);
    await this.#state.save();
  }

  /** Until it is answered, however long the server is away. */
  async #deliver(body: Buffer, sending: Sending): Promise<void> {
    const path = this.#state.files.get(sending.identity)?.path ?? "a file that is gone";
    this.#options.onReply(path, await this.#send(body, sending.key));
    await this.#state.finish(sending);
  }

  async #send(body: Buffer, key: string): Promise<SendOutcome> {
    const { send, signal, note } = this.#options;
    for (let attempt = 0; ; attempt++) {
      const timeout = AbortSignal.timeout(attemptMs);
      try {
        return await send(body, key, AbortSignal.any([signal, timeout]));
      } catch (error) {
        if (signal.aborted) throw error;
        const refused = refusalOf(error);
        if (refused !== null) return refused;
        const isPassing = timeout.aborted || (error instanceof HadalError && error.retry);
        if (!isPassing) throw error;
        if (attempt === 0) note(`waiting for the server: ${(error as Error).message}`);
        await delay(Math.min(backoffMsMax, 200 * 2 ** attempt), undefined, { signal });
      }
    }
  }
}

/** A body without one right row: its lines are refused, and the file goes on behind them. */
function refusalOf(error: unknown): SendOutcome | null {
  if (!(error instanceof HadalError)) return null;
  if (error.code !== "rows-rejected" && error.code !== "body-undecodable") return null;
  const problems = error.errors.flatMap(({ line = 1, code, detail }) => [{ line, code, detail }]);
  return { accepted: 0, rejected: Math.max(1, problems.length), problems };
}
