import { addressOf } from "../../base/process/client.js";

/** Who sends, and since when: what is sent first ends first. */
export interface Sender {
  /** As `clientOf` names it. */
  readonly client: string;
  readonly order: number;
}

/** Senders name themselves: of more than so many the longest unheard is taken for new. */
const clientsMax = 10_000;

/** Whose turn it is: that of the address whose last one is longest ago, there that of such a client, and of its sends the oldest. */
export class FairOrder {
  /** When each address and each client had its last turn, counted in turns; the longest ago first. */
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
    for (const who of [client, addressOf(client)]) {
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
    const later =
      this.#lastTurn(addressOf(a.client)) - this.#lastTurn(addressOf(b.client)) ||
      this.#lastTurn(a.client) - this.#lastTurn(b.client);
    return later === 0 ? a.order < b.order : later < 0;
  }

  #lastTurn(who: string): number {
    return this.#lastTurns.get(who) ?? 0;
  }
}
