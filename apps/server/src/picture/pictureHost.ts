import { randomUUID } from "node:crypto";
import { Worker } from "node:worker_threads";
import { HadalError } from "@hadal/sdk";
import { type OrderOptions, PictureInWork } from "./pictureInWork.js";
import type { MessageOfThread, MessageToThread, PictureThreadStart } from "./pictureMessages.js";
import type { PictureOrder } from "./pictureOrder.js";

/** Drawing is computing: a second picture is drawn while the first one waits for its answers. */
const drawnAtOnce = 2;
/** A minute's work. */
const waitingMax = 20;
/** Of one person or program, drawn or waiting: the others have their turns. */
const ofOneMax = 5;
const pictureMsMax = 30_000;
/** The bundle and its caches are 100 MB. */
const idleMsMax = 60_000;
/** Of the largest board with all its answers. */
const heapMbMax = 768;

export interface PictureHostOptions {
  readonly script: URL;
  /** The bundle that draws; null: it was not built. */
  readonly bundle: URL | null;
  readonly warn: (text: string) => void;
  readonly timeMsMax?: number;
  readonly idleMs?: number;
}

interface Waiting {
  readonly start: () => void;
  readonly refuse: (error: unknown) => void;
}

/** Draws pictures in another thread, which is there as long as there is work. */
export class PictureHost {
  readonly #options: PictureHostOptions;
  readonly #pictures = new Map<number, PictureInWork>();
  readonly #waiting: Waiting[] = [];
  /** Pictures of each client that are drawn or wait. */
  readonly #ofClients = new Map<string, number>();
  /** Of {@link drawnAtOnce}. */
  #placesTaken = 0;
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  #isClosed = false;

  constructor(options: PictureHostOptions) {
    this.#options = options;
  }

  /** The file of the picture. Rejects with a HadalError. */
  async draw(order: PictureOrder, options: OrderOptions): Promise<Uint8Array> {
    const { bundle } = this.#options;
    if (bundle === null || this.#isClosed) {
      const detail = "This server cannot draw pictures: it was built without them.";
      throw new HadalError("unavailable", { detail });
    }
    const leave = this.#enter(options.client);
    try {
      await this.#turn(options.signal);
      try {
        return await this.#drawNow(order, options, bundle);
      } finally {
        this.#next();
      }
    } finally {
      leave();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { refuse } of this.#waiting.splice(0)) refuse(threadEnded());
    await this.#endThread();
  }

  /** Counts the pictures of a client; returns what takes one off again. */
  #enter(client: string): () => void {
    const count = this.#ofClients.get(client) ?? 0;
    if (count >= ofOneMax) {
      const detail = `${ofOneMax} pictures are being drawn for you already. Wait for one of them.`;
      throw new HadalError("overloaded", { detail });
    }
    this.#ofClients.set(client, count + 1);
    return () => {
      const left = (this.#ofClients.get(client) ?? 1) - 1;
      if (left === 0) this.#ofClients.delete(client);
      else this.#ofClients.set(client, left);
    };
  }

  /** Waits until fewer pictures are drawn. */
  async #turn(signal: AbortSignal): Promise<void> {
    if (this.#placesTaken < drawnAtOnce) {
      this.#placesTaken++;
      return;
    }
    if (this.#waiting.length >= waitingMax) {
      const detail = "Too many pictures are wanted at once. Try again in a moment.";
      throw new HadalError("unavailable", { detail });
    }
    await new Promise<void>((resolve, reject) => {
      const entry = { start: resolve, refuse: reject };
      this.#waiting.push(entry);
      signal.addEventListener("abort", () => {
        const place = this.#waiting.indexOf(entry);
        if (place >= 0) this.#waiting.splice(place, 1);
        reject(new HadalError("cancelled"));
      });
    });
  }

  /** Gives the place to whoever waits for it. */
  #next(): void {
    const next = this.#waiting.shift();
    if (next !== undefined) {
      next.start();
      return;
    }
    this.#placesTaken--;
    if (this.#placesTaken > 0) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.#placesTaken === 0) void this.#endThread();
    }, this.#options.idleMs ?? idleMsMax);
    this.#idle.unref();
  }

  async #drawNow(order: PictureOrder, options: OrderOptions, bundle: URL): Promise<Uint8Array> {
    const id = ++this.#lastId;
    const worker = this.#worker ?? this.#spawn(bundle);
    this.#worker = worker;
    const picture = new PictureInWork(options, (message) =>
      worker.postMessage({ id, ...message } as MessageToThread),
    );
    this.#pictures.set(id, picture);
    const timer = setTimeout(() => {
      const isComputed = !picture.isAsking;
      picture.end(tooSlow());
      // Without an open question it computes, and stops for nothing else.
      if (isComputed) void this.#endThread();
    }, this.#options.timeMsMax ?? pictureMsMax);
    try {
      worker.postMessage({ kind: "draw", id, order } satisfies MessageToThread);
      return await picture.bytes;
    } finally {
      clearTimeout(timer);
      this.#pictures.delete(id);
    }
  }

  #spawn(bundle: URL): Worker {
    const worker = new Worker(this.#options.script, {
      workerData: { bundle: bundle.href } satisfies PictureThreadStart,
      resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
    });
    worker.unref();
    worker.on("message", (message: MessageOfThread) => this.#receive(message));
    worker.on("error", (error) => this.#options.warn(`picture thread: ${String(error)}`));
    worker.on("exit", () => this.#lose(worker));
    return worker;
  }

  #receive(message: MessageOfThread): void {
    const picture = this.#pictures.get(message.id);
    if (picture === undefined) {
      if (message.kind === "ask") this.#refuse(message);
    } else if (message.kind === "ask") void picture.answer(message.call, message.question);
    else if (message.kind === "drawn") picture.drawn(message.bytes);
    else if (message.kind === "problem") picture.end(HadalError.fromProblem(message.problem));
    else {
      const id = randomUUID();
      this.#options.warn(`problem ${id}: picture: ${message.text}`);
      picture.end(new HadalError("internal", { id }));
    }
  }

  /** The picture is not wanted any more: the thread gives it up. */
  #refuse({ id, call }: { readonly id: number; readonly call: number }): void {
    const problem = new HadalError("cancelled").toProblem();
    this.#worker?.postMessage({ kind: "refusal", id, call, problem } satisfies MessageToThread);
  }

  async #endThread(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    if (worker === null) return;
    this.#lose(worker);
    await worker.terminate();
  }

  /** Pictures of a thread that has ended fail; the next one starts another thread. */
  #lose(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    for (const picture of this.#pictures.values()) picture.end(threadEnded());
  }
}

const threadEnded = (): HadalError =>
  new HadalError("unavailable", { detail: "The drawing of pictures was interrupted. Try again." });

const tooSlow = (): HadalError =>
  new HadalError("unavailable", {
    detail:
      "The picture took too long to draw. Ask for a single tile (?tile=) or for a shorter time.",
  });
