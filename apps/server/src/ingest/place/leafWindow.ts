import { afterMs } from "../../base/schedule/deadlines.js";
import { FairOrder, type Sender } from "../body/fairOrder.js";

/** Some batches of the usual size: they are written while the next are on their way, and a small one waits for no more. */
const windowBytes = 2_097_152;
/** Batches of so few bytes are not held back, and hold back no other: where many are sent one would always be on its way. */
const smallBatchBytes = 131_072;

interface Ticket {
  readonly sender: Sender;
  readonly bytes: number;
  readonly settle: (isIn: boolean) => void;
}

/** What is on its way to one leaf. The rest waits here, where small batches pass by, and not in the leaf's queue. */
export class LeafWindow {
  readonly #waiting = new Set<Ticket>();
  readonly #order = new FairOrder();
  /** Of large ones. */
  #bytes = 0;

  /** Resolves with true when the batch may be sent; `leave` is to follow. False: the leaf does not answer, or it waited for so long. */
  enter(sender: Sender, bytes: number, waitMs: number): Promise<boolean> {
    if (bytes <= smallBatchBytes) return Promise.resolve(true);
    return new Promise((resolve) => {
      const settle = (isIn: boolean): void => {
        this.#waiting.delete(ticket);
        callOff();
        resolve(isIn);
      };
      const callOff = afterMs(waitMs, () => settle(false));
      const ticket: Ticket = { sender, bytes, settle };
      this.#waiting.add(ticket);
      this.#letIn();
    });
  }

  leave(bytes: number): void {
    if (bytes <= smallBatchBytes) return;
    this.#bytes -= bytes;
    this.#letIn();
  }

  /** Sends those that wait elsewhere. */
  turnAway(): void {
    for (const { settle } of [...this.#waiting]) settle(false);
  }

  #letIn(): void {
    for (;;) {
      const next = this.#order.choose(this.#waiting);
      if (next === null) {
        if (this.#bytes === 0) this.#order.forget();
        return;
      }
      if (this.#bytes > 0 && this.#bytes + next.bytes > windowBytes) return;
      this.#order.noteTurn(next.sender);
      this.#bytes += next.bytes;
      next.settle(true);
    }
  }
}
