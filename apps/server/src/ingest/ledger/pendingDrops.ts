import type { Reduction, ThinningBasis } from "../../base/row/reduction.js";
import type { MinuteRows } from "./minuteCounts.js";

/**
 * Rows that the ledger no longer counts and that a leaf must still remove; `generations` null: the
 * whole table.
 */
export interface PendingDrop {
  readonly table: string;
  readonly leaf: string;
  readonly generations: readonly number[] | null;
  /** The segments are thinned to one row in this many; absent: they are removed. */
  readonly keepOneIn?: number;
  /** What decides which ones; absent: chance alone. */
  readonly basis?: ThinningBasis;
  /** Only this many of the newest rows stay. */
  readonly keepNewest?: number;
}

/** How the segments are reduced; null: they are removed. */
export function reductionOf({ keepOneIn, basis, keepNewest }: PendingDrop): Reduction | null {
  if (keepOneIn !== undefined) return basis === undefined ? { keepOneIn } : { keepOneIn, basis };
  return keepNewest === undefined ? null : { keepNewest };
}

export type DropEvent =
  /** Retention removes these segments of a leaf. */
  | {
      readonly kind: "expired";
      readonly table: string;
      readonly leaf: string;
      readonly generations: readonly number[];
      /** The rows to remove of these segments. */
      readonly rows: MinuteRows;
      readonly keepOneIn?: number;
      readonly basis?: ThinningBasis;
      readonly keepNewest?: number;
    }
  /** The whole table is removed on these leaves. */
  | { readonly kind: "deleted"; readonly table: string; readonly leaves: readonly string[] }
  /** The leaf has removed the rows. */
  | { readonly kind: "dropped"; readonly table: string; readonly leaf: string };

/** Drops that leaves have not confirmed: one per table and leaf at a time. */
export class PendingDrops {
  readonly #drops = new Map<string, PendingDrop>();

  apply(event: DropEvent): void {
    if (event.kind === "dropped") {
      this.#drops.delete(keyOf(event.table, event.leaf));
      return;
    }
    const { table } = event;
    if (event.kind === "deleted") {
      for (const leaf of event.leaves) this.add({ table, leaf, generations: null });
      return;
    }
    const { leaf, generations, keepOneIn, basis, keepNewest } = event;
    this.add({
      ...{ table, leaf, generations },
      ...(keepOneIn === undefined ? {} : { keepOneIn }),
      ...(basis === undefined ? {} : { basis }),
      ...(keepNewest === undefined ? {} : { keepNewest }),
    });
  }

  add(drop: PendingDrop): void {
    this.#drops.set(keyOf(drop.table, drop.leaf), drop);
  }

  find(table: string, leaf: string): PendingDrop | undefined {
    return this.#drops.get(keyOf(table, leaf));
  }

  /** Whether a leaf may still have rows of the table that are no longer counted. */
  isOpen(table: string): boolean {
    for (const drop of this.#drops.values()) if (drop.table === table) return true;
    return false;
  }

  /** Leaves that must still remove the whole table: they get no new rows of that name. */
  leavesDropping(table: string): string[] {
    return this.list()
      .filter((drop) => drop.table === table && drop.generations === null)
      .map(({ leaf }) => leaf);
  }

  list(): readonly PendingDrop[] {
    return [...this.#drops.values()];
  }
}

/** Names have no control characters: the newline keeps the two parts apart. */
function keyOf(table: string, leaf: string): string {
  return `${table}\n${leaf}`;
}
