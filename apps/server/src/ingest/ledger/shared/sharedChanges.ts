import type { HourRows } from "../../../registry/ledger/hourRows.js";
import type { SharedDoubt } from "../../../registry/ledger/ledgerDoubts.js";
import { newDoubtId, type SharingGateway } from "../../../registry/ledger/ledgerGateways.js";
import {
  addUncounted,
  bookOut,
  boundDoubts,
  deleteCounts,
  endDrop,
  gatewayGoneMs,
  noteDoubt,
  removeDoubts,
  replaceHours,
  takePlaceOf,
  writeReport,
} from "../../../registry/ledger/ledgerTasks.js";
import type { LedgerNews } from "../../../registry/ledger/readLedger.js";
import type { Registry } from "../../../registry/registry.js";
import type { Doubt } from "../ledgerDoubts.js";
import { type MinuteRows, minuteMs, pairsOfMinutes } from "../minuteCounts.js";
import type { PendingDrop } from "../pendingDrops.js";
import { printDrop } from "./sharedDrops.js";

/** Rows of a gateway that has ended may have times this far in the future. */
const aheadMs = 600_000;

/**
 * Changes of the shared counts other than what a gateway adds: most of them are refused to a gateway
 * that does not have the lease. What they do is seen with the next turn.
 */
export class SharedChanges {
  readonly #registry: Registry;
  readonly #gateway: SharingGateway;

  constructor(registry: Registry, gateway: SharingGateway) {
    this.#registry = registry;
    this.#gateway = gateway;
  }

  /** Of any gateway. `table` left out: all tables, until the leaves are compared. */
  noteDoubt({ reason, sinceMs }: Doubt, table: string | null = null): Promise<void> {
    const toMs = table === null ? null : sinceMs + aheadMs;
    return noteDoubt(this.#registry, newDoubt({ table, reason, sinceMs, toMs }));
  }

  endDoubts(ids: readonly string[]): Promise<void> {
    return removeDoubts(this.#registry, this.#gateway.id, ids);
  }

  heal(table: string, leaf: string, rows: MinuteRows): Promise<void> {
    return addUncounted(this.#registry, this.#gateway.id, [{ table, leaf, rows }]);
  }

  /** Books out what is counted of these rows. Returns the version of the ledger with that. */
  bookOut(drop: PendingDrop, rows: MinuteRows, counted: MinuteRows): Promise<number> {
    const { table, leaf } = drop;
    const known = new Map(pairsOfMinutes(counted));
    const booked = pairsOfMinutes(rows).map(
      ([minute, count]) => [minute, Math.min(count, known.get(minute) ?? 0)] as const,
    );
    const minutes = booked.map(([minute]) => minute);
    const counts = booked.map(([, count]) => count);
    const out = { table, leaf, rows: { minutes, counts } };
    return bookOut(this.#registry, this.#gateway.id, out, printDrop(drop));
  }

  /** Of any gateway. Returns the version of the ledger with that. */
  deleteTable(table: string, leaves: readonly string[]): Promise<number> {
    const drops = leaves.map((leaf) => printDrop({ table, leaf, generations: null }));
    return deleteCounts(this.#registry, table, drops);
  }

  /** Of any gateway: the leaf has removed the rows. */
  endDrop(drop: PendingDrop): Promise<void> {
    return endDrop(this.#registry, printDrop(drop));
  }

  writeReport(report: string): Promise<void> {
    return writeReport(this.#registry, this.#gateway.id, report);
  }

  /** Takes the place of gateways that have ended. They may go on, until leaves refuse their rows. */
  async takePlaces({ gateways, nowMs }: LedgerNews): Promise<void> {
    for (const { id, name, publishedMs, lateMs, body } of gateways) {
      if (id === this.#gateway.id || nowMs - publishedMs < gatewayGoneMs) continue;
      const reason = `${name} has ended, and may have placed rows that it had not counted yet`;
      const recentMs = publishedMs - Math.max(lateMs, minuteMs);
      const openMs = body.open.map(({ rows }) => (rows.minutes[0] ?? 0) * minuteMs);
      const fromMs = Math.min(recentMs, ...openMs);
      const doubt = newDoubt({ reason, sinceMs: nowMs, fromMs });
      await takePlaceOf(this.#registry, this.#gateway.id, id, doubt);
    }
  }

  /** The gateways that these doubts are about place no more rows. */
  endUnfenced(doubts: readonly string[], nowMs: number): Promise<void> {
    return boundDoubts(this.#registry, this.#gateway.id, doubts, nowMs + aheadMs);
  }

  /** What damaged hours had is counted again when the leaves are compared. */
  async replaceHours(damaged: readonly HourRows[], sinceMs: number): Promise<void> {
    if (damaged.length === 0) return;
    const doubt = newDoubt({ reason: lostHours(damaged), sinceMs });
    await replaceHours(this.#registry, this.#gateway.id, damaged, doubt);
  }
}

export const lostHours = ({ length }: readonly HourRows[]): string =>
  `the registry has lost ${length} hours of the row counts`;

function newDoubt(doubt: Partial<SharedDoubt> & Doubt): SharedDoubt {
  return { id: newDoubtId(), table: null, fromMs: null, toMs: null, heldBy: null, ...doubt };
}
