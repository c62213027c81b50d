import { randomUUID } from "node:crypto";
import { Worker } from "node:worker_threads";
import { HadalError } from "@hadal/sdk";
import type { EncodedBatch } from "../place/outgoingBatch.js";
import type {
  BodyReader,
  CutPart,
  ReadBody,
  ReadMemory,
  ReadOutcome,
  ReadProgress,
  ReadRequest,
} from "./bodyReader.js";
import type { ShareRange } from "./dealRows.js";
import { blockBytesMax } from "./ingestMemory.js";
import {
  type BodyCall,
  type ReadMessage,
  type ReadReply,
  type ReadThreadStart,
  readingCall,
} from "./readMessages.js";

/** Blocks of one body that wait in the thread, beside the one that it reads. */
const blocksAhead = 1;

interface Call {
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

/** Reads bodies in another thread, so that this one stays free. */
export class ThreadReader implements BodyReader {
  readonly #script: URL;
  readonly #start: ReadThreadStart;
  readonly #warn: (text: string) => void;
  readonly #bodies = new Map<number, ThreadBody>();
  #worker: Worker;
  #lastId = 0;
  #isClosed = false;

  constructor(script: URL, start: ReadThreadStart, warn: (text: string) => void) {
    this.#script = script;
    this.#start = start;
    this.#warn = warn;
    this.#worker = this.#spawn();
  }

  async read(
    source: AsyncIterable<Uint8Array>,
    request: ReadRequest,
    memory: ReadMemory,
  ): Promise<ReadBody> {
    const id = ++this.#lastId;
    const worker = this.#worker;
    const body = new ThreadBody(id, memory, {
      post: (message, moved = []) => worker.postMessage(message, moved),
      warn: this.#warn,
      forget: () => this.#bodies.delete(id),
    });
    this.#bodies.set(id, body);
    try {
      await body.read(source, request);
      return body;
    } catch (error) {
      body.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.endThread();
  }

  /** Another one takes its place. */
  async endThread(): Promise<void> {
    await this.#worker.terminate();
  }

  #spawn(): Worker {
    const worker = new Worker(this.#script, { workerData: this.#start });
    worker.on("message", (reply: ReadReply) => this.#bodies.get(reply.id)?.receive(reply));
    worker.on("error", (error) => this.#warn(`reading thread: ${String(error)}`));
    worker.on("exit", () => this.#replace());
    return worker;
  }

  /** A thread that died takes the bodies with it that it had, never the server. */
  #replace(): void {
    for (const body of [...this.#bodies.values()]) body.end(threadEnded());
    if (!this.#isClosed) this.#worker = this.#spawn();
  }
}

interface ThreadWay {
  post(message: ReadMessage, moved?: ArrayBuffer[]): void;
  warn(text: string): void;
  forget(): void;
}

/** One body whose rows are in the thread. */
class ThreadBody implements ReadBody {
  readonly #id: number;
  readonly #memory: ReadMemory;
  readonly #way: ThreadWay;
  readonly #calls = new Map<number, Call>();
  #lastCall = readingCall;
  #outcome: ReadOutcome | null = null;
  /** Why the thread is lost. */
  #ended: unknown = null;
  #blocksAway = 0;
  #wake: () => void = () => undefined;

  constructor(id: number, memory: ReadMemory, way: ThreadWay) {
    this.#id = id;
    this.#memory = memory;
    this.#way = way;
  }

  get outcome(): ReadOutcome {
    if (this.#outcome === null) throw new Error("the body was not read");
    return this.#outcome;
  }

  async read(source: AsyncIterable<Uint8Array>, request: ReadRequest): Promise<void> {
    const outcome = this.#expect<ReadOutcome>(readingCall);
    this.#way.post({ kind: "read", id: this.#id, request });
    this.#pump(source).catch((error: unknown) => this.end(error));
    this.#outcome = await outcome;
  }

  async cut(
    batch: number,
    batchId: string,
    ranges: readonly ShareRange[],
  ): Promise<readonly (CutPart | null)[]> {
    return this.#call({ kind: "cut", batch, batchId, ranges });
  }

  async encode(part: number): Promise<EncodedBatch> {
    return this.#call({ kind: "encode", part });
  }

  close(): void {
    this.end(new HadalError("cancelled"));
    this.#way.post({ kind: "close", id: this.#id });
    this.#way.forget();
  }

  /** Fails every request without an answer. */
  end(reason: unknown): void {
    this.#ended ??= reason;
    for (const [call, { reject }] of this.#calls) {
      this.#calls.delete(call);
      reject(reason);
    }
    this.#wake();
  }

  receive(reply: ReadReply): void {
    if (reply.kind === "taken") {
      this.#blocksAway--;
      this.#wake();
    } else if (reply.kind === "cover") void this.#cover(reply.progress);
    else this.#settle(reply);
  }

  #settle(reply: Exclude<ReadReply, { kind: "taken" | "cover" }>): void {
    const found = this.#calls.get(reply.call);
    this.#calls.delete(reply.call);
    if (reply.kind === "answer") found?.resolve(reply.value as never);
    else if (reply.kind === "problem") found?.reject(HadalError.fromProblem(reply.problem));
    else {
      const id = randomUUID();
      this.#way.warn(`problem ${id}: ${reply.text}`);
      found?.reject(new HadalError("internal", { id }));
    }
  }

  /**
   * Sends blocks until there are no more, or the thread has stopped reading. A message costs as much
   * as reading some tens of KB, and from a socket come 64 at most: several are sent as one.
   */
  async #pump(source: AsyncIterable<Uint8Array>): Promise<void> {
    const isRead = (): boolean => this.#ended === null && this.#calls.has(readingCall);
    let parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const part of source) {
      if (bytes > 0 && bytes + part.length > blockBytesMax) {
        await this.#send(parts, bytes, isRead);
        parts = [];
        bytes = 0;
      }
      if (!isRead()) return;
      parts.push(part);
      bytes += part.length;
    }
    if (bytes > 0) await this.#send(parts, bytes, isRead);
    if (isRead()) this.#way.post({ kind: "end", id: this.#id });
  }

  /** Sends parts of a body as one block once there is room for it in the thread. */
  async #send(parts: readonly Uint8Array[], bytes: number, isRead: () => boolean): Promise<void> {
    while (isRead() && this.#blocksAway >= blocksAhead)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    if (!isRead()) return;
    // What comes from a socket is a part of a buffer that is not ours to move.
    const block = Buffer.allocUnsafeSlow(bytes);
    let at = 0;
    for (const part of parts) {
      block.set(part, at);
      at += part.length;
    }
    this.#blocksAway++;
    this.#way.post({ kind: "block", id: this.#id, bytes: block }, [block.buffer as ArrayBuffer]);
  }

  async #cover(progress: ReadProgress): Promise<void> {
    try {
      const covered = await this.#memory.coverNext(progress);
      if (this.#ended === null)
        this.#way.post({ kind: "covered", id: this.#id, bodyBytes: covered });
    } catch (error) {
      this.end(error);
    }
  }

  #call<Value>(ask: BodyCall): Promise<Value> {
    if (this.#ended !== null) return Promise.reject(this.#ended);
    const call = ++this.#lastCall;
    const answer = this.#expect<Value>(call);
    this.#way.post({ kind: "call", id: this.#id, call, ask });
    return answer;
  }

  #expect<Value>(call: number): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#calls.set(call, { resolve, reject });
    });
  }
}

function threadEnded(): HadalError {
  const detail =
    "The thread that reads rows has ended, and what was not stored is lost to it. Send it again.";
  return new HadalError("unavailable", { detail });
}
