import { parentPort, workerData } from "node:worker_threads";
import { JsonRows } from "@hadal/kernel-wasm";
import { HadalError } from "@hadal/sdk";
import type { ReadBody, ReadMemory, ReadProgress, ReadRequest } from "./bodyReader.js";
import { LocalReader } from "./localReader.js";
import {
  type BodyCall,
  type ReadMessage,
  type ReadReply,
  type ReadThreadStart,
  readingCall,
} from "./readMessages.js";

const port = parentPort;
if (port === null) throw new Error("readThread runs as a worker only");
const { jsonModule, seed } = workerData as ReadThreadStart;
const reader = new LocalReader(new JsonRows(jsonModule, { seed }));
const bodies = new Map<number, SentBody>();

/** A body whose blocks come as messages. */
class SentBody implements ReadMemory {
  readonly #id: number;
  #blocks: Uint8Array[] = [];
  #isEnded = false;
  #isClosed = false;
  #wake: () => void = () => undefined;
  #covered: (bodyBytes: number) => void = () => undefined;
  #read: ReadBody | null = null;

  constructor(id: number) {
    this.#id = id;
  }

  async start(request: ReadRequest): Promise<void> {
    await answer(this.#id, readingCall, async () => {
      this.#read = await reader.read(this.#takeBlocks(), request, this);
      if (this.#isClosed) this.#read.close();
      return this.#read.outcome;
    });
  }

  push(bytes: Uint8Array): void {
    this.#blocks.push(bytes);
    this.#wake();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  /** Reading ends at the next block. */
  close(): void {
    this.#isClosed = true;
    this.#read?.close();
    this.#covered(0);
    this.#wake();
  }

  coverNext(progress: ReadProgress): Promise<number> {
    send({ kind: "cover", id: this.#id, progress });
    return new Promise((resolve) => {
      this.#covered = resolve;
    });
  }

  covered(bodyBytes: number): void {
    this.#covered(bodyBytes);
  }

  async call(ask: BodyCall): Promise<Extract<ReadReply, { kind: "answer" }>["value"]> {
    if (this.#read === null) throw new Error(`${ask.kind} of a body that was not read`);
    if (ask.kind === "encode") return this.#read.encode(ask.part);
    return this.#read.cut(ask.batch, ask.batchId, ask.ranges);
  }

  async *#takeBlocks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      if (this.#isClosed) throw new HadalError("cancelled");
      const block = this.#blocks.shift();
      if (block !== undefined) {
        send({ kind: "taken", id: this.#id });
        yield block;
      } else if (this.#isEnded) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}

port.on("message", (message: ReadMessage) => {
  const { id } = message;
  if (message.kind === "read") {
    const body = new SentBody(id);
    bodies.set(id, body);
    void body.start(message.request);
    return;
  }
  const body = bodies.get(id);
  if (body === undefined) throw new Error(`${message.kind} of a body that was closed`);
  if (message.kind === "block") body.push(message.bytes);
  else if (message.kind === "end") body.end();
  else if (message.kind === "covered") body.covered(message.bodyBytes);
  else if (message.kind === "call") void answer(id, message.call, () => body.call(message.ask));
  else {
    bodies.delete(id);
    body.close();
  }
});

type Value = Extract<ReadReply, { kind: "answer" }>["value"];

async function answer(id: number, call: number, work: () => Promise<Value>): Promise<void> {
  try {
    const value = await work();
    send({ kind: "answer", id, call, value }, "bytes" in value ? bytesOf(value.bytes) : []);
  } catch (error) {
    if (error instanceof HadalError)
      send({ kind: "problem", id, call, problem: error.toProblem() });
    else {
      const text = error instanceof Error ? String(error.stack) : String(error);
      send({ kind: "failure", id, call, text });
    }
  }
}

/** Bytes that are alone in their buffer are moved instead of copied. */
function bytesOf(bytes: unknown): ArrayBuffer[] {
  if (!(bytes instanceof Uint8Array) || bytes.length < bytes.buffer.byteLength) return [];
  return [bytes.buffer as ArrayBuffer];
}

function send(reply: ReadReply, moved: ArrayBuffer[] = []): void {
  port?.postMessage(reply, moved);
}
