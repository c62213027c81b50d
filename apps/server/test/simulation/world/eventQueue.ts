export interface QueuedEvent<Owner> {
  readonly atMs: number;
  /** Among events of the same moment: in the order they were added. */
  readonly order: number;
  readonly owner: Owner;
  /** Null: called off. */
  run: (() => void) | null;
}

/** Events by their moments: a binary heap. */
export class EventQueue<Owner> {
  readonly #heap: QueuedEvent<Owner>[] = [];
  #order = 0;

  get next(): QueuedEvent<Owner> | undefined {
    return this.#heap[0];
  }

  add(atMs: number, owner: Owner, run: () => void): QueuedEvent<Owner> {
    const event = { atMs, order: this.#order++, owner, run };
    let at = this.#heap.length;
    this.#heap.push(event);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(event, this.#heap[parent]!)) break;
      this.#heap[at] = this.#heap[parent]!;
      at = parent;
    }
    this.#heap[at] = event;
    return event;
  }

  take(): QueuedEvent<Owner> | undefined {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (first === undefined || last === undefined || first === last) return first;
    const count = this.#heap.length;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= count) break;
      if (child + 1 < count && isBefore(this.#heap[child + 1]!, this.#heap[child]!)) child++;
      if (!isBefore(this.#heap[child]!, last)) break;
      this.#heap[at] = this.#heap[child]!;
      at = child;
    }
    this.#heap[at] = last;
    return first;
  }
}

function isBefore<Owner>(a: QueuedEvent<Owner>, b: QueuedEvent<Owner>): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}
