import type { SharedDoubt } from "../../../registry/ledger/ledgerDoubts.js";
import type { Doubt } from "../ledgerDoubts.js";

/** Why the shared counts may lack rows, as it was last read from the registry. */
export class SharedDoubts {
  #all: readonly SharedDoubt[] = [];
  #damage: Doubt | null = null;
  #damageKey = "";

  use(doubts: readonly SharedDoubt[]): void {
    this.#all = doubts;
    const open = doubts.filter(({ table }) => table === null);
    const key = JSON.stringify(open);
    if (key === this.#damageKey) return;
    this.#damageKey = key;
    const [first] = open;
    this.#damage =
      first === undefined
        ? null
        : { reason: first.reason, sinceMs: Math.max(...open.map(({ sinceMs }) => sinceMs)) };
  }

  /** Until all leaves are compared; another object where it is about other rows than before. */
  get damage(): Doubt | null {
    return this.#damage;
  }

  /** Those that end when all leaves have been compared. */
  get ending(): readonly string[] {
    return this.#all
      .filter(({ table, heldBy }) => table === null && heldBy === null)
      .map(({ id }) => id);
  }

  /** About gateways that may still place rows on leaves which do not know that they must not. */
  get unfenced(): readonly string[] {
    return this.#all
      .filter(({ table, fromMs, toMs }) => table === null && fromMs !== null && toMs === null)
      .map(({ id }) => id);
  }

  /** Whether a gateway has ended: others may not know all that it has stored. */
  get haveEnded(): boolean {
    return this.#all.some(({ table, fromMs }) => table === null && fromMs !== null);
  }

  isHeldBy(gateway: string): boolean {
    return this.#all.some(({ heldBy }) => heldBy === gateway);
  }

  tables(): readonly (readonly [table: string, doubt: Doubt])[] {
    return this.#all.flatMap(({ table, reason, sinceMs }) =>
      table === null ? [] : [[table, { reason, sinceMs }] as const],
    );
  }

  /** Why rows of a time range may be uncounted; null: they are counted. */
  reason(table: string, fromMs: number, toMs: number): string | null {
    const found = this.#all.find(
      (doubt) =>
        (doubt.table === null || doubt.table === table) &&
        (doubt.fromMs === null || doubt.fromMs < toMs) &&
        (doubt.toMs === null || fromMs < doubt.toMs),
    );
    return found?.reason ?? null;
  }
}
