/** Messages that are on their way at once. */
const runningMax = 16;
/** Of one receiver. */
const runningOfReceiverMax = 2;
/** Of all receivers whose last message failed: half of the places are left to those that answer. */
const runningOfFailingMax = runningMax / 2;

/** Which receiver may get a message now: one that hangs keeps no other one waiting. */
export class Turns {
  readonly #running = new Map<string, number>();
  readonly #failing = new Set<string>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count >= runningMax;
  }

  mayStart(receiver: string): boolean {
    if (this.isFull || this.#runningOf(receiver) >= runningOfReceiverMax) return false;
    if (!this.#failing.has(receiver)) return true;
    let failing = 0;
    for (const one of this.#failing) failing += this.#runningOf(one);
    return failing < runningOfFailingMax;
  }

  start(receiver: string): void {
    this.#count += 1;
    this.#running.set(receiver, this.#runningOf(receiver) + 1);
  }

  end(receiver: string, { failed }: { readonly failed: boolean }): void {
    this.#count -= 1;
    const left = this.#runningOf(receiver) - 1;
    if (left > 0) this.#running.set(receiver, left);
    else this.#running.delete(receiver);
    if (failed) this.#failing.add(receiver);
    else this.#failing.delete(receiver);
  }

  #runningOf(receiver: string): number {
    return this.#running.get(receiver) ?? 0;
  }
}
