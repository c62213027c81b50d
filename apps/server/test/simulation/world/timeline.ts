import { createSeededRandom, type SeededRandom } from "../../oracle/seed/seededRandom.js";
import { EventQueue } from "./eventQueue.js";
import { SimProcess } from "./simProcess.js";

/** The true time at the start of every simulation. */
const startMs = 1_750_500_000_000;

/**
 * Events that run in one turn of the real event loop. Between two of them Node.js does all that the
 * first has left to microtasks.
 */
const eventsOfTurn = 32;

/** Something happened that no code may do. */
export interface Breach {
  readonly invariant: string;
  readonly text: string;
}

/**
 * Time and chance of one seed. One event runs at a time, with all that follows from it at once; the
 * next one is the next in time.
 */
export class Timeline {
  nowMs = 0;
  /** Of faults, delays and everything else that is by chance. */
  readonly random: SeededRandom;
  readonly breaches: Breach[] = [];
  eventCount = 0;
  /** What no machine has a part in: clients, faults, the way of bytes. */
  readonly outside: SimProcess;
  /** The process whose event runs now. */
  current: SimProcess;
  readonly #events = new EventQueue<SimProcess>();
  readonly #onTrace: ((line: string) => void) | null;

  constructor(seed: number, onTrace: ((line: string) => void) | null) {
    this.random = createSeededRandom(seed);
    this.#onTrace = onTrace;
    const nowhere = { name: "outside", host: "0.0.0.0", folder: "/outside", wallAheadMs: 0 };
    this.outside = new SimProcess("outside", 1, nowhere);
    this.current = this.outside;
  }

  /** The wall clock of the process that asks. */
  get wallMs(): number {
    return Math.floor(startMs + this.nowMs + this.current.machine.wallAheadMs);
  }

  get trueMs(): number {
    return Math.floor(startMs + this.nowMs);
  }

  trace(text: () => string): void {
    this.#onTrace?.(`${this.nowMs.toFixed(1).padStart(9)}  ${this.current.name}: ${text()}`);
  }

  breach(invariant: string, text: string): void {
    this.trace(() => `BREACH of ${invariant}: ${text}`);
    this.breaches.push({ invariant, text });
  }

  /** A number of milliseconds between two, most of them near the lower one. */
  delayMs(lowMs: number, highMs: number): number {
    const x = this.random.next();
    return lowMs + (highMs - lowMs) * x * x * x;
  }

  /** Runs `run` as an event of a process; it is dropped when the process ends before. */
  after(delayMs: number, run: () => void, owner: SimProcess = this.current): () => void {
    const event = this.#events.add(this.nowMs + Math.max(0, delayMs), owner, run);
    return () => {
      event.run = null;
    };
  }

  /** What no code may throw. */
  unexpected(process: SimProcess, error: unknown): void {
    if (!process.isAlive) return;
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.breach("no unexpected error", `${process.name}: ${text}`);
  }

  /** Runs events until a moment, or until `isOver`. */
  advance(toMs: number, isOver: () => boolean = () => false): Promise<void> {
    return new Promise((resolve) => {
      let isDone = false;
      let hasRun = false;
      let left = 0;
      const step = (): void => {
        if (isDone) return;
        if (hasRun && isOver()) {
          isDone = true;
        } else if (this.#runNext(toMs)) {
          hasRun = true;
          if (--left === 0) plan();
          return;
        } else {
          isDone = true;
          this.nowMs = Math.max(this.nowMs, toMs);
        }
        this.current = this.outside;
        resolve();
      };
      const plan = (): void => {
        left = eventsOfTurn;
        for (let i = 0; i < eventsOfTurn; i++) globalThis.setImmediate(step);
      };
      plan();
    });
  }

  /** Runs the next event. False: there is none before that moment. */
  #runNext(toMs: number): boolean {
    for (;;) {
      const event = this.#events.next;
      if (event === undefined || event.atMs > toMs) return false;
      this.#events.take();
      const { owner, atMs } = event;
      if (event.run === null || !owner.isAlive) continue;
      this.nowMs = atMs;
      if (owner.stalled !== null) {
        owner.stalled.push(() => this.#events.add(this.nowMs, owner, () => event.run?.()));
        continue;
      }
      this.current = owner;
      this.eventCount++;
      try {
        event.run();
      } catch (error) {
        this.unexpected(owner, error);
      }
      return true;
    }
  }
}
