import type { TableIngest } from "@hadal/sdk";

type Counts = Omit<TableIngest, "name">;

const none: Counts = { accepted: 0, rejected: 0, late: 0, future: 0 };

/** What each table took in since the start. */
export class TableCounts {
  readonly #counts = new Map<string, Counts>();

  add(table: string, { accepted = 0, rejected = 0, late = 0, future = 0 }: Partial<Counts>): void {
    const before = this.#counts.get(table) ?? none;
    this.#counts.set(table, {
      accepted: before.accepted + accepted,
      rejected: before.rejected + rejected,
      late: before.late + late,
      future: before.future + future,
    });
  }

  /** In alphabetical order. */
  list(): readonly TableIngest[] {
    return [...this.#counts]
      .map(([name, counts]) => ({ name, ...counts }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  }
}
