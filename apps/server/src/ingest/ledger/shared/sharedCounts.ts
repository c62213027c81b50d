import type { HourRows } from "../../../registry/ledger/hourRows.js";
import { LeafCounts } from "../leafCounts.js";
import { addMinutes, lowerBound, type MinuteRows, minuteMs, negated } from "../minuteCounts.js";

const hourMs = 3_600_000;
const minutesPerHour = hourMs / minuteMs;

/** The rows of all gateways as they were last read from the registry. */
export class SharedCounts {
  readonly counts = new LeafCounts("part");
  readonly #changes = new Map<string, number>();
  /** How often a table's rows have gone, in part or all. */
  readonly #removals = new Map<string, number>();
  readonly #damaged = new Map<string, HourRows>();

  /** Hours that the registry has lost. */
  get damaged(): readonly HourRows[] {
    return [...this.#damaged.values()];
  }

  /** How often a table's rows have changed. */
  changes(table: string): number {
    return this.#changes.get(table) ?? 0;
  }

  /** Another text for other rows of a range, see `RowCountLedger.version`. */
  version(table: string, fromMs: number, toMs: number): string {
    const removals = this.#removals.get(table) ?? 0;
    return [removals, ...this.counts.hashes(table, fromMs, toMs)].join("\n");
  }

  /** `onChange` is called with the minutes that differ from before. */
  apply(
    hours: readonly HourRows[],
    onChange: (table: string, leaf: string, rows: MinuteRows) => void,
  ): void {
    for (const read of hours) {
      const { table, leaf, hour, rows, isDamaged } = read;
      const key = `${table}\n${leaf}\n${hour}`;
      if (isDamaged) this.#damaged.set(key, read);
      else this.#damaged.delete(key);
      const difference = addMinutes(sorted(rows), negated(this.#hour(read)));
      if (difference.minutes.length === 0) continue;
      this.counts.add(table, leaf, difference);
      this.#changes.set(table, this.changes(table) + 1);
      if (difference.counts.some((count) => count < 0))
        this.#removals.set(table, (this.#removals.get(table) ?? 0) + 1);
      onChange(table, leaf, difference);
    }
  }

  /** A table that was deleted, as far as it was not made again. */
  forgetEmpty(table: string): void {
    const isEmpty = this.counts
      .leavesOf(table)
      .every((leaf) => this.counts.of(table, leaf).minutes.length === 0);
    if (isEmpty) this.counts.forget(table);
  }

  #hour({ table, leaf, hour }: HourRows): MinuteRows {
    const { minutes, counts } = this.counts.of(table, leaf);
    const from = lowerBound(minutes, hour * minutesPerHour);
    const to = lowerBound(minutes, (hour + 1) * minutesPerHour);
    return { minutes: minutes.slice(from, to), counts: counts.slice(from, to) };
  }
}

function sorted({ minutes, counts }: MinuteRows): MinuteRows {
  const pairs = minutes.map((minute, i) => [minute, counts[i]!] as const);
  pairs.sort(([a], [b]) => a - b);
  return { minutes: pairs.map(([minute]) => minute), counts: pairs.map(([, count]) => count) };
}
