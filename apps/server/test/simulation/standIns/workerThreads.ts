import { EventEmitter } from "node:events";
import { PlainDecoder } from "../../../src/base/bytes/plainCodec.js";
import type { ScanTask } from "../../../src/scan/task/scanTask.js";
import type { ScanRequest } from "../../../src/scan/thread/scanMessages.js";
import type { SimProcess } from "../world/simProcess.js";
import { world } from "../world/world.js";
import { startScanThread } from "./scanThreadStart.js";

/**
 * `node:worker_threads`: a thread runs the real code of scan threads, in turns of its own, and its
 * messages take time. Other scripts are started and get no work: bodies are small, and nothing is
 * drawn.
 */
export class MessagePort extends EventEmitter {
  constructor(readonly send: (message: unknown) => void) {
    super();
  }

  postMessage(message: unknown): void {
    this.send(structuredClone(message));
  }
}

/** Of the thread that starts now: read once, by its first line. */
export let parentPort: MessagePort | null = null;
export let workerData: unknown = null;
export const isMainThread = true;
export const threadId = 0;

export class Worker extends EventEmitter {
  readonly #thread: SimProcess;
  readonly #owner: SimProcess;
  readonly #decoder = new PlainDecoder();
  readonly #held = new Map<number, { readonly scan: object; readonly callOff: () => void }>();
  readonly #to = new Channel();
  readonly #from = new Channel();
  #port: MessagePort | null = null;
  #isEnded = false;

  constructor(script: URL, options: { readonly workerData?: unknown }) {
    super();
    const owner = world().current;
    this.#owner = owner;
    const name = script.pathname.split("/").at(-1) ?? "";
    this.#thread = world().start(
      `${owner.name} ${name}`,
      owner.machine,
      async () => {
        if (name === "scanThread.js") this.#startScans(owner, options.workerData);
      },
      owner,
    );
  }

  postMessage(message: unknown): void {
    const request = message as ScanRequest;
    if (request.kind === "scan") {
      this.#holdScan(this.#decoder.decode(request.task) as ScanTask);
      return;
    }
    if (request.kind === "cancel") this.#stopScan(request.id);
    this.#deliver(structuredClone(request));
  }

  /** A scan takes its time before there is an answer, and a cancel ends it in between. */
  #holdScan(task: ScanTask): void {
    const { scans } = world();
    const { id } = task;
    const scan = {};
    world().trace(() => `scan ${id} begins`);
    scans.set(scan, this.#owner);
    const ms = world().delayMs(0.05, 3) * this.#owner.slowness;
    const callOff = world().after(ms, () =>
      this.#stopScan(id, () => this.#deliver({ kind: "scan", task })),
    );
    this.#held.set(id, { scan, callOff });
  }

  #stopScan(id: number, then = (): void => undefined): void {
    const held = this.#held.get(id);
    if (held === undefined) return;
    held.callOff();
    world().scans.delete(held.scan);
    this.#held.delete(id);
    world().trace(() => `scan ${id} ends`);
    then();
  }

  #deliver(message: unknown): void {
    this.#to.send(() => this.#port?.emit("message", message), this.#thread);
  }

  async terminate(): Promise<number> {
    if (this.#isEnded) return 0;
    this.#isEnded = true;
    this.#thread.end();
    world().after(0.1, () => this.emit("exit", 0));
    return 0;
  }

  #startScans(owner: SimProcess, data: unknown): void {
    const port = new MessagePort((message) => {
      this.#from.send(() => this.emit("message", message), owner);
    });
    this.#port = port;
    parentPort = port;
    workerData = data;
    startScanThread();
    parentPort = null;
  }
}

/** Messages arrive in their order. */
class Channel {
  #lastMs = 0;

  send(arrive: () => void, to: SimProcess): void {
    const atMs = Math.max(this.#lastMs, world().nowMs + world().delayMs(0.02, 0.2));
    this.#lastMs = atMs;
    world().after(atMs - world().nowMs, arrive, to);
  }
}
