import { afterMs } from "../../base/schedule/deadlines.js";
import { FairOrder, type Sender } from "../body/fairOrder.js";

/**
 * Some batches of the usual size: they are written while the next ones are sent, and a small batch
 * waits for these only.
 */
const windowBytes = 2_097_152;
/**
 * Smaller batches do not wait, and no other waits for them: where many are sent, one would always
 * be on its way.
 */
const smallBatchBytes = 131_072;

interface Ticket {
  readonly sender: Sender;
  readonly bytes: number;
  readonly settle: (place: "in" | "elsewhere") => void;
}

/**
 * Bounds the batches on their way to one leaf. The others wait here, where small batches pass them,
 * and not in the leaf's queue.
 */
export class LeafWindow {
  readonly #waiting = new Set<Ticket>();
  readonly #order = new FairOrder();
  /** Bytes of large batches on their way. */
  #bytes = 0;

  /**
   * True: the batch may be sent, and the caller calls `leave` after it. False: the leaf is silent,
   * or the wait is over.
   */
  enter(sender: Sender, bytes: number, waitMs: number): Promise<boolean> {
    if (bytes <= smallBatchBytes) return Promise.resolve(true);
    return new Promise((resolve) => {
      const settle: Ticket["settle"] = (place) => {
        this.#waiting.delete(ticket);
        callOff();
        resolve(place === "in");
      };
      const callOff = afterMs(waitMs, () => settle("elsewhere"));
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

  /** Ends the wait of all: they try another leaf. */
  turnAway(): void {
    for (const { settle } of [...this.#waiting]) settle("elsewhere");
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
      next.settle("in");
    }
  }
}
