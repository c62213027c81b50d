/** Work that is done again and again, one turn after the other. */
export class Turns {
  readonly #work: () => Promise<void>;
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<void> | null = null;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** A turn that begins after the call; callers share it. */
  next(): Promise<void> {
    this.#next ??= this.#running.then(() => {
      this.#next = null;
      const turn = this.#work();
      this.#running = turn.catch(() => undefined);
      return turn;
    });
    return this.#next;
  }
}
