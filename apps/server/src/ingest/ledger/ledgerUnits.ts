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
  /** Absent in older snapshots. */
  readonly named?: NamedUnits;
}

/** Aborted units, for a leaf that has lost which they were. */
export interface NamedUnits {
  /** From this number on all of them are known: in `forgotten`, or not forgotten yet. */
  readonly from: number;
  readonly forgotten: readonly number[];
}

/** Requests fail seldom: these are those of months. */
const forgottenMax = 10_000;

/** Which units of this gateway are begun, decided, and known to leaves as aborted. */
export class LedgerUnits {
  #last = 0;
  readonly #open = new Set<number>();
  readonly #aborted = new Set<number>();
  #namedFrom = Number.MAX_SAFE_INTEGER;
  #forgotten: readonly number[] = [];
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
    this.#raise(number);
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
      this.#forget(event.numbers);
      return;
    }
    // It may be one that leaves have and the ledger had lost.
    this.#raise(event.number);
    this.#open.delete(event.number);
    if (event.kind === "unitAborted") this.#aborted.add(event.number);
  }

  /** The ledger has lost something then: which of the units until then were aborted may be among it. */
  noteDamage(atMs: number): void {
    this.#namedFrom = Math.max(this.#last, atMs) + 1;
  }

  get named(): NamedUnits {
    return { from: this.#namedFrom, forgotten: this.#forgotten };
  }

  print(): PrintedUnits {
    return { last: this.#last, open: this.open, aborted: this.aborted, named: this.named };
  }

  restore({ last, open, aborted, named }: PrintedUnits): void {
    this.#last = last;
    this.#namedFrom = named?.from ?? last + 1;
    this.#forgotten = named?.forgotten ?? [];
    for (const number of open) this.#open.add(number);
    for (const number of aborted) this.#aborted.add(number);
    this.#visible = null;
  }

  /** Of units below the first that it knows, those that were forgotten before may be lost. */
  #raise(number: number): void {
    this.#namedFrom = Math.min(this.#namedFrom, Math.max(number, this.#last + 1));
    this.#last = Math.max(this.#last, number);
  }

  #forget(numbers: readonly number[]): void {
    const all = [...this.#forgotten, ...numbers].sort((a, b) => a - b);
    this.#forgotten = all.slice(-forgottenMax);
    const lost = all.at(-forgottenMax - 1);
    if (lost !== undefined) this.#namedFrom = Math.max(this.#namedFrom, lost + 1);
  }
}
