/** How many requests may be under way. */
export interface WindowLimits {
  /** After any number of losses: enough for all children of one query. */
  readonly floor: number;
  /** At the start, and at most: queries run at once, times the children of each. */
  readonly max: number;
}

export const windowLimitsDefault: WindowLimits = { floor: 8, max: 256 };

/**
 * answered: it came back. lost: it did not in time, or what came said that the other end is
 * overloaded. released: nothing can be learned from it.
 */
export type RequestOutcome = "answered" | "lost" | "released";

/**
 * A sliding window of requests under way: it grows by one when a whole window of them was answered,
 * and halves when one is lost, once for all that were sent before that (M14). The answers of many
 * children at once would overflow a link, and be late because of each other.
 */
export class RequestWindow {
  readonly #limits: WindowLimits;
  readonly #waiting = new Set<(slot: Slot) => void>();
  #size: number;
  #held = 0;
  #lostCount = 0;
  #lastNumber = 0;
  /** The last request that was sent before the window halved. */
  #halvedAfter = 0;

  constructor(limits: WindowLimits = windowLimitsDefault) {
    this.#limits = limits;
    this.#size = limits.max;
  }

  get size(): number {
    return Math.floor(this.#size);
  }

  get counts(): { readonly held: number; readonly waiting: number; readonly lost: number } {
    return { held: this.#held, waiting: this.#waiting.size, lost: this.#lostCount };
  }

  /** Null: there is no room now. */
  tryEnter(): Slot | null {
    return this.#waiting.size > 0 || this.#held >= this.size ? null : this.#takeSlot();
  }

  /** Calls back when it is this one's turn, unless the returned function calls it off. */
  wait(onRoom: (slot: Slot) => void): () => void {
    this.#waiting.add(onRoom);
    return () => this.#waiting.delete(onRoom);
  }

  #takeSlot(): Slot {
    this.#held++;
    const number = ++this.#lastNumber;
    return new Slot({ free: () => this.#free(), learn: (outcome) => this.#learn(number, outcome) });
  }

  #learn(number: number, outcome: RequestOutcome): void {
    const { floor, max } = this.#limits;
    if (outcome === "answered") this.#size = Math.min(max, this.#size + 1 / this.#size);
    if (outcome !== "lost") return;
    this.#lostCount++;
    if (number <= this.#halvedAfter) return;
    this.#size = Math.max(floor, this.#size / 2);
    this.#halvedAfter = this.#lastNumber;
  }

  #free(): void {
    this.#held--;
    for (const onRoom of this.#waiting) {
      if (this.#held >= this.size) return;
      this.#waiting.delete(onRoom);
      onRoom(this.#takeSlot());
    }
  }
}

interface SlotOwner {
  free(): void;
  learn(outcome: RequestOutcome): void;
}

/** The place of one request in a window. */
class Slot {
  readonly #window: SlotOwner;
  #isHeld = true;
  #isOver = false;

  constructor(window: SlotOwner) {
    this.#window = window;
  }

  /** Lets another request go while this one still waits for its answer. */
  yield(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#window.free();
  }

  end(outcome: RequestOutcome): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#window.learn(outcome);
    this.yield();
  }
}

export type { Slot };
