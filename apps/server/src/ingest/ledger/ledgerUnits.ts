import type { VisibleUnits } from "../../base/row/unitSnapshot.js";

/** The lines of the journal about units. */
export type UnitEvent =
  /** All its batches are stored: from here on they count, and are visible. */
  | { readonly kind: "unitCommitted"; readonly number: number }
  /** None of its batches will ever be visible. */
  | { readonly kind: "unitAborted"; readonly number: number }
  /** All leaves know that these were aborted, and have it on their disks. */
  | { readonly kind: "unitsForgotten"; readonly numbers: readonly number[] };

/** The form in a snapshot. */
export interface PrintedUnits {
  readonly last: number;
  readonly open: readonly number[];
  readonly aborted: readonly number[];
}

/** Which units of this gateway are begun, decided, and known to leaves as aborted. */
export class LedgerUnits {
  #last = 0;
  readonly #open = new Set<number>();
  readonly #aborted = new Set<number>();
  #visible: VisibleUnits | null = null;

  /**
   * A number that no unit has had. It is not below the time: also a journal that was lost has not
   * given it.
   */
  begin(nowMs: number): number {
    const number = Math.max(this.#last + 1, Math.floor(nowMs));
    this.note(number);
    return number;
  }

  /** A batch of the unit is about to be sent. */
  note(number: number): void {
    this.#last = Math.max(this.#last, number);
    this.#open.add(number);
    this.#visible = null;
  }

  isOpen(number: number): boolean {
    return this.#open.has(number);
  }

  /** Units that are neither committed nor aborted. */
  get open(): readonly number[] {
    return [...this.#open];
  }

  /** Those that leaves may not know yet. */
  get aborted(): readonly number[] {
    return [...this.#aborted];
  }

  /** The units whose rows are counted. */
  get visible(): VisibleUnits {
    this.#visible ??= {
      upTo: this.#last,
      except: [...this.#open, ...this.#aborted].sort((a, b) => a - b),
    };
    return this.#visible;
  }

  apply(event: UnitEvent): void {
    this.#visible = null;
    if (event.kind === "unitsForgotten") {
      for (const number of event.numbers) this.#aborted.delete(number);
      return;
    }
    // It may be one that leaves have and the ledger had lost.
    this.#last = Math.max(this.#last, event.number);
    this.#open.delete(event.number);
    if (event.kind === "unitAborted") this.#aborted.add(event.number);
  }

  print(): PrintedUnits {
    return { last: this.#last, open: this.open, aborted: this.aborted };
  }

  restore({ last, open, aborted }: PrintedUnits): void {
    this.#last = last;
    for (const number of open) this.#open.add(number);
    for (const number of aborted) this.#aborted.add(number);
    this.#visible = null;
  }
}
