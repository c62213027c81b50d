import { turnNames } from "../../base/process/client.js";

/** The sender of a body, and when it began: what was sent first ends first. */
export interface Sender {
  /** As `clientOf` names it. */
  readonly client: string;
  readonly order: number;
}

/**
 * Clients choose their names: of more than this many, the one that was silent longest counts as
 * new.
 */
const clientsMax = 10_000;

/**
 * Whose turn it is: that of the person whose last one is longest ago, there that of such an address,
 * there that of such a client, and of its sends the oldest.
 */
export class FairOrder {
  /**
   * When each person, address and client had its last turn, counted in turns; the longest ago first.
   */
  readonly #lastTurns = new Map<string, number>();
  #turns = 0;

  /** Looks at each that waits once; null: none does. */
  choose<Ticket extends { readonly sender: Sender }>(waiting: Iterable<Ticket>): Ticket | null {
    let best: Ticket | null = null;
    for (const ticket of waiting)
      if (best === null || this.#isBefore(ticket.sender, best.sender)) best = ticket;
    return best;
  }

  noteTurn({ client }: Sender): void {
    this.#turns++;
    for (const who of turnNames(client)) {
      this.#lastTurns.delete(who);
      this.#lastTurns.set(who, this.#turns);
    }
    for (const oldest of this.#lastTurns.keys()) {
      if (this.#lastTurns.size <= clientsMax) break;
      this.#lastTurns.delete(oldest);
    }
  }

  /** No sender waits: all are equal again. */
  forget(): void {
    this.#lastTurns.clear();
  }

  #isBefore(a: Sender, b: Sender): boolean {
    const namesOfB = turnNames(b.client);
    for (const [level, name] of turnNames(a.client).entries()) {
      const later = this.#lastTurn(name) - this.#lastTurn(namesOfB[level]!);
      if (later !== 0) return later < 0;
    }
    return a.order < b.order;
  }

  #lastTurn(who: string): number {
    return this.#lastTurns.get(who) ?? 0;
  }
}
