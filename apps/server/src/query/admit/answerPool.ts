import type { Result, ResultRow, ResultValue } from "@hadal/sdk";

/** An answer that has been made and has not left yet. */
export interface HeldAnswer {
  /** Its reader has taken some of it. */
  progress(): void;
  /** It has left, or none waits for it any more. */
  release(): void;
}

interface Holding {
  readonly bytes: number;
  progressAtMs: number;
  readonly cutOff: () => void;
}

/** A reader that takes nothing for so long loses its answer while others wait for room, */
const stalledMsMax = 3_000;
/** and in any case after this. */
const stuckMsMax = 20_000;
const lookMs = 500;

/**
 * What answers take until they have left, over all readers: no query begins while it is more than the bound
 * (`answerMemory`), so that readers who take nothing cannot fill the memory.
 */
export class AnswerPool {
  readonly #held = new Set<Holding>();
  #bytes = 0;
  #timer: NodeJS.Timeout | null = null;
  /** Called when there is room again. */
  onRoom: () => void = () => undefined;
  readonly #bytesMax: number;
  readonly #now: () => number;

  constructor(bytesMax: number, now: () => number) {
    this.#bytesMax = bytesMax;
    this.#now = now;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isFull(): boolean {
    return this.#bytes > this.#bytesMax;
  }

  /** `cutOff` ends the reader's connection, which releases what is held for it. */
  hold(result: Pick<Result, "rows" | "intervals">, cutOff: () => void): HeldAnswer {
    const holding: Holding = { bytes: resultBytes(result), progressAtMs: this.#now(), cutOff };
    this.#held.add(holding);
    this.#bytes += holding.bytes;
    this.#timer ??= setInterval(() => this.#look(), lookMs).unref();
    return {
      progress: () => {
        holding.progressAtMs = this.#now();
      },
      release: () => this.#release(holding),
    };
  }

  #release(holding: Holding): void {
    if (!this.#held.delete(holding)) return;
    const wasFull = this.isFull;
    this.#bytes -= holding.bytes;
    if (this.#held.size === 0 && this.#timer !== null) {
      clearInterval(this.#timer);
      this.#timer = null;
    }
    if (wasFull && !this.isFull) this.onRoom();
  }

  /** Those that have stood still for longest go first. */
  #look(): void {
    const nowMs = this.#now();
    for (const holding of [...this.#held].sort((a, b) => a.progressAtMs - b.progressAtMs)) {
      if (nowMs - holding.progressAtMs < (this.isFull ? stalledMsMax : stuckMsMax)) return;
      holding.cutOff();
      this.#release(holding);
    }
  }
}

/** The most rows that are looked at, spread evenly: what a million take need not be known to the byte. */
const lookedAtMax = 1_000;

/** About what a result takes of the heap. */
export function resultBytes({ rows, intervals }: Pick<Result, "rows" | "intervals">): number {
  let bytes = 1_024;
  for (const bars of Object.values(intervals)) bytes += bars.length * 48;
  const step = Math.max(1, Math.floor(rows.length / lookedAtMax));
  let [looked, lookedBytes] = [0, 0];
  for (let i = 0; i < rows.length; i += step) {
    looked++;
    lookedBytes += rowBytes(rows[i]!);
  }
  return bytes + (looked === 0 ? 0 : Math.round((lookedBytes * rows.length) / looked));
}

const rowBytes = (row: ResultRow): number =>
  row.reduce<number>((sum, value) => sum + cellBytes(value), 32);

function cellBytes(value: ResultValue): number {
  if (typeof value === "string") return 24 + value.length;
  if (!Array.isArray(value)) return 16;
  return (value as readonly (string | object)[]).reduce<number>(
    (sum, one) => sum + (typeof one === "string" ? 24 + one.length : 64),
    16,
  );
}
