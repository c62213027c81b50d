import { randomUUID } from "node:crypto";
import { Worker } from "node:worker_threads";
import { HadalError } from "@hadal/sdk";
import { PlainEncoder } from "../../base/bytes/plainCodec.js";
import type { StopSignal } from "../../base/schedule/stopController.js";
import type { ScanAnswer } from "../task/scanAnswer.js";
import type { ScanTask } from "../task/scanTask.js";
import type { ScanHost } from "./scanHost.js";
import {
  movedBytesMin,
  type ScanReply,
  type ScanRequest,
  type ScanThreadStart,
} from "./scanMessages.js";

interface Pending {
  /** As of its last answer. */
  rowsScanned: number;
  readonly onAnswer: (answer: ScanAnswer) => void;
  readonly resolve: (answer: ScanAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** The leaf's main thread's handle on its scan thread. */
export class ScanThread implements ScanHost {
  readonly #pending = new Map<number, Pending>();
  #worker: Worker;
  /** Of this worker: the next one has seen no shapes yet. */
  #encoder = new PlainEncoder();
  #rowsScanned = 0;
  #closed = false;

  readonly #script: URL;
  readonly #start: ScanThreadStart;
  readonly #warn: (text: string) => void;

  private constructor(script: URL, start: ScanThreadStart, warn: (text: string) => void) {
    this.#script = script;
    this.#start = start;
    this.#warn = warn;
    this.#worker = this.#spawn();
  }

  static async start(
    script: URL,
    start: ScanThreadStart,
    warn: (text: string) => void,
  ): Promise<ScanThread> {
    const thread = new ScanThread(script, start, warn);
    await new Promise<void>((resolve, reject) => {
      thread.#worker.once("message", () => resolve());
      thread.#worker.once("error", reject);
    });
    return thread;
  }

  get rowsScanned(): number {
    let rows = this.#rowsScanned;
    for (const pending of this.#pending.values()) rows += pending.rowsScanned;
    return rows;
  }

  get running(): number {
    return this.#pending.size;
  }

  run(
    task: ScanTask,
    signal: StopSignal,
    onAnswer: (answer: ScanAnswer) => void,
  ): Promise<ScanAnswer> {
    return new Promise((resolve, reject) => {
      const cancel = (): void => this.#post({ kind: "cancel", id: task.id });
      const settle =
        <Value>(settleWith: (value: Value) => void) =>
        (value: Value): void => {
          signal.removeEventListener("abort", cancel);
          this.#pending.delete(task.id);
          settleWith(value);
        };
      this.#pending.set(task.id, {
        rowsScanned: 0,
        onAnswer,
        resolve: settle(resolve),
        reject: settle(reject),
      });
      this.#postTask(task);
      if (signal.aborted) cancel();
      else signal.addEventListener("abort", cancel, { once: true });
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#worker.terminate();
  }

  #postTask(task: ScanTask): void {
    const encoded = this.#encoder.encode(task);
    const buffers = [encoded.numbers.buffer, encoded.bigints.buffer] as ArrayBuffer[];
    this.#worker.postMessage(
      { kind: "scan", task: encoded } satisfies ScanRequest,
      buffers.filter(({ byteLength }) => byteLength >= movedBytesMin),
    );
  }

  #post(request: ScanRequest): void {
    this.#worker.postMessage(request);
  }

  #spawn(): Worker {
    const worker = new Worker(this.#script, { workerData: this.#start });
    worker.on("message", (reply: ScanReply) => this.#receive(reply));
    worker.on("error", (error) => this.#warn(`scan thread: ${String(error)}`));
    worker.on("exit", () => this.#replace());
    return worker;
  }

  /** A thread that died takes its queries with it, never the leaf. */
  #replace(): void {
    for (const { reject } of [...this.#pending.values()]) {
      reject(new HadalError("internal", { id: "scan thread" }));
    }
    if (this.#closed) return;
    this.#encoder = new PlainEncoder();
    this.#worker = this.#spawn();
  }

  #receive(reply: ScanReply): void {
    if (reply.kind === "ready") return;
    if (reply.kind === "answer") {
      const pending = this.#pending.get(reply.answer.id);
      if (reply.answer.done) {
        this.#rowsScanned += reply.answer.rowsScanned;
        pending?.resolve(reply.answer);
      } else if (pending !== undefined) {
        pending.rowsScanned = reply.answer.rowsScanned;
        pending.onAnswer(reply.answer);
      }
      return;
    }
    const pending = this.#pending.get(reply.id);
    if (reply.kind === "cancelled") {
      this.#rowsScanned += reply.rowsScanned;
      pending?.reject(new HadalError("cancelled"));
    } else if (reply.kind === "problem") {
      pending?.reject(HadalError.fromProblem(reply.problem));
    } else {
      const id = randomUUID();
      this.#warn(`problem ${id}: ${reply.text}`);
      pending?.reject(new HadalError("internal", { id }));
    }
  }
}
