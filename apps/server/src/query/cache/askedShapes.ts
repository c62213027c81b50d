/** Boards of a large team, twice over. */
const shapesMax = 10_000;
/** Who has not asked again by then, does not refresh. */
const againMs = 600_000;

interface AskedShape {
  askedAt: number;
  filledAt: number;
}

/** Questions that are asked again and again about ranges that move with the clock. */
export class AskedShapes {
  readonly #shapes = new Map<string, AskedShape>();
  readonly #now: () => number;

  /** `now`: monotonic milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether it was asked a short time before, too. */
  noteAsked(shape: string): boolean {
    const known = this.#shapes.get(shape);
    const now = this.#now();
    this.#shapes.delete(shape);
    this.#shapes.set(shape, { filledAt: Number.NEGATIVE_INFINITY, ...known, askedAt: now });
    const [oldest] = this.#shapes.keys();
    if (this.#shapes.size > shapesMax && oldest !== undefined) this.#shapes.delete(oldest);
    return known !== undefined && now - known.askedAt < againMs;
  }

  /** Whether the closed part may be read now: it was not in the last `everyMs`, and is not now. */
  beginFill(shape: string, everyMs: number): boolean {
    const known = this.#shapes.get(shape);
    const now = this.#now();
    if (known === undefined || now - known.filledAt < everyMs) return false;
    known.filledAt = now;
    return true;
  }

  /** Its parts cannot be put together: it is not tried again soon. */
  giveUp(shape: string): void {
    const known = this.#shapes.get(shape);
    if (known !== undefined) known.filledAt = this.#now() + againMs;
  }
}
