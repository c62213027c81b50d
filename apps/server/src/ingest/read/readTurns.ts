import { FairOrder, type Sender } from "../body/fairOrder.js";

interface Ticket {
  readonly sender: Sender;
  readonly start: () => void;
}

/**
 * Lets the blocks of large bodies be read one at a time. Between two of them is a turn of the event
 * loop, in which small ones come in, are read and are answered.
 */
export class ReadTurns {
  readonly #waiting = new Set<Ticket>();
  readonly #order = new FairOrder();
  #isTaken = false;

  /** Resolves when it is this sender's turn; `leave` is to follow. */
  enter(sender: Sender): Promise<void> {
    if (!this.#isTaken) {
      this.#isTaken = true;
      this.#order.noteTurn(sender);
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.#waiting.add({ sender, start: resolve });
    });
  }

  leave(): void {
    setImmediate(() => this.#startNext());
  }

  /** Runs a piece of work in its own turn. */
  async run<Result>(sender: Sender, work: () => Result): Promise<Result> {
    await this.enter(sender);
    try {
      return work();
    } finally {
      this.leave();
    }
  }

  #startNext(): void {
    const next = this.#order.choose(this.#waiting);
    if (next === null) {
      this.#isTaken = false;
      this.#order.forget();
      return;
    }
    this.#waiting.delete(next);
    this.#order.noteTurn(next.sender);
    next.start();
  }
}
