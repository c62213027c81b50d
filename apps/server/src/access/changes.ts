/** Counts changes of what is in memory, and calls those that keep something open. */
export class Changes {
  readonly #listeners = new Set<() => void>();
  #version = 0;

  get version(): number {
    return this.#version;
  }

  raise(): void {
    this.#version += 1;
    this.notify();
  }

  notify(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Returns what removes the listener. */
  add(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
