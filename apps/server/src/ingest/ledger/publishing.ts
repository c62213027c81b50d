import type { LeafCounts, PrintedCounts } from "./leafCounts.js";

/**
 * Where several gateways share the counts, a ledger keeps those that are not in the registry yet.
 */
export type PublishEvent =
  /** The gateway is announced; it has added counts so often. */
  | { readonly kind: "joined"; readonly position: number }
  /** All counts up to here are about to be added, as the addition with this number. */
  | { readonly kind: "publishing"; readonly position: number }
  /** They are in the registry. */
  | { readonly kind: "published"; readonly position: number }
  /** Other gateways have taken its place: they count what it had not published. */
  | { readonly kind: "fenced" }
  /** The gateway is announced no longer. */
  | { readonly kind: "left" };

export interface PrintedPublishing {
  readonly position: number;
  readonly isJoined: boolean;
  readonly rows: readonly PrintedCounts[] | null;
}

/** How far a gateway's counts have come to the registry. */
export class Publishing {
  readonly #counts: LeafCounts;
  /** How often counts were added, with the ones that are being added. */
  position = 0;
  isJoined = false;
  /** Those that are being added; null: none are. */
  rows: readonly PrintedCounts[] | null = null;

  constructor(counts: LeafCounts) {
    this.#counts = counts;
  }

  apply(event: PublishEvent): void {
    switch (event.kind) {
      case "joined":
        this.position = event.position;
        this.isJoined = true;
        break;
      case "publishing":
        this.position = event.position;
        this.rows = this.#counts.copy();
        break;
      case "published":
        for (const { table, leaf, rows } of this.rows ?? [])
          this.#counts.subtract(table, leaf, rows);
        this.rows = null;
        break;
      case "fenced":
        this.#counts.clear();
        this.rows = null;
        this.isJoined = false;
        break;
      case "left":
        this.isJoined = false;
        break;
    }
  }

  /** The intent could not be written. */
  callOff(): void {
    this.position--;
    this.rows = null;
  }

  /** Rows of a deleted table are not added. */
  forget(table: string): void {
    this.rows = this.rows?.filter((rows) => rows.table !== table) ?? null;
  }

  print(): PrintedPublishing {
    const { position, isJoined, rows } = this;
    return { position, isJoined, rows };
  }

  restore({ position, isJoined, rows }: PrintedPublishing): void {
    Object.assign(this, { position, isJoined, rows });
  }
}
