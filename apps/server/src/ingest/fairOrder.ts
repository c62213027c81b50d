/** Who sends, and since when: what is sent first ends first. */
export interface Sender {
  readonly client: string;
  readonly order: number;
}

/** Senders name themselves: of more than so many the longest unheard is taken for new. */
const clientsMax = 10_000;

/** Whose turn it is: that of the client whose last one is longest ago, and of its sends the oldest. */
export class FairOrder {
  /** When each client had its last turn, counted in turns; the longest ago first. */
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
    this.#lastTurns.delete(client);
    this.#lastTurns.set(client, ++this.#turns);
    const [oldest] = this.#lastTurns.keys();
    if (this.#lastTurns.size > clientsMax && oldest !== undefined) this.#lastTurns.delete(oldest);
  }

  /** Nobody waits: all are equal again. */
  forget(): void {
    this.#lastTurns.clear();
  }

  #isBefore(a: Sender, b: Sender): boolean {
    const [lastA, lastB] = [this.#lastTurns.get(a.client) ?? 0, this.#lastTurns.get(b.client) ?? 0];
    return lastA === lastB ? a.order < b.order : lastA < lastB;
  }
}
