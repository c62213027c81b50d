import { type LeafExpiry, nothingExpires } from "../file/sealedSegments.js";
import type { LeafStore } from "../leaf/leafStore.js";
import type { Table } from "../table/table.js";
import type { LeafFolder } from "./leafFolder.js";

/** Rows that are going to be removed, and how often the leaf has planned to remove some, this time included. */
export interface PlannedRemoval extends LeafExpiry {
  /** Absent: nothing goes. */
  readonly removals?: number;
}

/**
 * Plans what a leaf removes. The number of plans is on the disk before rows go: a copy with a lower one
 * may have rows that are gone, and with them as many as it should have while it lacks others.
 */
export class PlannedRemovals {
  readonly #store: LeafStore;
  readonly #folder: Pick<LeafFolder, "noteRemoval" | "removals">;

  constructor(store: LeafStore, folder: Pick<LeafFolder, "noteRemoval" | "removals">) {
    this.#store = store;
    this.#folder = folder;
  }

  /** Rows of sealed segments. */
  async plan(name: string, planOf: (table: Table) => Promise<LeafExpiry>): Promise<PlannedRemoval> {
    const table = this.#store.find(name);
    const plan = table === undefined ? nothingExpires : await planOf(table);
    return plan.generations.length === 0 ? plan : this.#counted(name, plan);
  }

  /** A whole table. Should the order never come, its copies do not answer for it. */
  async planDrop(name: string): Promise<PlannedRemoval> {
    const table = await this.#store.findSettled(name);
    if (table === undefined) return nothingExpires;
    await table.planDrop();
    return this.#counted(name, nothingExpires);
  }

  /** Copies hear of the new number together with what goes. */
  async #counted(table: string, plan: LeafExpiry): Promise<PlannedRemoval> {
    await this.#folder.noteRemoval();
    this.#store.changes.note(table);
    return { ...plan, removals: this.#folder.removals ?? 0 };
  }
}
