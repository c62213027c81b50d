import type { MinuteRows } from "./minuteCounts.js";
import { MinuteWatch } from "./minuteWatch.js";
import type { DropEvent } from "./pendingDrops.js";

/** The running watches of all leaves. */
export class MinuteWatches {
  readonly #watches = new Set<MinuteWatch>();

  open(leaf: string): MinuteWatch {
    const watch = new MinuteWatch(leaf);
    this.#watches.add(watch);
    return watch;
  }

  close(watch: MinuteWatch): void {
    this.#watches.delete(watch);
  }

  touch(table: string, leaf: string, rows: MinuteRows): void {
    for (const watch of this.#watches) if (watch.leaf === leaf) watch.touch(table, rows);
  }

  /** The table cannot be compared on that leaf now. */
  void(table: string, leaf: string): void {
    for (const watch of this.#watches) if (watch.leaf === leaf) watch.void(table);
  }

  /** A drop makes a table incomparable on the leaves that it concerns. */
  noteDrop(event: DropEvent): void {
    for (const watch of this.#watches) {
      if (event.kind === "deleted" || event.leaf === watch.leaf) watch.void(event.table);
    }
  }
}
