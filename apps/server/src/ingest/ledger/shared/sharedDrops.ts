import type { SharedDrop } from "../../../registry/ledger/readLedger.js";
import type { PendingDrop } from "../pendingDrops.js";
import type { RowCountLedger } from "../rowCountLedger.js";

type DropOrder = Omit<PendingDrop, "table" | "leaf">;

/** The form in the registry. */
export const printDrop = ({ table, leaf, ...order }: PendingDrop): SharedDrop => ({
  ...{ table, leaf },
  body: JSON.stringify(order satisfies DropOrder),
});

/** Rows that leaves must still remove: whichever gateway may do so has the same list. */
export class SharedDrops {
  readonly #own: RowCountLedger;
  #known = new Map<string, SharedDrop>();

  constructor(own: RowCountLedger) {
    this.#own = own;
  }

  use(drops: readonly SharedDrop[]): void {
    const now = new Map(drops.map((drop) => [`${drop.table}\n${drop.leaf}`, drop]));
    for (const [key, { table, leaf }] of this.#known)
      if (!now.has(key)) this.#own.endDrop(table, leaf);
    for (const [key, drop] of now) {
      if (this.#known.get(key)?.body === drop.body) continue;
      const { table, leaf, body } = drop;
      this.#own.setDrop({ table, leaf, ...(JSON.parse(body) as DropOrder) });
    }
    this.#known = now;
  }
}
