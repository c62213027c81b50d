/**
 * Keeps memory alive while queries read it: freed once it is retired and has no pin.
 */
export class Pins {
  #count = 0;
  #free: (() => void) | null = null;

  get isPinned(): boolean {
    return this.#count > 0;
  }

  pin(): void {
    this.#count++;
  }

  unpin(): void {
    this.#count--;
    this.#freeIfUnused();
  }

  /** The owner needs it no longer. `free` runs once, now or after the last unpin. */
  retire(free: () => void): void {
    this.#free = free;
    this.#freeIfUnused();
  }

  #freeIfUnused(): void {
    if (this.#count > 0 || this.#free === null) return;
    const free = this.#free;
    this.#free = null;
    free();
  }
}
