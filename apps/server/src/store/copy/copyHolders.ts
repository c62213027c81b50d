import type { HeldLog, LogPosition } from "../../base/copy/copySource.js";

/** A copy that has not asked for this long is not waited for. */
const silentMsMax = 3_000;

interface Holder {
  heardMs: number;
  readonly logs: Map<string, LogPosition>;
}

/** Which copies of a leaf there are, and how far each is on its disk. */
export class CopyHolders {
  readonly #holders = new Map<string, Holder>();
  readonly #waiting = new Set<() => void>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** A copy has asked: what it has now is on its disk. */
  note(id: string, held: readonly HeldLog[]): void {
    const holder = this.#holders.get(id) ?? { heardMs: 0, logs: new Map() };
    this.#holders.set(id, holder);
    holder.heardMs = this.#nowMs();
    for (const { table, ...position } of held) holder.logs.set(table, position);
    for (const check of [...this.#waiting]) check();
  }

  /** Whether a copy has asked lately. */
  get areThere(): boolean {
    const sinceMs = this.#nowMs() - silentMsMax;
    return [...this.#holders.values()].some(({ heardMs }) => heardMs >= sinceMs);
  }

  /** Resolves when a copy has the log up to there on its disk; false: none had within this time. */
  untilHeld(table: string, position: LogPosition, timeoutMs: number): Promise<boolean> {
    if (this.#isHeld(table, position)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(check);
        resolve(this.#isHeld(table, position));
      };
      const check = (): void => {
        if (this.#isHeld(table, position)) end();
      };
      const timer = setTimeout(end, timeoutMs);
      this.#waiting.add(check);
    });
  }

  #isHeld(table: string, { generation, endBytes }: LogPosition): boolean {
    return [...this.#holders.values()].some(({ logs }) => {
      const held = logs.get(table);
      if (held === undefined) return false;
      return (
        held.generation > generation ||
        (held.generation === generation && held.endBytes >= endBytes)
      );
    });
  }
}
